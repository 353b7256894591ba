"""Two schemas beside each other.

What is here, in reading order:

    rows             a row for each column, aligned by field id: which differs, and in what; unchanged ones as a count
    table_rows       keys, options and the comment of the table
    counts           how many rows differ in what
    columns          the rows as lines: side by side, or one under the other
"""

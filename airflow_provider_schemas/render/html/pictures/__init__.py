"""What tables show of a table: its values as rows and cells of words. Templates only lay them out.

What is here, in reading order:

    plain_text       texts from outside on one line, without secrets
    origins          where a version comes from, in words
    diff_lines       two versions beside each other
    timeline_rows    the versions of a table
    lifeline_rows    columns through the versions
    blame_rows       since when each column is as it is
    reader_rows      who reads a table; which jobs fit which versions
    schema_rows      a schema by itself
    functions        what templates call
"""

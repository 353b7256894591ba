"""Since when each column is as it is, by whom, and who reads it: pure values and functions over versions and contracts.

What is here, in reading order:

    origin               the version in which something came about, and who wrote it
    lifelines            a column through all known versions, a state for each
    column_blame         each column of a version: when it came, when it last changed, by whom
    column_readers       who reads and writes a table or a column
    readers_by_version   which readers fit which of the last versions: to which one may a table go back?
"""

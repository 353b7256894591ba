"""Data files written with the ids of the table's fields in them. In reading order:

write_files   a frame stamped and written to a folder, which is made known before its first file
stamp         the ids of fields as metadata of columns
frame_check   whether a frame can be written as a version of a table
"""

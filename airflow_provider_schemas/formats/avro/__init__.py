"""Avro files: a few fields of their records, within limits of size and depth.

In the order in which they are best read:

    records.py     a few fields of the records in an Avro file
    schema.py      the schema of an Avro file, and whether its records are safe to read
    container.py   the header and the blocks of an Avro file
    codecs.py      how blocks are unpacked, and how far
    errors.py      the errors about Avro files
"""

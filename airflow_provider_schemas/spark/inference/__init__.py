"""Inference: the schema of a frame or of files, and what the rows say of each column.

infer.py             a schema from data: what users call
result.py            what was inferred
source.py            the data to infer from: a frame, or files under a path
schema.py            the schema of a frame: what a table can have of Spark's types
column_evidence.py   one aggregation over all columns, and what its answers say
text_columns.py      which types text columns look like
renames.py           columns that may be others under a new name
"""

"""Projection: how data of one schema is read as another, field by field.

- projection: matches the fields of two schemas, and explains how each is read
- rows: the functions that read the values
"""

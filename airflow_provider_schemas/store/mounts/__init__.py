"""Databases that others keep, mounted in a store.

source.py          what a mount has to answer: its tables, one look at a table, the schemas that were current
mounted_files.py   the same as the files of a root, with one look at each table in a judgement
named_catalog.py   a catalog of pyiceberg's own configuration, opened at the first table that is asked for
iceberg/           Iceberg tables, in a catalog or in folders
delta/             Delta tables, in folders
ducklake/          DuckLake tables, whose catalog is a database
"""

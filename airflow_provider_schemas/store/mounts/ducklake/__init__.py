"""DuckLake tables as a mounted database: everything is in the SQL database that is their catalog, with ids, times and authors.

mount.py            DuckLakeMount: the tables of one schema of a DuckLake
look.py             what one look at a table found
catalog_query.py    the SQL that is asked, one statement for everything about a table
catalog_rows.py     what the rows of the answer mean
column_tree.py      the columns as they were at a snapshot, as one of our schemas
leaf_types.py       types without parts
"""

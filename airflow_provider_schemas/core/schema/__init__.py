"""The schema of a table, its versions, its file, and its options."""

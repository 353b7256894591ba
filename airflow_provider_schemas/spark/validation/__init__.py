"""Data validated against a schema, row by row, and split into good and bad."""

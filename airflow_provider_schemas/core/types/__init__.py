"""Data types: values, ids, SQL grammar and parsing."""

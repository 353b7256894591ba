"""Data files written with the schema stamped on them."""

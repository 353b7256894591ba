"""Data files: where they lie, and which schema wrote each of them."""

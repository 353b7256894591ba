"""Casts: which type turns into which, and what becomes of each value."""

"""Commits: every step that changes a table, from the target to the exclusive create."""

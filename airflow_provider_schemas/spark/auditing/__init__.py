"""Audits: every table, version and data file, read as the newest schema has it."""

"""Contracts: what a reader needs of a table, and whether a schema fits it."""

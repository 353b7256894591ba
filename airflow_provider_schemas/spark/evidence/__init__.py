"""Proof from footers and rows that a change keeps the data."""

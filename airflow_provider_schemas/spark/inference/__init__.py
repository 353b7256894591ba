"""Schemas inferred from data, with the evidence for each column."""

"""Chains of metadata blocks: read, written, and walked from a folder."""

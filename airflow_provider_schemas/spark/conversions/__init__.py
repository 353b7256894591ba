"""Columns of old files converted to the types of today."""

"""Projection: how data of one schema are read as another, field by field."""

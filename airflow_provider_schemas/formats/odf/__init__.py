"""Schemas of Open Data Fabric, as RFC-016 defines them: a second document model, kept whole."""

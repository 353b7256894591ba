"""Data files of a table that are live, found through manifests and folders."""

"""The versions of a table: the log, its files, its history, and the cache."""

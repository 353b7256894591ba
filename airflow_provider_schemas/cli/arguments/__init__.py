"""Arguments as people type them: options, table names, times and changes."""

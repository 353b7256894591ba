"""Whether a schema is valid: one module for each group of checks."""

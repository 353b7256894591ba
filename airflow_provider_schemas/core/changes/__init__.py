"""Changes of a schema as values, read from text and written as text."""

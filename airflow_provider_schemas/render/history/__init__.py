"""A history as text and as Markdown."""

"""A plan as text and as Markdown."""

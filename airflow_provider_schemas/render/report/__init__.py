"""A report as text, as Markdown, and as one line."""

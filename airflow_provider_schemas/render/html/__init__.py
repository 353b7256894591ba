"""Verdicts, findings, differences and histories as HTML: one file by itself, a piece of a page, or a cell of a notebook.

What is here, in reading order:

    environment      Jinja2 as all templates are rendered with it: escaped, cleaned, nothing undefined
    links            where names lead
"""

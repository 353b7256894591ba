"""Verdicts, findings, differences and histories as HTML: one file by itself, a piece of a page, or a cell of a notebook.

What is here, in reading order:

    api                  a value as a file or as a piece; which template shows it
    notes                a title, lists of lines and sentences: the changes of a diff, what is too large for a cell
    stylesheet           the style and the script of all pages
    environment          Jinja2 as all templates are rendered with it: escaped, cleaned, nothing undefined
    template_functions   what templates call
    links                where names lead
    marks                the marks of verdicts
    table_diff           two versions of a table, and whom each difference breaks
    pictures/            what tables show of a table, as rows and cells of words
    templates/           base.html is the frame of a page; partials/ are macros; values/ shows one value
"""

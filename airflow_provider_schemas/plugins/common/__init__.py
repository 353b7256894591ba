"""What all pages share.

What is here:

    page    what a page is: its path, its template, who may see it, and what computes its content
"""

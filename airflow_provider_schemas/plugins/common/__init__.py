"""What all pages share.

What is here:

    page          what a page is: its path, its template, who may see it, and what computes its content
    query         the query of a request, read with care
    paging        lists in pages
    allow_list    the connections that whoever may read assets sees
    time_limit    for how long a page may be computed
"""

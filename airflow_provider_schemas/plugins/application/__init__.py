"""The application: its routes, rights, headers, and what it shows where something fails.

What is here, in reading order:

    app           FastAPI with a route for each page, closed by default
    page_table    which pages there are
    prepare       what pages need, loaded before the first of them is timed
    rights        who may see a page, and which DAGs and connections in it
    answer        from a request whose user is known to its HTML
    workers       a few threads of our own, so that what hangs stops nobody else
    outages       connections that were slow, and since when
    no_page       why there is no page, as a page that says what to do
    headers       what each response says to the browser; nothing but reading
    files         the style sheet and the script
    page_links    where names lead
"""

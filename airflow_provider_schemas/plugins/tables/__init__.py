"""Pages of tables: a list, one table, two versions beside each other, its columns, its readers, what holds its versions.

What is here, in reading order:

    addresses           addresses of the pages, relative to each other
    hidden_addresses    versions and texts without the addresses of the storage
    open_table          the connection and the table that a query names
    table_rows          version, owner and date of tables
    table_list          names of tables, searched and paged
    version_list        the newest versions of a table
    columns             since when each column is as it is
    one_table           one table: versions, columns, owner, policy, waivers, branches
    judged_step         what the step between two versions breaks
    compare_versions    two versions beside each other
    readers             who reads what, and to which version the table may go back
    references          who holds a version
    pages               the pages, as the application knows them
"""

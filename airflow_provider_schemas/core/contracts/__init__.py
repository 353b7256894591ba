"""Contracts: what one job needs of a table, and whether a schema gives it.

In reading order:

    contract.py        a contract and its columns, as people write them
    roles.py           what a job does with a column, which types it takes, what it does with other columns
    read_ways.py       how a job reads, and whether an alias works for it
    write_ways.py      what the job's writer does with values of another type
    check_contract.py  the order of a check, from a schema and a contract to findings: start here
    column_lacks.py    what one column does not give: its name, its type, its role
    table_lacks.py     what the table does not give: its shape, its keys
    compare_types.py   the type that a job means beside that of the table, at every depth
    value_types.py     whether a value of one scalar type is a value of another
    field_match.py     which field of a struct a name means
    inner_pins.py      the ids of fields inside columns that a contract is pinned to
    lack.py            one thing that a job lacks, before it becomes a finding
"""

"""The next schema of a table, the changes between two schemas, and merging.

In reading order:

    evolve.py             a schema and a batch of changes -> the next schema: start here
    draft.py              the working copy of a schema while a batch is applied
    field_list.py         its columns, or the fields of one ROW, found by name and by id
    apply_columns.py      what each change of columns does, and when it is refused
    apply_types.py        the same for changes of types and NOT NULL
    apply_options.py      the same for options
    change_checks.py      what several of these check: keys, indexes, defaults
    rename_references.py  the keys and options that follow a renamed column
    own_aliases.py        an alias that has become the name of its own column
    diff.py               two schemas -> the changes between them, and what no change can do
    column_diff.py        the changes of columns
    added_fields.py       the changes that add fields with the ids and places that they shall have
    column_moves.py       the fewest moves that bring columns into another order
    source_diff.py        the same for tables that another system keeps: nothing is tried, what differs is named
    source_ids.py         whether what such a system would commit is what was judged, but for the ids of new fields
    match_by_name.py      schemas whose ids do not compare, matched by name
    merge.py              the schema of incoming data folded into that of a table
"""

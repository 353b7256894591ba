"""Two schemas side by side: what differs, and the rule that each difference falls under. No policy is known here.

In reading order:

    fields.py             pairs the fields of both schemas by id and compares each pair: start here
    type_changes.py       two types -> the rule for the change: a table
    added_and_dropped.py  fields that one of the schemas has alone: added, dropped, moved, back again
    fields_by_ids.py      the field at the end of a path of ids, in a schema, a column or a history
    table_properties.py   everything outside the fields, in its order
    keys.py               partition keys, primary keys, and keys that options name
    options.py            options, by what they decide
    attributes.py         attributes of fields: meaning, aliases, deprecation
"""

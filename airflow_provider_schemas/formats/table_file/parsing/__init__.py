"""The entries of a table file, checked one by one.

What is here, in reading order:

    read_entry        a part of a table file that has been read
    entries           the readers of single values
    accepted_rules    `accepts`: rules that may be broken on purpose
    attributes        attributes and policy, as options of the schema
    contradictions    entries that exclude each other
    unquoted_types    types that a comma without quotes has cut
"""

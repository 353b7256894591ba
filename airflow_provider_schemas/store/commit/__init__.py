"""Commits: every step that changes a table. `commit.commit` shows their order, in one function; each step is a function that it calls.

In reading order:

    commit.py             the order of a commit: list, registry, propose, check the place, create the file, or start again
    operations.py         what follows the newest version: create, evolve, apply a plan, restore. Each is one proposal
    already_done.py       requests that hold already, or that an earlier attempt with the same key has carried out
    idempotency.py        do changes hold already, by their effect? One row for each kind of change
    touched_paths.py      which changes of one batch touch the same column or option
    evaluate.py           judge a step by policy, history, contracts, waivers and data; the result is a plan with a report
    compare_data.py       compare a description with the newest files of the data that it describes
    immutable_layout.py   what can't change any more once a table holds rows
    option_effects.py     options that have no effect on this kind of table
    returning_columns.py  columns that come back with their ids, and the command lines that bring them back
    refusals.py           the error for a step that breaks something; what was let through, as a version records it
    registry_in_use.py    is the registry the one that the versions of the table name?
    new_warehouse.py      the first table makes the folders that are missing
    target.py             what a caller wants a table to be, and where the schemas of a new table lie
    manage_branches.py    create and list branches
    drop_and_rename.py    drop a table, or give it another name
    delete_versions.py    delete versions that nobody needs
    by_source/            tables that others keep: judged here, and changed by their source
    mounted/              tables that others keep: what is refused, and how an adopted table becomes one
    verify.py             compare a table with a plan that an engine has carried out
"""

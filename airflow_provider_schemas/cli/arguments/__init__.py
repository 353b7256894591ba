"""Arguments as people type them.

What is here, in reading order:

    options           the options of every command, the parser, and the types of single arguments
    outputs           --output FORMAT=FILE: verdicts in further formats
    usage_errors      what is wrong with a line, and what to type instead
    required_text     options whose text must not be empty or a placeholder
    table_name        `db.table`, `db.table@branch`, `db.table:41`
    change_options    changes of a table: texts, and options for the common ones
    times             days, clocks and spans
    location          where the data of a table lies
"""

"""Tables that others keep: what is refused, with the statements of their engines, and how an adopted table becomes one.

refusals.py      each operation that writes a table, refused with what to run instead
statements.py    changes as the statements of an engine that reaches the table
hand_over.py     put the description of a table aside that is mounted now, and keep its contracts
"""

"""Iceberg tables changed by a commit that loses nothing.

changing.py       what a mount does when a table is changed through it
commit.py         one attempt: stage, compare, send; and settle what an unclear answer leaves open
stage.py          the next schema as pyiceberg makes it, in a transaction that is never sent
iceberg_types.py  our types as pyiceberg's
compare.py        is the staged schema the one that was judged?
refusals.py       what the peer lets through, and readers cannot bear
requirements.py   what a commit asserts, and what it sends
note.py           who changed what, in the table's properties, in the same commit
settle.py         did a commit land whose answer was lost?
restore.py        the way back to an old schema
answers.py        what the exceptions of a catalog say about a commit
"""

"""Commits to tables that others keep: judged here, and carried out by the source of the table.

change.py      the commit: judge, hand the step to the source, and again where another writer was first
unbearable.py  findings about what the format of the table, or its readers, cannot bear
spelling.py    changes as those who keep the table spell them
"""

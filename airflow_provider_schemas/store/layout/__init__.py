"""Where a table lies: identifiers, and paths below the roots.

identifiers.py      the names of databases, tables, branches and teams, checked before they become parts of paths
paths.py            the paths of everything that a store keeps
"""

"""Observation: which columns of which tables a job reads, told from the plans of its frames.

observe.py         the contracts of a job: what users call
plan_trees.py      Spark's description of a plan as a tree of nodes
plan_outputs.py    what columns each step of a plan gives
plan_needs.py      what expressions need of the columns below them
plan_lineage.py    from the result of a query down to its sources
sources.py         the sources as the JVM knows them: names, folders, columns
needs.py           what is needed of a source, as the needs of a contract
"""

"""Evidence: proof from the live files of a table that a change keeps the data.

prove.py               the evidence for a plan: what users call
questions.py           what the findings of a plan ask of the data
from_footers.py        answers from footers alone
footer_statistics.py   what Parquet footers say of the values of a column
"""

"""Validation: whether the rows of a frame fit a schema or a contract.

validate.py         the order of a validation: what users call
result.py           the answer of a validation
expected.py         what is expected, in one form for schemas and contracts
form.py             the columns of a frame next to those that are expected
row_checks.py       what is asked of every row, at every level of two types
value_checks.py     whether values of one type are values of another, as SQL
count_failures.py   how many rows break each check, in one pass, and some of them
findings.py         what was found, as findings of a report
conform.py          good rows in the form that is expected
"""

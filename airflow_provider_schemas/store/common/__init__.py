"""Helpers that every part of the store uses.

arguments.py        arguments of callers, checked
author.py           who writes a version, as it is recorded
clock.py            the time
data_location.py    addresses of data that tables name
table_findings.py   findings that speak of a whole table
"""

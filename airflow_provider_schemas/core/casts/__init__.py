"""Casts: which type may become which, and what a cast does to a value.

- cast_rules: Paimon's matrix of types, and which changes lose nothing
- carriers: the Python values of each type, and how they are checked
- cast_value: the table of conversions, and the functions that cast values
- numeric, temporal, nested: the conversions themselves
- float_text, number_text, time_text, nested_text: values as text, both ways
- timezones: instants and the clocks of a zone
- python_values: carriers from and to Python's own values
"""

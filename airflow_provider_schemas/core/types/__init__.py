"""Data types: values, ids, SQL grammar and parsing.

- kinds: one row per root of a type, with its canonical text, ranges and defaults
- atomic: types without parts, and their canonical text
- nested: ARRAY, MAP, MULTISET, VECTOR and ROW, fields, and the one walk over a type
- parts: what the types of many columns are made of
- field_ids: ids of columns and nested fields
- type_tokens: the tokens of SQL text
- type_grammar: the grammar over the tokens
- parsing: types from Paimon's JSON form and from SQL text
"""

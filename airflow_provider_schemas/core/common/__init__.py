"""Helpers that every part of the core uses.

- secrets: which option keys name a secret; addresses without credentials
- text: how a message shows a value
- short_repr: how `repr` shows a value
- advice: "did you mean", and the path of an entry
- deadlines: a day or a time that users write
- strict_json: JSON, read strictly
- user_document: pydantic models of what users write, with our faults
"""

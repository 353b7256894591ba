"""The types of Spark, for every format that writes them.

- `leaves`: the types without parts, as tables in both directions
- `lacking`: the types that Spark does not have
- `ddl_text`: types as text of DDL

Formats do not import each other. The parts that `spark` and `engine_sql` both need are here.
"""

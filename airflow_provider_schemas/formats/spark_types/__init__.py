"""The types of Spark, for every format that writes them: `leaves` is the table of types, `ddl_text` writes them as DDL.

Formats do not know each other. What `spark` and `engine_sql` both need stands here.
"""

"""Spark's schema languages: the JSON of a StructType and DDL text, without importing pyspark.

`leaves` is the table of types, `struct_json` and `ddl` are the two notations over it. All answers were
compared with Spark 4.3; what it said is in tests/formats/spark/facts.jsonl.
"""

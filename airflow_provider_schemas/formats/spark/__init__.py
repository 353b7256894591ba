"""Spark's schema languages: the JSON of a StructType and DDL text, without importing pyspark.

`struct_json` and `ddl` are the two notations over the table of types in `formats/spark_types/leaves.py`. All answers were
compared with Spark 4.3; what it said is in tests/formats/spark/facts.jsonl.
"""

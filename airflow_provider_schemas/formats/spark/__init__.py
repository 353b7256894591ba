"""Spark's schema languages: the JSON of a StructType and DDL text, without importing pyspark.

- `words`: the tokens of DDL
- `ddl_reader`: the grammar of columns and types in DDL
- `ddl`: the format `spark-ddl`
- `struct_json`: the format `spark-json`

The types of both stand in `formats/spark_types/leaves.py`. All answers were compared with those of Spark 4.3, which are in
tests/formats/spark/facts.jsonl.
"""

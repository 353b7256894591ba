"""Schema changes as the ALTER statements of an engine, for tables that only the engine may change.

Each change becomes one statement that is safe to run and to paste: names and texts are quoted so that nothing in them
can end the quotes, in the parser of the engine or in its command line. A change that the engine cannot express, or
would carry out differently, is returned with the reason.

Spark and Flink change tables of Paimon; spark-iceberg and spark-delta those of Iceberg and of Delta, and trino those of both: which it is,
the attributes of the schema say.
"""

from airflow_provider_schemas.formats.engine_sql.write_statements import ENGINES, EngineSql, statements

__all__ = ["ENGINES", "EngineSql", "statements"]

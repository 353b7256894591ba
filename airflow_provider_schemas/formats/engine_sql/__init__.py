"""Schema changes as the ALTER statements of an engine, for tables that only the engine may change.

One statement a change, safe to run and to paste: names and texts are quoted so that nothing in them can end the
quotes, in the engine's parser or in its command line. What the engine cannot say, or would not do as it was
meant, is handed back with the reason.
"""

from airflow_provider_schemas.formats.engine_sql.write_statements import ENGINES, EngineSql, statements

__all__ = ["ENGINES", "EngineSql", "statements"]

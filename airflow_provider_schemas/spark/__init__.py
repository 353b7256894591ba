"""What runs inside a Spark job: no Airflow, no credentials of ours. A function is imported when asked for, pyspark when it is called."""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "assert_schema": "schema_assertion",
    "audit": "auditing.audit",
    "infer": "inference.infer",
    "observe": "observation.observe",
    "prove": "evidence.prove",
    "quarantined": "reading.bad_values",
    "read_table": "reading.read_table",
    "stamp": "writing.stamp",
    "stamp_catalog_table": "writing.stamp",
    "summarize": "auditing.summary",
    "validate": "validation.validate",
    "write_files": "writing.write_files",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.spark.auditing.audit import audit as audit
    from airflow_provider_schemas.spark.auditing.summary import summarize as summarize
    from airflow_provider_schemas.spark.evidence.prove import prove as prove
    from airflow_provider_schemas.spark.inference.infer import infer as infer
    from airflow_provider_schemas.spark.observation.observe import observe as observe
    from airflow_provider_schemas.spark.reading.bad_values import quarantined as quarantined
    from airflow_provider_schemas.spark.reading.read_table import read_table as read_table
    from airflow_provider_schemas.spark.schema_assertion import assert_schema as assert_schema
    from airflow_provider_schemas.spark.validation.validate import validate as validate
    from airflow_provider_schemas.spark.writing.stamp import stamp as stamp
    from airflow_provider_schemas.spark.writing.stamp import stamp_catalog_table as stamp_catalog_table
    from airflow_provider_schemas.spark.writing.write_files import write_files as write_files
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)

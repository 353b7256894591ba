"""What runs inside a Spark job: no Airflow, no credentials of ours; schema files are read through the session that is handed in."""

from airflow_provider_schemas.spark.door import assert_schema

__all__ = ["assert_schema"]

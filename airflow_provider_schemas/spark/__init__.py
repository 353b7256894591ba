"""What runs inside a Spark job: no Airflow, no credentials of ours; schema files are read through the session that is handed in."""

from airflow_provider_schemas.spark.door import assert_schema
from airflow_provider_schemas.spark.handed_over import KEY

__all__ = ["KEY", "assert_schema"]

"""The sensors: tasks that wait for a schema, in the triggerer by default."""

from airflow_provider_schemas import _airflow  # noqa: F401  # the first door that is opened names the range of Airflow
from airflow_provider_schemas.sensors.contract import SchemaContractSensor
from airflow_provider_schemas.sensors.version import SchemaVersionSensor

__all__ = ["SchemaContractSensor", "SchemaVersionSensor"]

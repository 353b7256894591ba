"""The triggers: what waits in the triggerer, without a worker. Light, because the triggerer imports them on its one loop.

What is here:

    version contract event               what is handed to the triggerer, as JSON: these paths are stored by Airflow and stay
    polling_trigger look *_poller        the loop, one look in a thread, what is looked at
    seen_versions                        a version that was seen, as plain values: tasks and sensors keep it like that, too
    shared_heads head_events             of tables that others keep: one look for all that wait, an event a head
"""

from airflow_provider_schemas import _airflow  # noqa: F401  # the first door that is opened names the range of Airflow
from airflow_provider_schemas.triggers.contract import SchemaContractTrigger
from airflow_provider_schemas.triggers.event import SchemaVersionEventTrigger
from airflow_provider_schemas.triggers.version import SchemaVersionTrigger

__all__ = ["SchemaContractTrigger", "SchemaVersionEventTrigger", "SchemaVersionTrigger"]

"""What runs inside a Spark job: no Airflow, no credentials of ours. A function is imported when asked for, pyspark when it is called."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "assert_schema": "door",
    "audit": "audit",
    "infer": "infer",
    "observe": "observe",
    "prove": "prove",
    "quarantined": "quarantine",
    "read_table": "reader",
    "stamp": "stamp",
    "stamp_catalog_table": "stamp",
    "summarize": "audit_summary",
    "validate": "validate",
    "write_files": "writing",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.spark.audit import audit as audit
    from airflow_provider_schemas.spark.audit_summary import summarize as summarize
    from airflow_provider_schemas.spark.door import assert_schema as assert_schema
    from airflow_provider_schemas.spark.infer import infer as infer
    from airflow_provider_schemas.spark.observe import observe as observe
    from airflow_provider_schemas.spark.prove import prove as prove
    from airflow_provider_schemas.spark.quarantine import quarantined as quarantined
    from airflow_provider_schemas.spark.reader import read_table as read_table
    from airflow_provider_schemas.spark.stamp import stamp as stamp
    from airflow_provider_schemas.spark.stamp import stamp_catalog_table as stamp_catalog_table
    from airflow_provider_schemas.spark.validate import validate as validate
    from airflow_provider_schemas.spark.writing import write_files as write_files
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)


class _Door(ModuleType):
    """This package. A module that bears the name of a function, such as `audit`, does not take its place here when it is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _MODULES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Door

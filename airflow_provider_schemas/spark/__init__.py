"""What runs inside a Spark job: no Airflow, no credentials of ours. A function is imported when asked for, pyspark when it is called."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow_provider_schemas.spark.audit import audit
    from airflow_provider_schemas.spark.audit_summary import summarize
    from airflow_provider_schemas.spark.door import assert_schema
    from airflow_provider_schemas.spark.infer import infer
    from airflow_provider_schemas.spark.observe import observe
    from airflow_provider_schemas.spark.prove import prove
    from airflow_provider_schemas.spark.quarantine import quarantined
    from airflow_provider_schemas.spark.reader import read_table
    from airflow_provider_schemas.spark.stamp import stamp, stamp_catalog_table
    from airflow_provider_schemas.spark.validate import validate
    from airflow_provider_schemas.spark.writing import write_files

__all__ = [
    "assert_schema",
    "audit",
    "infer",
    "observe",
    "prove",
    "quarantined",
    "read_table",
    "stamp",
    "stamp_catalog_table",
    "summarize",
    "validate",
    "write_files",
]

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


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__


class _Door(ModuleType):
    """This package. A module that bears the name of a function, such as `audit`, does not take its place here when it is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _MODULES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Door

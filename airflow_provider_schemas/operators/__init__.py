"""The operators: what changes tables, looks at data, and stops a task before a table breaks it. Each is imported when asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported

if TYPE_CHECKING:
    from airflow_provider_schemas.operators.approval import SchemaApprovalOperator
    from airflow_provider_schemas.operators.create import SchemaCreateOperator
    from airflow_provider_schemas.operators.decorated import schema_gate
    from airflow_provider_schemas.operators.evolution import schema_evolution
    from airflow_provider_schemas.operators.evolve import SchemaEvolveOperator
    from airflow_provider_schemas.operators.gate import SchemaGateOperator
    from airflow_provider_schemas.operators.guard import SchemaGuard, schema_guard
    from airflow_provider_schemas.operators.inlets import guard_by_inlets
    from airflow_provider_schemas.operators.restore import SchemaRestoreOperator
    from airflow_provider_schemas.operators.spark_audit import SparkSchemaAuditOperator
    from airflow_provider_schemas.operators.spark_infer import SparkInferSchemaOperator
    from airflow_provider_schemas.operators.spark_validate import SparkValidateDataOperator
    from airflow_provider_schemas.operators.validate import SchemaValidateOperator

__all__ = [
    "SchemaApprovalOperator",
    "SchemaCreateOperator",
    "SchemaEvolveOperator",
    "SchemaGateOperator",
    "SchemaGuard",
    "SchemaRestoreOperator",
    "SchemaValidateOperator",
    "SparkInferSchemaOperator",
    "SparkSchemaAuditOperator",
    "SparkValidateDataOperator",
    "guard_by_inlets",
    "schema_evolution",
    "schema_gate",
    "schema_guard",
]

_MODULES = {
    "SchemaApprovalOperator": "approval",
    "SchemaCreateOperator": "create",
    "SchemaEvolveOperator": "evolve",
    "SchemaGateOperator": "gate",
    "SchemaGuard": "guard",
    "SchemaRestoreOperator": "restore",
    "SchemaValidateOperator": "validate",
    "SparkInferSchemaOperator": "spark_infer",
    "SparkSchemaAuditOperator": "spark_audit",
    "SparkValidateDataOperator": "spark_validate",
    "guard_by_inlets": "inlets",
    "schema_evolution": "evolution",
    "schema_gate": "decorated",
    "schema_guard": "guard",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__

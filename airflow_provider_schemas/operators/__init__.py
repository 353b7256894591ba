"""The operators: what changes tables, looks at data, and stops a task before a table breaks it. Each is imported when asked for.

What is here:

    gate decorated                       the gate; a gate whose needs a function says
    guard fleet_guard                    the gate on any task, and on all tasks of a fleet
    create validate evolve restore verify   what changes tables, or looks at a change; change_base is shared
    approval evolution                   asking people; the group that plans, asks, applies, verifies
    spark_validate spark_infer spark_audit  looking at data; spark_base is what they share
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported
from airflow_provider_schemas._lazy import lazy_names

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
    "guard_by_inlets": "fleet_guard",
    "schema_evolution": "evolution",
    "schema_gate": "decorated",
    "schema_guard": "guard",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.operators.approval import SchemaApprovalOperator as SchemaApprovalOperator
    from airflow_provider_schemas.operators.create import SchemaCreateOperator as SchemaCreateOperator
    from airflow_provider_schemas.operators.decorated import schema_gate as schema_gate
    from airflow_provider_schemas.operators.evolution import schema_evolution as schema_evolution
    from airflow_provider_schemas.operators.evolve import SchemaEvolveOperator as SchemaEvolveOperator
    from airflow_provider_schemas.operators.fleet_guard import guard_by_inlets as guard_by_inlets
    from airflow_provider_schemas.operators.gate import SchemaGateOperator as SchemaGateOperator
    from airflow_provider_schemas.operators.guard import SchemaGuard as SchemaGuard
    from airflow_provider_schemas.operators.guard import schema_guard as schema_guard
    from airflow_provider_schemas.operators.restore import SchemaRestoreOperator as SchemaRestoreOperator
    from airflow_provider_schemas.operators.spark_audit import SparkSchemaAuditOperator as SparkSchemaAuditOperator
    from airflow_provider_schemas.operators.spark_infer import SparkInferSchemaOperator as SparkInferSchemaOperator
    from airflow_provider_schemas.operators.spark_validate import SparkValidateDataOperator as SparkValidateDataOperator
    from airflow_provider_schemas.operators.validate import SchemaValidateOperator as SchemaValidateOperator
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)

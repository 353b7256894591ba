"""The language of schemas and their judge: types, changes, casts, rules, policies, contracts, plans. Values and pure functions."""

from airflow_provider_schemas.core.casts.cast_rules import cast_support
from airflow_provider_schemas.core.casts.cast_value import Timestamp, cast_value, from_python, to_python
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import (
    AddColumn,
    DropColumn,
    DropPrimaryKey,
    Move,
    MoveType,
    RemoveOption,
    RenameColumn,
    SchemaChange,
    SetOption,
    UpdateColumnComment,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
    UpdateColumnPosition,
    UpdateColumnType,
    UpdateComment,
    set_attributes,
)
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.compatibility.version_chain import rewound, successor, unmutated
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.engines.readers import READERS, outcomes, readable
from airflow_provider_schemas.core.evolution.diff import Diff, diff
from airflow_provider_schemas.core.evolution.evolve import evolve
from airflow_provider_schemas.core.evolution.merge import merge, merge_type
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.projection.projection import Projection, project
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.table_options import IMMUTABLE_OPTIONS, OPTION_SWITCHES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, AtomicType, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import (
    ArrayType,
    Field,
    MapType,
    MultisetType,
    RowType,
    VectorType,
    array,
    field,
    map_of,
    multiset,
    row,
    vector,
)
from airflow_provider_schemas.core.types.parsing import parse_ddl, parse_type
from airflow_provider_schemas.core.validation.validity import validity

__all__ = [
    "BYTES",
    "IMMUTABLE_OPTIONS",
    "OPTION_SWITCHES",
    "READERS",
    "STRING",
    "AddColumn",
    "ArrayType",
    "AtomicType",
    "Contract",
    "DataType",
    "Diff",
    "DropColumn",
    "DropPrimaryKey",
    "Evidence",
    "Field",
    "Finding",
    "MapType",
    "Move",
    "MoveType",
    "MultisetType",
    "Plan",
    "Policy",
    "Projection",
    "Provenance",
    "RemoveOption",
    "RenameColumn",
    "Report",
    "Root",
    "RowType",
    "SchemaChange",
    "SetOption",
    "TableSchema",
    "Timestamp",
    "UpdateColumnComment",
    "UpdateColumnDefaultValue",
    "UpdateColumnNullability",
    "UpdateColumnPosition",
    "UpdateColumnType",
    "UpdateComment",
    "VectorType",
    "Version",
    "array",
    "atomic",
    "cast_support",
    "cast_value",
    "check",
    "check_contract",
    "diff",
    "evolve",
    "field",
    "from_python",
    "map_of",
    "merge",
    "merge_type",
    "multiset",
    "outcomes",
    "parse_changes",
    "parse_ddl",
    "parse_type",
    "project",
    "readable",
    "rewound",
    "row",
    "set_attributes",
    "short_text",
    "successor",
    "to_python",
    "unmutated",
    "validity",
    "vector",
]

"""The language of schemas and their judge: types, changes, casts, rules, policies, contracts, plans. Values and pure functions."""

from airflow_provider_schemas.core.atoms import BYTES, STRING, AtomicType, DataType, atomic
from airflow_provider_schemas.core.casts import cast_support
from airflow_provider_schemas.core.change_reader import parse_changes
from airflow_provider_schemas.core.change_text import short_text
from airflow_provider_schemas.core.changes import (
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
from airflow_provider_schemas.core.compatibility import check
from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.core.diff import Diff, diff
from airflow_provider_schemas.core.evidence import Evidence
from airflow_provider_schemas.core.evolve import evolve
from airflow_provider_schemas.core.fitting import check_contract
from airflow_provider_schemas.core.kinds import Root
from airflow_provider_schemas.core.merge import merge, merge_type
from airflow_provider_schemas.core.notation import parse_ddl, parse_type
from airflow_provider_schemas.core.options import IMMUTABLE_OPTIONS, OPTION_SWITCHES
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policy import Policy
from airflow_provider_schemas.core.projection import Projection, project
from airflow_provider_schemas.core.readers import READERS, outcomes, readable
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.succession import rewound, successor, unmutated
from airflow_provider_schemas.core.types import (
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
from airflow_provider_schemas.core.validity import validity
from airflow_provider_schemas.core.values import Timestamp, cast_value, from_python, to_python
from airflow_provider_schemas.core.version import Provenance, Version

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

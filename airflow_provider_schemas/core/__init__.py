"""The language of schemas and their judge: types, changes, casts, rules, policies, contracts, plans. Values and pure functions.

From the top to the ground:

    plan.py            what is to become of a table, on which version: what an approval approves
    blame/             who changed which column since when; who reads it; which readers fit which versions
    compatibility/     two schemas, two versions: a report. Findings, old data, broken contracts, fixes
    comparison/        what differs, before any policy; which rule speaks of two types: data
    contracts/         what a job needs, and whether a schema fits
    evolution/         the next schema; the changes between two schemas; merging
    policies/          what is protected and how severe a finding is; what is known about live files
    report_json.py     reports as JSON
    validation/        what a schema must fulfil, a module a subject
    rules.py           the catalogue of rules: data
    data_finding.py    a finding about rows
    report.py          what a check found
    changes/           one atomic edit: value, text, paths, without secrets
    engines/           what each engine makes of old files: data, measured
    projection/        old rows read as new
    casts/             which type may become which: data; and what a cast does to a value
    schema/            a table's schema, its versions, its file, its options
    difference.py      a rule and a path: what was seen to differ
    types/             immutable values of data types, ids, SQL grammar
    common/            texts, secrets, strict JSON, deadlines
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "AddColumn": "changes.schema_change",
    "ArrayType": "types.nested",
    "AtomicType": "types.atomic",
    "BYTES": "types.atomic",
    "Contract": "contracts.contract",
    "DataType": "types.atomic",
    "Diff": "evolution.diff",
    "DropColumn": "changes.schema_change",
    "DropPrimaryKey": "changes.schema_change",
    "Evidence": "policies.evidence",
    "Field": "types.nested",
    "Finding": "report",
    "IMMUTABLE_OPTIONS": "schema.table_options",
    "MapType": "types.nested",
    "Move": "changes.schema_change",
    "MoveType": "changes.schema_change",
    "MultisetType": "types.nested",
    "OPTION_SWITCHES": "schema.table_options",
    "Plan": "plan",
    "Policy": "policies.policy",
    "Projection": "projection.projection",
    "Provenance": "schema.version",
    "READERS": "engines.readers",
    "RemoveOption": "changes.schema_change",
    "RenameColumn": "changes.schema_change",
    "Report": "report",
    "Root": "types.kinds",
    "RowType": "types.nested",
    "STRING": "types.atomic",
    "SchemaChange": "changes.schema_change",
    "SetOption": "changes.schema_change",
    "TableSchema": "schema.table_schema",
    "Timestamp": "casts.cast_value",
    "UpdateColumnComment": "changes.schema_change",
    "UpdateColumnDefaultValue": "changes.schema_change",
    "UpdateColumnNullability": "changes.schema_change",
    "UpdateColumnPosition": "changes.schema_change",
    "UpdateColumnType": "changes.schema_change",
    "UpdateComment": "changes.schema_change",
    "VectorType": "types.nested",
    "Version": "schema.version",
    "array": "types.nested",
    "atomic": "types.atomic",
    "cast_support": "casts.cast_rules",
    "cast_value": "casts.cast_value",
    "check": "compatibility.check",
    "check_contract": "contracts.check_contract",
    "diff": "evolution.diff",
    "evolve": "evolution.evolve",
    "field": "types.nested",
    "from_python": "casts.cast_value",
    "map_of": "types.nested",
    "merge": "evolution.merge",
    "merge_type": "evolution.merge",
    "multiset": "types.nested",
    "outcomes": "engines.readers",
    "parse_changes": "changes.parse",
    "parse_ddl": "types.parsing",
    "parse_type": "types.parsing",
    "project": "projection.projection",
    "readable": "engines.readers",
    "rewound": "compatibility.version_chain",
    "row": "types.nested",
    "set_attributes": "changes.schema_change",
    "short_text": "changes.short_text",
    "successor": "compatibility.version_chain",
    "to_python": "casts.cast_value",
    "unmutated": "compatibility.version_chain",
    "validity": "validation.validity",
    "vector": "types.nested",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.core.casts.cast_rules import cast_support as cast_support
    from airflow_provider_schemas.core.casts.cast_value import Timestamp as Timestamp
    from airflow_provider_schemas.core.casts.cast_value import cast_value as cast_value
    from airflow_provider_schemas.core.casts.cast_value import from_python as from_python
    from airflow_provider_schemas.core.casts.cast_value import to_python as to_python
    from airflow_provider_schemas.core.changes.parse import parse_changes as parse_changes
    from airflow_provider_schemas.core.changes.schema_change import AddColumn as AddColumn
    from airflow_provider_schemas.core.changes.schema_change import DropColumn as DropColumn
    from airflow_provider_schemas.core.changes.schema_change import DropPrimaryKey as DropPrimaryKey
    from airflow_provider_schemas.core.changes.schema_change import Move as Move
    from airflow_provider_schemas.core.changes.schema_change import MoveType as MoveType
    from airflow_provider_schemas.core.changes.schema_change import RemoveOption as RemoveOption
    from airflow_provider_schemas.core.changes.schema_change import RenameColumn as RenameColumn
    from airflow_provider_schemas.core.changes.schema_change import SchemaChange as SchemaChange
    from airflow_provider_schemas.core.changes.schema_change import SetOption as SetOption
    from airflow_provider_schemas.core.changes.schema_change import UpdateColumnComment as UpdateColumnComment
    from airflow_provider_schemas.core.changes.schema_change import UpdateColumnDefaultValue as UpdateColumnDefaultValue
    from airflow_provider_schemas.core.changes.schema_change import UpdateColumnNullability as UpdateColumnNullability
    from airflow_provider_schemas.core.changes.schema_change import UpdateColumnPosition as UpdateColumnPosition
    from airflow_provider_schemas.core.changes.schema_change import UpdateColumnType as UpdateColumnType
    from airflow_provider_schemas.core.changes.schema_change import UpdateComment as UpdateComment
    from airflow_provider_schemas.core.changes.schema_change import set_attributes as set_attributes
    from airflow_provider_schemas.core.changes.short_text import short_text as short_text
    from airflow_provider_schemas.core.compatibility.check import check as check
    from airflow_provider_schemas.core.compatibility.version_chain import rewound as rewound
    from airflow_provider_schemas.core.compatibility.version_chain import successor as successor
    from airflow_provider_schemas.core.compatibility.version_chain import unmutated as unmutated
    from airflow_provider_schemas.core.contracts.check_contract import check_contract as check_contract
    from airflow_provider_schemas.core.contracts.contract import Contract as Contract
    from airflow_provider_schemas.core.engines.readers import READERS as READERS
    from airflow_provider_schemas.core.engines.readers import outcomes as outcomes
    from airflow_provider_schemas.core.engines.readers import readable as readable
    from airflow_provider_schemas.core.evolution.diff import Diff as Diff
    from airflow_provider_schemas.core.evolution.diff import diff as diff
    from airflow_provider_schemas.core.evolution.evolve import evolve as evolve
    from airflow_provider_schemas.core.evolution.merge import merge as merge
    from airflow_provider_schemas.core.evolution.merge import merge_type as merge_type
    from airflow_provider_schemas.core.plan import Plan as Plan
    from airflow_provider_schemas.core.policies.evidence import Evidence as Evidence
    from airflow_provider_schemas.core.policies.policy import Policy as Policy
    from airflow_provider_schemas.core.projection.projection import Projection as Projection
    from airflow_provider_schemas.core.projection.projection import project as project
    from airflow_provider_schemas.core.report import Finding as Finding
    from airflow_provider_schemas.core.report import Report as Report
    from airflow_provider_schemas.core.schema.table_options import IMMUTABLE_OPTIONS as IMMUTABLE_OPTIONS
    from airflow_provider_schemas.core.schema.table_options import OPTION_SWITCHES as OPTION_SWITCHES
    from airflow_provider_schemas.core.schema.table_schema import TableSchema as TableSchema
    from airflow_provider_schemas.core.schema.version import Provenance as Provenance
    from airflow_provider_schemas.core.schema.version import Version as Version
    from airflow_provider_schemas.core.types.atomic import BYTES as BYTES
    from airflow_provider_schemas.core.types.atomic import STRING as STRING
    from airflow_provider_schemas.core.types.atomic import AtomicType as AtomicType
    from airflow_provider_schemas.core.types.atomic import DataType as DataType
    from airflow_provider_schemas.core.types.atomic import atomic as atomic
    from airflow_provider_schemas.core.types.kinds import Root as Root
    from airflow_provider_schemas.core.types.nested import ArrayType as ArrayType
    from airflow_provider_schemas.core.types.nested import Field as Field
    from airflow_provider_schemas.core.types.nested import MapType as MapType
    from airflow_provider_schemas.core.types.nested import MultisetType as MultisetType
    from airflow_provider_schemas.core.types.nested import RowType as RowType
    from airflow_provider_schemas.core.types.nested import VectorType as VectorType
    from airflow_provider_schemas.core.types.nested import array as array
    from airflow_provider_schemas.core.types.nested import field as field
    from airflow_provider_schemas.core.types.nested import map_of as map_of
    from airflow_provider_schemas.core.types.nested import multiset as multiset
    from airflow_provider_schemas.core.types.nested import row as row
    from airflow_provider_schemas.core.types.nested import vector as vector
    from airflow_provider_schemas.core.types.parsing import parse_ddl as parse_ddl
    from airflow_provider_schemas.core.types.parsing import parse_type as parse_type
    from airflow_provider_schemas.core.validation.validity import validity as validity
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)

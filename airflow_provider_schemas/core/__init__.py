"""The language of schemas and their judge: types, changes, casts, rules, policies, contracts, plans. Values and pure functions."""

from airflow_provider_schemas.core.atoms import DataType
from airflow_provider_schemas.core.casts import cast_support
from airflow_provider_schemas.core.change_reader import parse_changes
from airflow_provider_schemas.core.change_text import short_text
from airflow_provider_schemas.core.compatibility import check
from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.core.diff import Diff, diff
from airflow_provider_schemas.core.evidence import Evidence
from airflow_provider_schemas.core.evolve import evolve
from airflow_provider_schemas.core.fitting import check_contract
from airflow_provider_schemas.core.merge import merge, merge_type
from airflow_provider_schemas.core.notation import parse_ddl, parse_type
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policy import Policy
from airflow_provider_schemas.core.projection import Projection, project
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.types import Field
from airflow_provider_schemas.core.validity import validity
from airflow_provider_schemas.core.values import Timestamp, cast_value, from_python, to_python
from airflow_provider_schemas.core.version import Provenance, Version

__all__ = [
    "Contract",
    "DataType",
    "Diff",
    "Evidence",
    "Field",
    "Finding",
    "Plan",
    "Policy",
    "Projection",
    "Provenance",
    "Report",
    "TableSchema",
    "Timestamp",
    "Version",
    "cast_support",
    "cast_value",
    "check",
    "check_contract",
    "diff",
    "evolve",
    "from_python",
    "merge",
    "merge_type",
    "parse_changes",
    "parse_ddl",
    "parse_type",
    "project",
    "short_text",
    "to_python",
    "validity",
]

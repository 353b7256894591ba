"""The part of a verdict about a stored table that its data decide, and what the verdict rests on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.policy import Policy
    from airflow_provider_schemas.store.table import Table


def with_data(
    report: Report, operand: Operand, contract: "Contract | None", policy: "Policy | None", jobs: "Sequence[Contract]" = ()
) -> Report:
    """Return the report with findings about the data of a stored table; the report of a file stays unchanged."""
    if operand.table is None or operand.version is None:
        return report
    from airflow_provider_schemas.store import check_data

    return check_data.with_data(report, operand.table, operand.version, contract, policy=policy, jobs=jobs)


def with_data_after(plan: Plan, report: Report, table: "Table", policy: "Policy | None") -> Report:
    """Return the report about a plan with findings about the data, as the schema after the plan reads it."""
    from airflow_provider_schemas.store import check_data

    version = table.latest()
    if not plan.unchanged:
        version = Version.read(plan.result.to_json().encode(), version.number + 1, version.branch)
    return check_data.with_data(report, table, version, None, policy=policy)


def without_data(report: Report, table: "Table") -> Report:
    """Return the report about a step with a note that it rests on the two schemas and on no data."""
    from airflow_provider_schemas.store import check_data

    return check_data.resting(report, check_data.kept_here(table))

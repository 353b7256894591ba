"""What the data of a stored table add to a verdict about its schema, and what the verdict rests on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.policy import Policy
    from airflow_provider_schemas.store.table import Table


def with_data(
    report: Report, operand: Thing, contract: "Contract | None", policy: "Policy | None", jobs: "Sequence[Contract]" = ()
) -> Report:
    """Return the report, with what the data of a stored table say; the report of a file stays as it is."""
    if operand.table is None or operand.version is None:
        return report
    from airflow_provider_schemas.store import check_data

    return check_data.with_data(report, operand.table, operand.version, contract, policy=policy, jobs=jobs)


def of_planned(report: Report, table: "Table", plan: Plan, policy: "Policy | None") -> Report:
    """Return the report about a plan, with what the data say about what the table is after it."""
    from airflow_provider_schemas.store import check_data

    head = table.latest()
    planned = head if plan.unchanged else Version.read(plan.result.to_json().encode(), head.number + 1, head.branch)
    return check_data.with_data(report, table, planned, None, policy=policy)


def of_schemas(report: Report, table: "Table") -> Report:
    """Return the report about a step, which rests on the two schemas and on no data."""
    from airflow_provider_schemas.store import check_data

    return check_data.resting(report, check_data.kept_here(table))

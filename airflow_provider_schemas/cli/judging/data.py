"""What the data of a stored table add to a verdict about its schema, and what the verdict rests on."""

from typing import TYPE_CHECKING

from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table


def with_data(report: Report, operand: Thing, contract: Contract | None, policy: Policy | None) -> Report:
    """Return the report, with what the data of a stored table say; the report of a file stays as it is."""
    if operand.table is None or operand.version is None:
        return report
    from airflow_provider_schemas.store import check_data

    return check_data.with_data(report, operand.table, operand.version, contract, policy=policy)


def of_newest(report: Report, table: "Table", policy: Policy | None) -> Report:
    """Return the report about a step from the newest version, with what the data say about that version."""
    from airflow_provider_schemas.store import check_data

    return check_data.with_data(report, table, table.latest(), None, policy=policy)

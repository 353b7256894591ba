"""The arguments of tasks about rows, read out of templates; the table may be what a gate has seen of it."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.gate_handover import Checked, handed_over
from airflow_provider_schemas.store.layout.identifiers import MAIN, table_name
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change.target import read_options
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.gate.requirements import read_needs
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

_ONE_TABLE = 'Gate this table alone, or pass its part of the verdict: {"shop.orders": verdict["tables"]["shop.orders"]}.'
_MAX_DIGITS = 9


class DataSubject(Struct, frozen=True):
    """The table that a task is about, and the version of it, if one is meant."""

    table: str = ""
    branch: str = ""
    version: int | None = None
    digest: str = ""


class RowsTask(Protocol):
    """A task that may be about other rows than those of a table."""

    path: str
    file_format: str
    options: Value
    sql: str


def read_subject(table: Value, branch: Value, version: Value = NOT_SAID) -> DataSubject:
    """Read the table by its name; or out of the verdict of a gate, or a part of that, which means the version that was checked."""
    given = template_values.parse_value(table, "table")
    named_branch = template_values.read_text(branch, "branch")
    number = template_values.read_version_number(version, "version")
    if not template_values.is_given(given, "table"):
        return DataSubject(branch=named_branch, version=number)
    if not isinstance(given, Mapping):
        return DataSubject(str(table_name(template_values.read_text(given, "table"))), named_branch, number)
    name, checked = _read_verdict(given)
    if number is not None or (named_branch and named_branch != checked.branch):
        message = "a verdict says which version of which branch was checked."
        argument = "branch" if number is None else "version"
        raise template_values.argument_error(message, argument, "Leave it out, or pass the name of the table.")
    return DataSubject(name, "" if checked.branch == MAIN else checked.branch, checked.version, checked.digest)


def _read_verdict(verdict: Mapping[Any, Any]) -> tuple[str, Checked]:
    """Return the one table of a verdict, and what was checked of it."""
    tables = handed_over(None, verdict)
    if len(tables) > 1:
        message = f"the verdict is about {len(tables)} tables, and one is meant."
        raise ContractError(message, code="task.argument", path="table", fix=_ONE_TABLE)
    return next(iter(tables.items()))


def read_contract_text(value: Value, table: str, run: Run, conn_id: str = "") -> str:
    """Return a contract as JSON; empty if it is left out. Its forms are those of a gate, except a registered one."""
    if not template_values.is_given(value, "contract"):
        return ""
    if not table:
        raise template_values.argument_error(
            "which table the contract is about is not said.", "table", "Pass table='db.table'; it need not be there."
        )
    contract = read_needs({table: value}, "contract", folder=FilePlaces.of(run, conn_id))[table]
    if not isinstance(contract, Contract):
        raise template_values.argument_error(
            "it is no contract.", "contract", "Write columns as SQL text, a list of names, a mapping, or a path."
        )
    return contract.model_dump_json()


def read_rows_arguments(operator: RowsTask) -> dict[str, Any]:
    """Return which rows are meant: files, a query, or none but those of the table."""
    return {
        "path": template_values.read_text(operator.path, "path"),
        "file_format": template_values.read_text(operator.file_format, "file_format"),
        "options": read_options(operator.options, "options"),
        "sql": template_values.read_text(operator.sql, "sql"),
    }


def read_count(value: Value, argument: str, default: int | None) -> int | None:
    """Return a number of things; the default if it is left out."""
    given = value
    if isinstance(value, str):
        given = value.strip()
    if not template_values.is_given(given, argument):
        return default
    number = template_values.whole_number(given, _MAX_DIGITS)
    if number is None:
        fix = "Pass a whole number that is not negative, or leave it out."
        raise template_values.argument_error(f"{shown(given)} is no number.", argument, fix)
    return number


def read_minimum(value: Value, argument: str) -> int:
    """Return how many things there must be. An empty template is refused: without the number, nothing would be checked."""
    if template_values.is_empty(value):
        raise template_values.argument_error("nothing is said.", argument, "Pass a whole number; 0 if any number will do.")
    return read_count(value, argument, 0) or 0

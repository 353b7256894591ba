"""What a task asks a Spark job about rows: its arguments out of templates, and the table, which may be what a gate has seen of it."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.gate_handover import Checked, handed_over
from airflow_provider_schemas.store.layout.identifiers import MAIN, table_name
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import target
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.gate.requirements import needs_of
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

_ONE = 'Gate this table alone, or pass its part of the verdict: {"shop.orders": verdict["tables"]["shop.orders"]}.'


class Subject(Struct, frozen=True):
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


def subject_of(table: Any, branch: Any, version: Any = NOT_SAID) -> Subject:
    """The table by its name; or as a gate has seen it, in its verdict or in a part of that: then its version is meant, and no other."""
    said = template_values.loaded(table, "table")
    asked, number = template_values.text(branch, "branch"), template_values.number(version, "version")
    if not template_values.is_said(said, "table"):
        return Subject(branch=asked, version=number)
    if not isinstance(said, Mapping):
        return Subject(str(table_name(template_values.text(said, "table"))), asked, number)
    name, seen = _seen(said)
    if number is not None or (asked and asked != seen.branch):
        message = "a verdict says which version of which branch was checked."
        raise template_values.refused(
            message, "version" if number is not None else "branch", "Leave it out, or pass the name of the table."
        )
    return Subject(name, "" if seen.branch == MAIN else seen.branch, seen.version, seen.digest)


def _seen(said: Mapping[Any, Any]) -> tuple[str, Checked]:
    found = handed_over(None, said)
    if len(found) > 1:
        message = f"the verdict is about {len(found)} tables, and one is meant."
        raise ContractError(message, code="task.argument", path="table", fix=_ONE)
    return next(iter(found.items()))


def contract_of(value: Any, table: str, run: Run, conn_id: str = "") -> str:
    """A contract as JSON; empty if none is said. Its forms are those of a gate, but for what is registered."""
    if not template_values.is_said(value, "contract"):
        return ""
    if not table:
        raise template_values.refused(
            "which table the contract is about is not said.", "table", "Pass table='db.table'; it need not be there."
        )
    found = needs_of({table: value}, "contract", folder=FilePlaces.of(run, conn_id))[table]
    if not isinstance(found, Contract):
        raise template_values.refused("it is no contract.", "contract", "Write columns as SQL text, a list of names, a mapping, or a path.")
    return found.model_dump_json()


def rows_of(operator: RowsTask) -> dict[str, Any]:
    """Which rows are meant: files, a query, or none but those of the table."""
    return {
        "path": template_values.text(operator.path, "path"),
        "file_format": template_values.text(operator.file_format, "file_format"),
        "options": target.options_of(operator.options, "options"),
        "sql": template_values.text(operator.sql, "sql"),
    }


def count_of(value: Any, argument: str, default: int | None) -> int | None:
    """A number of things; the default if nothing was said."""
    said = value.strip() if isinstance(value, str) else value
    if not template_values.is_said(said, argument):
        return default
    if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) <= 9:
        return int(said)
    if isinstance(said, int) and not isinstance(said, bool) and said >= 0:
        return said
    raise template_values.refused(f"{shown(said)} is no number.", argument, "Pass a whole number that is not negative, or leave it out.")


def least_of(value: Any, argument: str) -> int:
    """A number of things that there must be. A template that left nothing behind is refused: without the number, nothing would be asked."""
    if template_values.is_nothing(value):
        raise template_values.refused("nothing is said.", argument, "Pass a whole number; 0 if any number will do.")
    return count_of(value, argument, 0) or 0

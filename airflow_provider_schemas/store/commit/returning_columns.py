"""Columns that were dropped and are to come back with their ids, so that their old values are theirs again; and the lines that do it."""

from collections.abc import Sequence
from shlex import quote
from typing import Final

import msgspec

from airflow_provider_schemas.core.changes.schema_change import RenameColumn
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.history import newest_first
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema, attribute_key
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ChangeError, ColumnNotFoundError, Fault
from airflow_provider_schemas.store.versions.past import Past

_READDED: Final = "FIELD_READDED"
_NEW_NAME: Final = "Use a new name, if it is another thing."


def with_columns(head: TableSchema, old: Version, names: Sequence[str]) -> TableSchema:
    """The newest schema, with these columns of an old version behind its own; each may be NULL, for newer rows have no value of it.

    What is there already, under its id and name, is not added again. All that stands in the way is told at once.
    """
    found: list[Field] = []
    faults: list[Fault] = []
    unknown: list[Fault] = []
    for name in dict.fromkeys(names):
        field = old.schema.field(name)
        if field is None:
            unknown.append(_unknown(name, old))
            continue
        fault = _in_the_way(head, field)
        if fault is not None:
            faults.append(fault)
        elif head.column(field.id) is None:
            found.append(field.with_type(field.type.with_nullable(True)))
    if unknown:
        raise ColumnNotFoundError.of([*unknown, *faults])
    if faults:
        raise ChangeError.of(faults)
    keys = [attribute_key(field.id) for field in found]
    attributes = {key: old.schema.options[key] for key in keys if key in old.schema.options}
    return msgspec.structs.replace(head, fields=(*head.fields, *found), options=Options({**head.options, **attributes}))


def _unknown(name: str, old: Version) -> Fault:
    message = f"version {old.number} has no column {shown(name)}."
    return Fault(ColumnNotFoundError.default_code, name, message, f"It has {', '.join(old.schema.names[:10])}.")


def _in_the_way(head: TableSchema, field: Field) -> Fault | None:
    """Why a column cannot come back under its name, and what comes first."""
    now, other = head.column(field.id), head.field(field.name)
    if now is not None and now.name != field.name:
        message = f"{shown(field.name)} is not gone: it is called {shown(now.name)} now."
        return Fault("restore.renamed", field.name, message, f"Rename it: {short_text(RenameColumn((now.name,), field.name))}.")
    if now is None and other is not None:
        message = f"{shown(field.name)} is the name of field {other.id} now, and the old column is field {field.id}."
        return Fault("restore.name-taken", field.name, message, "Give the new column another name first, or drop it.")
    return None


# ---------------------------------------------------------------- remedies


def with_remedies(report: Report, table: str, head: Version, past: Past) -> Report:
    """The report; a name that returns under a new id is told with the lines that bring the old column back."""
    if all(finding.rule != _READDED for finding in report.findings):
        return report
    findings = tuple(_with_remedy(finding, table, head, past) for finding in report.findings)
    return msgspec.structs.replace(report, findings=findings)


def _with_remedy(finding: Finding, table: str, head: Version, past: Past) -> Finding:
    number = finding.old.partition(" ")[0]
    if finding.rule != _READDED or not number.isdecimal():
        return finding
    there = head.schema.column(int(number))
    remedy = _remedy_of_past(int(number), table, past) if there is None else _remedy_of_head(there, finding.path, table)
    return msgspec.structs.replace(finding, fix=f"{_NEW_NAME} {remedy}") if remedy else finding


def _remedy_of_past(number: int, table: str, past: Past) -> str:
    """What to do if the old column is meant; empty for a field inside of a column."""
    states = newest_first(past.history.column(number))
    if not states:
        return ""
    line = f"airflow-schemas restore --column {quote(states[0].field.name)} {quote(table)} {states[0].numbers[-1]}"
    return f"If the old column is meant, leave this change out and run `{line}`: it comes back with its id and its values."


def _remedy_of_head(there: Field, name: str, table: str) -> str:
    """What to do if a column is meant that is still there."""
    if there.name == name:
        return f"If the column that is there is meant, drop and add nothing: {shown(name)} keeps its id where only its type changes."
    line = f"airflow-schemas evolve --rename {quote(f'{there.name}:{name}')} {quote(table)}"
    return f"If the old column is meant, leave this change out: it is called {shown(there.name)} now, and `{line}` names it back."

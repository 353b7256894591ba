"""Columns that were dropped and are to come back with their ids and so with their old values; and the command lines that do it."""

from collections.abc import Callable, Sequence
from shlex import quote
from typing import Final

import msgspec

from airflow_provider_schemas.core.changes.schema_change import RenameColumn
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.history import newest_first
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ChangeError, ColumnNotFoundError, Fault
from airflow_provider_schemas.store.versions.past import EarlierVersions

_READDED: Final = "FIELD_READDED"
_NEW_NAME: Final = "Use a new name, if it is another thing."
_ANOTHER_NAME: Final = "Give it another name, if it is another thing."


def with_columns(head: TableSchema, old: Version, names: Sequence[str], past: EarlierVersions) -> TableSchema:
    """Return the newest schema with these columns of an old version behind its own; each may be NULL, for newer rows have no value.

    A column that is there already, under its id and name, is not added again. The error names all faults at once.
    """
    returning: list[Field] = []
    faults: list[Fault] = []
    unknown: list[Fault] = []
    for name in dict.fromkeys(names):
        field = old.schema.field(name)
        if field is None:
            unknown.append(_unknown(name, old, past))
            continue
        fault = _in_the_way(head, field)
        if fault is not None:
            faults.append(fault)
        elif head.column(field.id) is None:
            returning.append(field.with_type(field.type.with_nullable(True)))
    if unknown:
        raise ColumnNotFoundError.of([*unknown, *faults])
    if faults:
        raise ChangeError.of(faults)
    keys = [attribute_key(field.id) for field in returning]
    attributes = {key: old.schema.options[key] for key in keys if key in old.schema.options}
    return msgspec.structs.replace(head, fields=(*head.fields, *returning), options=Options({**head.options, **attributes}))


def _unknown(name: str, old: Version, past: EarlierVersions) -> Fault:
    """Return the fault that an old version has no such column."""
    message = f"version {old.number} has no column {shown(name)}."
    states = newest_first(past.history.named(name))
    fix = f"It has {', '.join(old.schema.names[:10])}."
    if states:
        fix = f"The last that had it is version {states[0].numbers[-1]}."
    return Fault(ColumnNotFoundError.default_code, name, message, fix)


def newer(old: Version, names: Sequence[str], past: EarlierVersions) -> tuple[str, ...]:
    """Return notes about columns that a later version still had in another form: its files may have values of that."""
    notes: list[str] = []
    for name in dict.fromkeys(names):
        field = old.schema.field(name)
        states = [] if field is None else newest_first(past.history.column(field.id))
        if field is None or not states:
            continue
        last = states[0]
        if last.numbers[-1] > old.number and last.field != field:
            notes.append(
                f"{shown(field.name)} comes back as it was in version {old.number}; the last that had it is version {last.numbers[-1]}, "
                f"as {shown(last.field.name)} {last.field.type}"
            )
    return tuple(notes)


def _in_the_way(head: TableSchema, field: Field) -> Fault | None:
    """Return the fault for which a column cannot come back under its name, with what has to come first."""
    now = head.column(field.id)
    other = head.field(field.name)
    if now is not None and now.name != field.name:
        message = f"{shown(field.name)} is not gone: it is called {shown(now.name)} now."
        return Fault("restore.renamed", field.name, message, f"Rename it: {short_text(RenameColumn((now.name,), field.name))}.")
    if now is None and other is not None:
        message = f"{shown(field.name)} is the name of field {other.id} now, and the old column is field {field.id}."
        return Fault("restore.name-taken", field.name, message, "Give the new column another name first, or drop it.")
    return None


# ---------------------------------------------------------------- remedies


def with_remedies(report: Report, table: str, head: Version, past: EarlierVersions) -> Report:
    """Return the report; the fix of a name that returns under a new id gets the lines that bring the old column back."""

    def remedy(number: int, name: str) -> str:
        column = head.schema.column(number)
        if column is not None:
            return _remedy_of_head(column, name, table)
        back = _line_back(number, name, table, head, past)
        return f"If the old column is meant, leave this change out and run {back}" if back else ""

    return _with_fixes(report, _NEW_NAME, past, remedy)


def with_remedies_afterwards(report: Report, table: str, written: TableSchema, head: Version, past: EarlierVersions) -> Report:
    """Return the report about a step that is written and cannot be left out: the new column, which has the name, has to go first."""

    def remedy(number: int, name: str) -> str:
        first = f"If the old column is meant, take this one away, `airflow-schemas evolve --drop {quote(name)} {quote(table)}`, and then"
        column = written.column(number)
        if column is not None:
            return f"{first} `{_renaming(column.name, name, table)}` names it back, which is called {shown(column.name)} now."
        back = _line_back(number, name, table, head, past)
        return f"{first} run {back}" if back else ""

    return _with_fixes(report, _ANOTHER_NAME, past, remedy)


def _with_fixes(report: Report, another: str, past: EarlierVersions, remedy: Callable[[int, str], str]) -> Report:
    if all(finding.rule != _READDED for finding in report.findings):
        return report
    findings = tuple(_with_fix(finding, another, past, remedy) for finding in report.findings)
    return msgspec.structs.replace(report, findings=findings)


def _with_fix(finding: Finding, another: str, past: EarlierVersions, remedy: Callable[[int, str], str]) -> Finding:
    """Return a finding about a name that returns with the fix that fits; any other as it is."""
    number = finding.old.partition(" ")[0]
    if finding.rule != _READDED or not number.isdecimal():
        return finding
    if finding.id is not None and _had_it_first(finding.id, int(number), finding.path, past):
        fix = f"Go on, if field {finding.id} is meant: the name was its own before it was that of field {number}."
        return msgspec.structs.replace(finding, fix=fix)
    fix = remedy(int(number), finding.path)
    return msgspec.structs.replace(finding, fix=f"{another} {fix}") if fix else finding


def _had_it_first(column: int, other: int, name: str, past: EarlierVersions) -> bool:
    """Return whether a column takes back a name that was its own before another column had it: to undo that would begin a circle."""
    own = _first_called(column, name, past)
    others = _first_called(other, name, past)
    return own is not None and (others is None or own < others)


def _first_called(number: int, name: str, past: EarlierVersions) -> int | None:
    """Return the first version in which a column had a name."""
    numbers = (state.numbers[0] for state in past.history.column(number) if word(state.field.name) == name)
    return min(numbers, default=None)


def _line_back(number: int, name: str, table: str, head: Version, past: EarlierVersions) -> str:
    """Return the line that brings a column back as it was last, and what follows; under its last name, as no file knows another.

    Empty for a field inside of a column.
    """
    field, version = _last(number, head, past)
    if field is None:
        return ""
    line = f"`airflow-schemas restore --column {quote(field.name)} {quote(table)} {version}`"
    if word(field.name) == name:
        return f"{line}: it comes back with its id and its values."
    renaming = _renaming(field.name, name, table)
    return f"{line}: it comes back as {shown(field.name)}, with its id and its values, and `{renaming}` gives it this name."


def _last(number: int, head: Version, past: EarlierVersions) -> tuple[Field | None, int]:
    """Return a column as it was last, and in which version."""
    column = head.schema.column(number)
    if column is not None:
        return column, head.number
    states = newest_first(past.history.column(number))
    if not states:
        return None, 0
    return states[0].field, states[0].numbers[-1]


def _remedy_of_head(column: Field, name: str, table: str) -> str:
    """Return what to do if a column is meant that is still there."""
    if word(column.name) == name:
        return f"If the column that is there is meant, drop and add nothing: {shown(name)} keeps its id where only its type changes."
    line = _renaming(column.name, name, table)
    return f"If the old column is meant, leave this change out: it is called {shown(column.name)} now, and `{line}` names it back."


def _renaming(old: str, new: str, table: str) -> str:
    return f"airflow-schemas evolve --rename {quote(f'{word(old)}:{new}')} {quote(table)}"

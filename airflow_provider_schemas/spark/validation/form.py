"""The form of data next to what is expected: which columns are there, of which types, and what has to be asked of rows.

No row is looked at here. A column is found by its name; where it is missing, the field id that a frame brings along, or a spelling in
other letters, says how it is called there.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.types.nested import Field, RowType
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.spark import struct_json
from airflow_provider_schemas.formats.spark.struct_json import DECLARED, FIELD_ID
from airflow_provider_schemas.spark.validation.expected import Expected, ExpectedColumn
from airflow_provider_schemas.spark.validation.row_checks import Check, FormIssue, Walk, inside, match_spelling, not_null, top

_VOID: Final = "VOID"
_LONGEST: Final = 200


class Form(Struct, frozen=True):
    """The columns of a frame."""

    fields: tuple[Field, ...]
    marks: Mapping[int, str] = {}
    """The columns that have a field id, by it."""
    strange: Mapping[str, str] = {}
    """Columns of types that no table has, with these: intervals, or VOID, which has no value but NULL."""
    names: tuple[str, ...] = ()
    """All columns, in their order."""


class FormComparison(Struct, frozen=True):
    """What is wrong with a form, and what is to be asked of the rows."""

    issues: tuple[FormIssue, ...]
    checks: tuple[Check, ...]
    found: Mapping[str, str] = {}
    """The columns of the frame by the names under which they are expected."""

    @property
    def sound(self) -> bool:
        """Return whether rows of this form may fit."""
        return all(issue.variant for issue in self.issues)


def read_form(struct: Mapping[str, Any]) -> Form:
    """Return the form of a frame, by the JSON of its schema."""
    marks: dict[int, str] = {}
    for column in struct["fields"]:
        number = (column.get("metadata") or {}).get(FIELD_ID)
        if isinstance(number, int):
            marks.setdefault(number, column["name"])
    distinct = {column["name"]: column for column in struct["fields"]}
    fields, strange = _read_fields([_without_length(column) for column in distinct.values()])
    return Form(fields, marks, strange, tuple(column["name"] for column in struct["fields"]))


def _without_length(column: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the column without the length that it was declared with, to which nobody holds the files that others write."""
    metadata = column.get("metadata") or {}
    return {**column, "metadata": {key: value for key, value in metadata.items() if key != DECLARED}}


def _read_fields(columns: Sequence[Mapping[str, Any]]) -> tuple[tuple[Field, ...], dict[str, str]]:
    """Return the columns that a table can have, and the types of the others."""
    try:
        return struct_json.of_value({"type": "struct", "fields": columns}).schema.fields, {}
    except FormatError:
        strange = {column["name"]: str(column["type"]).upper()[:_LONGEST] for column in columns if not _is_readable(column)}
        rest = [column for column in columns if column["name"] not in strange]
        return struct_json.of_value({"type": "struct", "fields": rest}).schema.fields, strange


def _is_readable(column: Mapping[str, Any]) -> bool:
    try:
        struct_json.of_value({"type": "struct", "fields": [column]})
    except FormatError:
        return False
    return True


def compare_form(form: Form, expected: Expected, zone: str = "UTC", *, adjusts: bool = False) -> FormComparison:
    """Compare the form of a frame with what is expected.

    `adjusts` says that the caller takes columns under other names, leaves columns out and fills them in.
    """
    comparer = _Comparer(form, expected, zone, adjusts)
    issues = []
    checks = []
    for result in comparer.compare():
        if isinstance(result, Check):
            checks.append(result)
        else:
            issues.append(_as_adjusted(result) if adjusts else result)
    return FormComparison(tuple(issues), tuple(checks), comparer.found)


# What can be set right without a value that nobody has.
_ADJUSTABLE = {"DATA_COLUMN_UNKNOWN": "left", "DATA_COLUMN_RENAMED": "mended", "DATA_ORDER": "mended"}


def _as_adjusted(issue: FormIssue) -> FormIssue:
    return msgspec.structs.replace(issue, variant=issue.variant or _ADJUSTABLE.get(issue.rule, ""))


class _Comparer:
    """Compares one column after the other."""

    def __init__(self, form: Form, expected: Expected, zone: str, adjusts: bool) -> None:
        self.form = form
        self.expected = expected
        self.zone = zone
        self.adjusts = adjusts
        self.fields = {field.name: field for field in form.fields}
        self.found: dict[str, str] = {}
        self._expected_names = {column.path[0] for column in expected.columns}
        self._by_letters: dict[str, list[str]] = defaultdict(list)
        for name in self.fields:
            self._by_letters[name.lower()].append(name)

    def compare(self) -> Iterator[Check | FormIssue]:
        for column in self.expected.columns:
            yield from self._compare_column(column)
        yield from self._find_unknown()
        if self.expected.positional:
            yield from self._compare_order()

    def _compare_column(self, column: ExpectedColumn) -> Iterator[Check | FormIssue]:
        dotted = column.dotted
        steps = (dotted,) if dotted in self.fields or dotted in self.form.strange else column.path
        if steps[0] in self.form.strange:
            yield from self._compare_strange(column, steps[0])
            return
        field = self.fields.get(steps[0])
        if field is None:
            other = self._find_other_name(steps[0], column if len(steps) == 1 else None)
            yield _missing(column, other)
            if not (other and self.adjusts):
                return
            field = self.fields[other]
        self.found[steps[0]] = field.name
        yield from self._compare_field(column, field, steps)

    def _compare_strange(self, column: ExpectedColumn, name: str) -> Iterator[Check | FormIssue]:
        """Compare a column of a type that no table has. One that is always NULL fits whatever may be NULL."""
        kind = self.form.strange[name]
        if kind != _VOID and column.kind is not None:
            yield FormIssue("DATA_TYPE_DIFFERS", column.dotted, str(column.kind.with_nullable(True)), kind, column.id)
        elif not column.nullable:
            yield not_null(top(name, word(name), column.id))

    def _compare_field(self, column: ExpectedColumn, field: Field, steps: tuple[str, ...]) -> Iterator[Check | FormIssue]:
        """Compare the column, or what the steps lead to in it."""
        kind = field.type
        place = top(field.name, word(steps[0]), column.id)
        walk = Walk(self.zone, closed=self.expected.closed, exact=column.exact, adjusts=self.adjusts)
        for step in steps[1:]:
            kind, place = walk.enter_elements(kind, place)
            types = {inner.name: inner.type for inner in kind.fields} if isinstance(kind, RowType) else {}
            name = match_spelling([step], list(types)).get(step)
            if name is None:
                yield FormIssue("DATA_COLUMN_MISSING", column.dotted)
                return
            if name != step:
                yield FormIssue("DATA_COLUMN_RENAMED", column.dotted, step, name)
                if not self.adjusts:
                    return
            kind = types[name]
            place = inside(place, name, f"{place.path}.{word(step)}", column.id)
        if column.kind is not None:
            yield from walk.compare(kind, column.kind.with_nullable(column.nullable), place)
        elif not column.nullable:
            yield not_null(place)

    def _find_other_name(self, wanted: str, column: ExpectedColumn | None) -> str:
        """Return what the column is called in the frame, if it is there under another name; empty if not."""
        name = ""
        if column is not None and column.id is not None:
            name = self.form.marks.get(column.id, "")
        alike = self._by_letters.get(wanted.lower(), ())
        if not name and len(alike) == 1:
            name = alike[0]
        return "" if name in self._expected_names else name

    def _find_unknown(self) -> Iterator[FormIssue]:
        """Yield columns that nobody expects, but for those that were found to be others."""
        if not self.expected.closed:
            return
        known = set(self.found.values())
        for column in self.expected.columns:
            name = column.path[0]
            known |= {column.dotted, self.found.get(name, name)}
            if name not in self.fields:
                known.add(self._find_other_name(name, column))
        for name in self.form.names or self.fields:
            if name not in known:
                kind = self.form.strange.get(name) or str(self.fields[name].type)
                yield FormIssue("DATA_COLUMN_UNKNOWN", name, "", kind)

    def _compare_order(self) -> Iterator[FormIssue]:
        wanted_names = [column.path[0] for column in self.expected.columns]
        names = self.form.names or tuple(self.fields)
        if sorted(wanted_names) != sorted(names):
            return
        for wanted, name in zip(wanted_names, names, strict=True):
            if wanted != name:
                yield FormIssue("DATA_ORDER", name, wanted, name)


def _missing(column: ExpectedColumn, other: str) -> FormIssue:
    """Return the issue of a column that is not there, or is there under another name."""
    if other:
        return FormIssue("DATA_COLUMN_RENAMED", column.dotted, column.dotted, other, column.id)
    kind = "" if column.kind is None else str(column.kind)
    return FormIssue("DATA_COLUMN_MISSING", column.dotted, kind, "", column.id, "" if column.needed else "nullable")

"""The form of data next to what is expected: which columns are there, of which types, and what has to be asked of rows.

No row is looked at here. A column is found by its name; where it is missing, the field id that a frame brings along, or a spelling in
other letters, says how it is called there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.types.nested import Field, RowType
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.spark import struct_json
from airflow_provider_schemas.formats.spark.struct_json import DECLARED, FIELD_ID
from airflow_provider_schemas.spark.validation.expected import Column, Expected
from airflow_provider_schemas.spark.validation.row_checks import Check, Lack, Walk, inside, not_null, spelled, top

_VOID: Final = "VOID"
_LONGEST: Final = 200


class Form(Struct, frozen=True):
    """The columns of a frame."""

    fields: tuple[Field, ...]
    marks: Mapping[int, str] = {}
    """The columns that bear a field id."""
    strange: Mapping[str, str] = {}
    """Columns of types that no table has, with these: intervals, or VOID, which has no value but NULL."""
    names: tuple[str, ...] = ()
    """All columns, in their order."""


class Compared(Struct, frozen=True):
    """What came of it."""

    lacks: tuple[Lack, ...]
    checks: tuple[Check, ...]
    found: Mapping[str, str] = {}
    """The columns of the frame by the names under which they are expected."""

    @property
    def sound(self) -> bool:
        """Whether rows of this form may fit."""
        return all(one.variant for one in self.lacks)


def form_of(struct: Mapping[str, Any]) -> Form:
    """The form of a frame, by the JSON of its schema."""
    marks: dict[int, str] = {}
    for one in struct["fields"]:
        number = (one.get("metadata") or {}).get(FIELD_ID)
        if isinstance(number, int):
            marks.setdefault(number, one["name"])
    fields, strange = _read([_undeclared(one) for one in {one["name"]: one for one in struct["fields"]}.values()])
    return Form(fields, marks, strange, tuple(one["name"] for one in struct["fields"]))


def _undeclared(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """The column without the length that it was declared with, to which nobody holds the files that others write."""
    return {**one, "metadata": {key: value for key, value in (one.get("metadata") or {}).items() if key != DECLARED}}


def _read(fields: Sequence[Mapping[str, Any]]) -> tuple[tuple[Field, ...], dict[str, str]]:
    """The columns that a table can have, and the others."""
    try:
        return struct_json.of_value({"type": "struct", "fields": fields}).schema.fields, {}
    except FormatError:
        strange = {one["name"]: str(one["type"]).upper()[:_LONGEST] for one in fields if not _readable(one)}
        rest = [one for one in fields if one["name"] not in strange]
        return struct_json.of_value({"type": "struct", "fields": rest}).schema.fields, strange


def _readable(one: Mapping[str, Any]) -> bool:
    try:
        struct_json.of_value({"type": "struct", "fields": [one]})
    except FormatError:
        return False
    return True


def compared(form: Form, expected: Expected, zone: str = "UTC", *, mend: bool = False) -> Compared:
    """The two next to each other. Mend says that columns are taken under other names, left out and filled in by the caller."""
    comparer = _Comparer(form, expected, zone, mend)
    seen = list(comparer.seen())
    lacks, checks = [one for one in seen if isinstance(one, Lack)], tuple(one for one in seen if isinstance(one, Check))
    return Compared(tuple(_mended(one) for one in lacks) if mend else tuple(lacks), checks, comparer.found)


# What can be set right without a value that nobody has.
_MENDABLE = {"DATA_COLUMN_UNKNOWN": "left", "DATA_COLUMN_RENAMED": "mended", "DATA_ORDER": "mended"}


def _mended(lack: Lack) -> Lack:
    return msgspec.structs.replace(lack, variant=lack.variant or _MENDABLE.get(lack.rule, ""))


class _Comparer:
    """Looks at one column after the other."""

    def __init__(self, form: Form, expected: Expected, zone: str, mend: bool) -> None:
        self.form, self.expected, self.zone, self.mend = form, expected, zone, mend
        self.there = {one.name: one for one in form.fields}
        self.found: dict[str, str] = {}

    def seen(self) -> Iterator[Check | Lack]:
        for column in self.expected.columns:
            yield from self._column(column)
        yield from self._surplus()
        if self.expected.positional:
            yield from self._order()

    def _column(self, column: Column) -> Iterator[Check | Lack]:
        whole = ".".join(column.path)
        steps = (whole,) if whole in self.there or whole in self.form.strange else column.path
        field = self.there.get(steps[0])
        if steps[0] in self.form.strange:
            yield from self._strange(column, whole, steps[0])
            return
        if field is None:
            called = self._called(steps[0], column if len(steps) == 1 else None)
            yield self._missing(column, whole, called)
            if not (called and self.mend):
                return
            field = self.there[called]
        self.found[steps[0]] = field.name
        yield from self._asked(column, whole, field, steps)

    def _strange(self, column: Column, whole: str, called: str) -> Iterator[Check | Lack]:
        """A column of a type that no table has. One that is always NULL fits whatever may be NULL."""
        kind = self.form.strange[called]
        if kind != _VOID and column.kind is not None:
            yield Lack("DATA_TYPE_DIFFERS", whole, str(column.kind.with_nullable(True)), kind, column.id)
        elif not column.nullable:
            yield not_null(top(called, word(called), column.id))

    def _asked(self, column: Column, whole: str, field: Field, steps: tuple[str, ...]) -> Iterator[Check | Lack]:
        at, kind = top(field.name, word(steps[0]), column.id), field.type
        walk = Walk(self.zone, closed=self.expected.closed, exact=column.exact, mend=self.mend)
        for step in steps[1:]:
            kind, at = walk.items(kind, at)
            inner = {one.name: one.type for one in kind.fields} if isinstance(kind, RowType) else {}
            called = spelled([step], list(inner)).get(step)
            if called != step:
                yield Lack("DATA_COLUMN_RENAMED", whole, step, called) if called else Lack("DATA_COLUMN_MISSING", whole)
            if called is None or (called != step and not self.mend):
                return
            kind, at = inner[called], inside(at, called, f"{at.path}.{word(step)}", column.id)
        if column.kind is not None:
            yield from walk.compared(kind, column.kind.with_nullable(column.nullable), at)
        elif not column.nullable:
            yield not_null(at)

    def _called(self, wanted: str, column: Column | None) -> str:
        """How the column is called in the frame, if it is there under another name; empty if not."""
        known = {one.path[0] for one in self.expected.columns}
        marked = self.form.marks.get(-1 if column is None or column.id is None else column.id, "")
        alike = [one for one in self.there if one.lower() == wanted.lower()]
        found = marked or (alike[0] if len(alike) == 1 else "")
        return "" if found in known else found

    def _missing(self, column: Column, whole: str, called: str) -> Lack:
        if called:
            return Lack("DATA_COLUMN_RENAMED", whole, whole, called, column.id)
        said = "" if column.kind is None else str(column.kind)
        return Lack("DATA_COLUMN_MISSING", whole, said, "", column.id, "" if column.needed else "nullable")

    def _surplus(self) -> Iterator[Lack]:
        """Columns that nobody expects, but for those that were found to be others."""
        if not self.expected.closed:
            return
        taken = {self.found.get(one.path[0], one.path[0]) for one in self.expected.columns} | set(self.found.values())
        called = {self._called(one.path[0], one) for one in self.expected.columns if one.path[0] not in self.there}
        known = taken | called | {".".join(one.path) for one in self.expected.columns}
        for one in self.form.names or self.there:
            if one not in known:
                yield Lack("DATA_COLUMN_UNKNOWN", one, "", str(self.there[one].type) if one in self.there else self.form.strange[one])

    def _order(self) -> Iterator[Lack]:
        mine = [one.path[0] for one in self.expected.columns]
        names = self.form.names or tuple(self.there)
        if sorted(mine) == sorted(names):
            for wanted, there in zip(mine, names, strict=True):
                if wanted != there:
                    yield Lack("DATA_ORDER", there, wanted, there)

"""The system columns, which every dataset of Open Data Fabric has: checked, types included, and filled in on request.

The specification and the reference implementation disagree about two types, because old Parquet readers know no
unsigned numbers. Both are accepted, and a note of the report says which was found.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self

from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.model.attributes import PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit, spellings
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Timestamp, without_option
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind


class SystemColumn(NamedTuple):
    """A system column: its usual name, the type that the reference writes, that of the specification, and other kinds."""

    key: str
    written: DataType
    specified: DataType
    other_kinds: frozenset[Kind] = frozenset()
    """Kinds that are accepted with any parameters."""


_MOMENT = Timestamp(TimeUnit.MILLISECOND, "UTC")

# In the order in which writers have them.
SYSTEM_COLUMNS: tuple[SystemColumn, ...] = (
    SystemColumn("offset", PLAIN[Kind.INT64], PLAIN[Kind.UINT64]),
    SystemColumn("op", PLAIN[Kind.INT32], PLAIN[Kind.UINT8]),
    SystemColumn("system_time", _MOMENT, _MOMENT),
    SystemColumn("event_time", _MOMENT, _MOMENT, frozenset({Kind.DATE, Kind.TIMESTAMP})),
)


class Vocabulary(NamedTuple):
    """The names of a dataset's system columns; a SetVocab of its chain may rename them."""

    offset: str = "offset"
    op: str = "op"
    system_time: str = "system_time"
    event_time: str = "event_time"

    @classmethod
    def of(cls, event: Mapping[str, PlainValue]) -> Self:
        """Return the names in a SetVocab, with or without its `kind`; a key that is absent or null leaves the usual name."""
        if not isinstance(event, Mapping):
            raise FormatError(f"{shown(event)} is no SetVocab.", code="odf.vocabulary", fix="Pass the event as a mapping.")
        names = dict(event)
        if names.get("kind") in _SPELLINGS_OF_KIND:
            del names["kind"]
        faults = [*_unknown_roles(names), *_wrong_names(names)]
        if faults:
            raise FormatError.of(faults)
        return cls(**{_ROLES[key]: str(name) for key, name in names.items() if name is not None})


def _unknown_roles(names: Mapping[str, PlainValue]) -> Iterator[Fault]:
    for key in names:
        if key not in _ROLES:
            yield Fault("odf.vocabulary", str(key)[:200], "no column has this role.", f"There are {', '.join(_ROLES)}.")


def _wrong_names(names: Mapping[str, PlainValue]) -> Iterator[Fault]:
    for key, name in names.items():
        if key in _ROLES and not isinstance(name, str | None):
            yield Fault("odf.vocabulary", key, f"{shown(name)} is no name.", "Write text.")


_SPELLINGS_OF_KIND = tuple(spellings((EventKind.SET_VOCAB,)))
_ROLES = {
    "offsetColumn": "offset",
    "operationTypeColumn": "op",
    "systemTimeColumn": "system_time",
    "eventTimeColumn": "event_time",
}


def check_system_columns(schema: DataSchema, vocabulary: Vocabulary | None = None, *, reference_compatible: bool = False) -> Report:
    """Report whether all system columns are there, required, and of a type that writers and readers agree on.

    Reference compatible checks types only where a schema has nothing but system columns, in their order.
    """
    names = _names(vocabulary)
    types = {field.name: field.type for field in reversed(checked_schema(schema).fields)}
    checks_types = not reference_compatible or schema.names == names
    findings: list[Finding] = []
    notes: list[str] = []
    for column, name in zip(SYSTEM_COLUMNS, names, strict=True):
        kind = types.get(name)
        if kind is None:
            findings.append(_missing(column, name))
            continue
        if checks_types:
            findings += _check_type(column, name, kind)
        notes += _notes(column, name, without_option(kind))
    return Report(tuple(findings), notes=tuple(notes))


def with_system_columns(
    schema: DataSchema, vocabulary: Vocabulary | None = None, *, event_time: DataType | None = None, as_specified: bool = False
) -> DataSchema:
    """Return the schema with its system columns in front, in the order of writers; missing ones are filled in.

    They get the types that the reference writes, or those of the specification; `event_time` is a Timestamp by default.
    """
    names = _names(vocabulary)
    known = {field.name: field for field in reversed(checked_schema(schema).fields)}
    types = [column.specified if as_specified else column.written for column in SYSTEM_COLUMNS]
    types[-1] = event_time or types[-1]
    system = [known.get(name) or DataField(name, kind) for name, kind in zip(names, types, strict=True)]
    system_ids = {id(field) for field in system}
    return replace(schema, fields=(*system, *(field for field in schema.fields if id(field) not in system_ids)))


def _names(vocabulary: Vocabulary | None) -> tuple[str, ...]:
    if not isinstance(vocabulary, Vocabulary | None):
        raise FormatError(f"{shown(vocabulary)} is no Vocabulary.", code="odf.vocabulary", fix="Pass what Vocabulary.of gives.")
    names = tuple(vocabulary or Vocabulary())
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        message = f"{' and '.join(map(shown, twice))} stands for more than one system column."
        raise FormatError(message, code="odf.vocabulary", path="vocabulary", fix="Give each a name of its own.")
    return names


# ---------------------------------------------------------------- one column


def _missing(column: SystemColumn, name: str) -> Finding:
    path = word(name)
    wanted = type_text(column.written)
    return _finding("missing", path, "is not there", f"Add {path} {wanted}, or let with_system_columns fill it in.", old=wanted)


def _check_type(column: SystemColumn, name: str, kind: DataType) -> Iterator[Finding]:
    path = word(name)
    wanted = type_text(column.written)
    inner = without_option(kind)
    if kind.optional:
        yield _finding("optional", path, f"is optional: {type_text(kind)}", "Take the Option away.", old=wanted, new=type_text(kind))
    if inner not in (column.written, column.specified) and inner.kind not in column.other_kinds:
        message = f"is {type_text(inner)}, and {_wanted(column)} is expected"
        yield _finding("type", path, message, f"Make it {wanted}.", old=wanted, new=type_text(inner))


def _finding(code: str, path: str, message: str, fix: str, *, old: str, new: str = "") -> Finding:
    sentence = f"the system column {path} {message}."
    return Finding("TABLE_INVALID", path, sentence, fix, Verdict.BREAK, old=old, new=new, fault=f"odf.system-column-{code}")


def _wanted(column: SystemColumn) -> str:
    """Return the accepted types as text, each once."""
    return " or ".join(dict.fromkeys([type_text(column.written), type_text(column.specified), *sorted(column.other_kinds)]))


def _notes(column: SystemColumn, name: str, kind: DataType) -> Iterator[str]:
    if column.written != column.specified and kind == column.written:
        yield f"{word(name)} is {kind.kind}, as the reference writes it; the specification says {column.specified.kind}"
    if column.written != column.specified and kind == column.specified:
        yield f"{word(name)} is {kind.kind}, as the specification says; the reference writes {column.written.kind}"
    if kind.kind is Kind.TIMESTAMP and kind != column.written and kind.kind in column.other_kinds:
        yield f"{word(name)} is {type_text(kind)}, and is stored as {type_text(column.written)}"

"""The columns that every dataset of Open Data Fabric has: checked, types included, and filled in where one asks for it.

The specification and the reference implementation disagree about two types, because old Parquet readers know no
unsigned numbers. Both are taken, and the report says which was found.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit, spellings
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Timestamp, without_option
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind


class Role(NamedTuple):
    """A system column: its usual name, the type that is really written, that of the specification, and what else does."""

    key: str
    written: DataType
    specified: DataType
    also: frozenset[Kind] = frozenset()
    """Kinds that are taken whatever their parameters."""


_MOMENT = Timestamp(TimeUnit.MILLISECOND, "UTC")

# In the order in which writers have them.
ROLES: tuple[Role, ...] = (
    Role("offset", PLAIN[Kind.INT64], PLAIN[Kind.UINT64]),
    Role("op", PLAIN[Kind.INT32], PLAIN[Kind.UINT8]),
    Role("system_time", _MOMENT, _MOMENT),
    Role("event_time", _MOMENT, _MOMENT, frozenset({Kind.DATE, Kind.TIMESTAMP})),
)

# What the codes in the column of operations stand for.
OPERATIONS: Mapping[int, str] = {0: "+A", 1: "-R", 2: "-C", 3: "+C"}


class Vocabulary(NamedTuple):
    """What the system columns of a dataset are called; a SetVocab of its chain may rename them."""

    offset: str = "offset"
    op: str = "op"
    system_time: str = "system_time"
    event_time: str = "event_time"

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> Self:
        """The names in a SetVocab, with or without its `kind`; a key that is absent or null leaves the usual one."""
        if not isinstance(event, Mapping):
            raise FormatError(f"{shown(event)} is no SetVocab.", code="odf.vocabulary", fix="Pass the event as a mapping.")
        if event.get("kind") in _EVENT:
            event = {key: name for key, name in event.items() if key != "kind"}
        faults = [
            Fault("odf.vocabulary", str(key)[:200], "no column has this role.", f"There are {', '.join(_KEYS)}.")
            for key in event
            if key not in _KEYS
        ]
        faults += [
            Fault("odf.vocabulary", key, f"{shown(name)} is no name.", "Write text.")
            for key, name in event.items()
            if key in _KEYS and not isinstance(name, str | None)
        ]
        if faults:
            raise FormatError.of(faults)
        return cls(**{_KEYS[key]: name for key, name in event.items() if name is not None})


_EVENT = tuple(spellings((EventKind.SET_VOCAB,)))
_KEYS = {
    "offsetColumn": "offset",
    "operationTypeColumn": "op",
    "systemTimeColumn": "system_time",
    "eventTimeColumn": "event_time",
}


def check_system_columns(schema: DataSchema, vocabulary: Vocabulary | None = None, *, reference_compatible: bool = False) -> Report:
    """Whether all of them are there, required, and of a type that writers and readers agree on.

    Reference compatible looks at types only where a schema has nothing but system columns, in their order.
    """
    names = _names(vocabulary)
    types = {one.name: one.type for one in reversed(checked_schema(schema).fields)}
    typed = not reference_compatible or schema.names == names
    found = [one for role, name in zip(ROLES, names, strict=True) for one in _of_role(role, name, types.get(name), typed)]
    notes = [one for role, name in zip(ROLES, names, strict=True) for one in _notes(role, name, types.get(name))]
    return Report(tuple(found), notes=tuple(notes))


def with_system_columns(
    schema: DataSchema, vocabulary: Vocabulary | None = None, *, event_time: DataType | None = None, as_specified: bool = False
) -> DataSchema:
    """The schema with its system columns in front, in the order of writers; those that are missing are filled in.

    They get the types that are really written, or those of the specification. Event time is a Timestamp unless told.
    """
    names = _names(vocabulary)
    there = {one.name: one for one in reversed(checked_schema(schema).fields)}
    types = [role.specified if as_specified else role.written for role in ROLES]
    types[-1] = event_time or types[-1]
    system = [there.get(name) or DataField(name, kind) for name, kind in zip(names, types, strict=True)]
    taken = {id(one) for one in system}
    return replace(schema, fields=(*system, *(one for one in schema.fields if id(one) not in taken)))


def _names(vocabulary: Vocabulary | None) -> tuple[str, ...]:
    if not isinstance(vocabulary, Vocabulary | None):
        raise FormatError(f"{shown(vocabulary)} is no Vocabulary.", code="odf.vocabulary", fix="Pass what Vocabulary.of gives.")
    names = tuple(Vocabulary() if vocabulary is None else vocabulary)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        message = f"{' and '.join(map(shown, twice))} stands for more than one system column."
        raise FormatError(message, code="odf.vocabulary", path="vocabulary", fix="Give each a name of its own.")
    return names


# ---------------------------------------------------------------- one column


def _of_role(role: Role, name: str, kind: DataType | None, typed: bool) -> Iterator[Finding]:
    path, wanted = word(name), type_text(role.written)
    if kind is None:
        yield _wrong("missing", path, "is not there", f"Add {path} {wanted}, or let with_system_columns fill it in.", wanted)
        return
    inner = without_option(kind)
    if typed and kind.optional:
        yield _wrong("optional", path, f"is optional: {type_text(kind)}", "Take the Option away.", wanted, type_text(kind))
    if typed and inner not in (role.written, role.specified) and inner.kind not in role.also:
        message = f"is {type_text(inner)}, and {_wanted(role)} is expected"
        yield _wrong("type", path, message, f"Make it {wanted}.", wanted, type_text(inner))


def _wrong(code: str, path: str, message: str, fix: str, *sides: str) -> Finding:
    old, new = (*sides, "")[:2]
    message, fault = f"the system column {path} {message}.", f"odf.system-column-{code}"
    return Finding("TABLE_INVALID", path, message, fix, Verdict.BREAK, old=old, new=new, fault=fault)


def _wanted(role: Role) -> str:
    others = [type_text(role.specified)] if role.specified != role.written else []
    return " or ".join(dict.fromkeys([type_text(role.written), *others, *sorted(role.also)]))


def _notes(role: Role, name: str, kind: DataType | None) -> Iterator[str]:
    inner = None if kind is None else without_option(kind)
    if inner is None:
        return
    if role.written != role.specified and inner == role.written:
        yield f"{word(name)} is {inner.kind}, as the reference writes it; the specification says {role.specified.kind}"
    if role.written != role.specified and inner == role.specified:
        yield f"{word(name)} is {inner.kind}, as the specification says; the reference writes {role.written.kind}"
    if inner.kind is Kind.TIMESTAMP and inner != role.written and inner.kind in role.also:
        yield f"{word(name)} is {type_text(inner)}, and is stored as {type_text(role.written)}"

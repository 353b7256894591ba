"""Types without parts, and their canonical text, by which a schema file spells them.

A schema file says `DECIMAL(10, 2) NOT NULL` for a thousand columns, and they share one value: texts
that were read are remembered.
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import BoundedRepr
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.kinds import ALGORITHMS, KINDS, LONGEST, MAX_LENGTH, VOID_TEXTS, Root
from airflow_provider_schemas.errors import Fault, TypeTextError

TypeJson: TypeAlias = str | dict[str, Any]
"""Paimon's JSON form of a type: text for an atomic type, an object for a container."""

AnyDataType: TypeAlias = Any
"""A data type with the parameters of its root. Functions for certain roots read them without asking for the class."""


# The text of a type of another format: longer than any that we have seen.
MAX_OPAQUE = 4_000


class DataType(BoundedRepr, Struct, frozen=True, gc=False):
    """What all types share."""

    if TYPE_CHECKING:

        @property
        def root(self) -> Root: ...
        @property
        def nullable(self) -> bool: ...
        def with_nullable(self, nullable: bool) -> "DataType":
            """Return the same type, nullable or not."""

        def to_json(self) -> Any:
            """Return Paimon's JSON form, a TypeJson."""


class AtomicType(DataType, frozen=True, gc=False):
    """A type without parts; parameters that its root does not have are None."""

    root: Root
    nullable: bool = True
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    crs: str | None = None
    algorithm: str | None = None
    text: str | None = None
    """How the format of a foreign type spells it."""

    def __post_init__(self) -> None:
        faults = list(_parameter_faults(self))
        if faults:
            raise TypeTextError.of(faults)

    def to_json(self) -> str:
        return atom_text(self)

    def __str__(self) -> str:
        return atom_text(self)

    def with_nullable(self, nullable: bool) -> "AtomicType":
        if nullable is self.nullable:
            return self
        return msgspec.structs.replace(self, nullable=nullable)


def _parameter_faults(atom: AtomicType) -> Iterable[Fault]:
    for name, limit in KINDS[atom.root].limits.items():
        value = getattr(atom, name)
        most = limit.most
        if name == "scale" and atom.precision:
            most = min(most, atom.precision)
        if value is None or not limit.least <= value <= most:
            fix = f"Use a {name} from {limit.least} to {most}."
            yield Fault(limit.code, "", f"the {name} {value} of {atom.root.name} is out of range.", fix)
            return
    if atom.crs == "":
        yield Fault("type.crs-empty", "", f"the coordinate system of {atom.root.name} is empty.", "Name one, such as OGC:CRS84.")
    if atom.root is Root.OPAQUE:
        yield from _opaque_faults(atom.text or "")
    if atom.algorithm is not None and atom.algorithm not in ALGORITHMS:
        fix = f"Use one of {', '.join(ALGORITHMS)}."
        yield Fault("type.edge-algorithm", "", f"{atom.algorithm!r} is no edge algorithm.", fix)


def _opaque_faults(text: str) -> Iterable[Fault]:
    if not text.strip():
        yield Fault("type.opaque-empty", "", "an opaque type has no text.", "Write the type as its own format does: OPAQUE('interval').")
    elif len(text) > MAX_OPAQUE:
        fix = f"Keep it below {MAX_OPAQUE} characters."
        yield Fault("type.opaque-too-long", "", f"the text of an opaque type has {len(text)} characters.", fix)


def is_void(kind: DataType) -> bool:
    """Return whether the type holds nothing but NULL, so that any type can follow it."""
    return isinstance(kind, AtomicType) and kind.root is Root.OPAQUE and kind.text in VOID_TEXTS


# ---------------------------------------------------------------- canonical text

# Bounded, so that hostile files cannot fill the memory with types.
_ATOMS: dict[str, AtomicType] = {}
_MEMO_SIZE = 10_000


def atom_text(atom: AtomicType) -> str:
    """Return the canonical text, such as DECIMAL(10, 2) NOT NULL."""
    longest = LONGEST.get(atom.root) if atom.length == MAX_LENGTH else None
    text = longest or KINDS[atom.root].text.format(
        length=atom.length,
        precision=atom.precision,
        scale=atom.scale,
        crs=_quoted_crs(atom.crs),
        algorithm=atom.algorithm,
        text=_quoted(atom.text or ""),
    )
    return text if atom.nullable else f"{text} NOT NULL"


def _quoted_crs(crs: str | None) -> str | None:
    if crs is None or not (crs[:1].isdigit() or any(char.isspace() or char in "<>(),.'`" for char in crs)):
        return crs
    return _quoted(crs)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# Reversed, so that TIMESTAMP alone means the one without a zone, which stands first.
_BY_NAME = {kind.text.partition("(")[0]: root for root, kind in reversed(KINDS.items())}
_LONGEST_ROOTS = {name: root for root, name in LONGEST.items()}
_CANONICAL = re.compile(r"([A-Z]+)(?:\((.+)\))?( WITH LOCAL TIME ZONE)?( NOT NULL)?", re.DOTALL)
_STRING = re.compile(r"'(?:[^']|'')+'", re.DOTALL)
_CRS = re.compile(r"('(?:[^']|'')*'|[^,]*)(?:, ([a-z]+))?", re.DOTALL)


def atom_of(text: str) -> AtomicType:
    """Return the type of this canonical text."""
    return _ATOMS.get(text) or _read_and_remember(text)


def _read_and_remember(text: str) -> AtomicType:
    if len(_ATOMS) >= _MEMO_SIZE:
        _ATOMS.clear()
    atom = _ATOMS[text] = canonical(text)
    return atom


def known(text: str) -> AtomicType | None:
    """Return the type of a canonical text if it was read before."""
    return _ATOMS.get(text)


def canonical(text: str) -> AtomicType:
    """Return the atomic type of this canonical text; refuse any other spelling."""
    match = _CANONICAL.fullmatch(text)
    atom = match and _read_atom(match)
    if atom is None or atom_text(atom) != text:
        raise TypeTextError(f"{shown(text)} is no canonical type.", fix="Read it with parse_type or parse_ddl.")
    return atom


def _read_atom(match: re.Match[str]) -> AtomicType | None:
    name, arguments, local, strict = match.groups()
    if name in _LONGEST_ROOTS:
        return AtomicType(_LONGEST_ROOTS[name], not strict, length=MAX_LENGTH)
    root = _BY_NAME.get(name)
    values = None if root is None else _read_parameters(root, arguments)
    if root is None or values is None:
        return None
    if local:
        root = Root.TIMESTAMP_LTZ
    return AtomicType(root, not strict, **values)


def _read_parameters(root: Root, text: str | None) -> dict[str, Any] | None:
    """Return the parameters in the brackets of a canonical text by their names; None where they are not those of the root."""
    names = list(KINDS[root].defaults)
    values: list[Any] = []
    if text is not None:
        values = _READ_PARAMETERS.get(root, _read_numbers)(text)
        if not values:
            return None
    if len(values) != len(names):
        return None
    return dict(zip(names, values, strict=True))


def _read_numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(", ") if part.isdecimal() and len(part) <= 10]


def _read_coordinates(text: str) -> list[str]:
    match = _CRS.fullmatch(text)
    if match is None:
        return []
    crs, algorithm = match.groups()
    return [_unquote(crs), algorithm] if algorithm else [_unquote(crs)]


def _read_opaque(text: str) -> list[str]:
    return [_unquote(text)] if _STRING.fullmatch(text) else []


_READ_PARAMETERS: dict[Root, Callable[[str], list[Any]]] = {
    Root.GEOMETRY: _read_coordinates,
    Root.GEOGRAPHY: _read_coordinates,
    Root.OPAQUE: _read_opaque,
}


def _unquote(text: str) -> str:
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    return text


STRING = AtomicType(Root.VARCHAR, length=MAX_LENGTH)
BYTES = AtomicType(Root.VARBINARY, length=MAX_LENGTH)


def atomic(root: Root, nullable: bool = True, **parameters: Any) -> AtomicType:
    """Return an atomic type, with the defaults of its kind for parameters that are not given."""
    return AtomicType(root, nullable, **{**KINDS[root].defaults, **parameters})

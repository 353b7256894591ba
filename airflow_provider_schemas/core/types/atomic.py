"""Types without parts, and their canonical text, by which a schema file spells them.

A schema file says `DECIMAL(10, 2) NOT NULL`, and there is one such value however often it says so: texts
that were met are remembered.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.kinds import ALGORITHMS, KINDS, LONGEST, MAX_LENGTH, Root
from airflow_provider_schemas.errors import Fault, TypeTextError


class DataType(Struct, frozen=True, gc=False):
    """What all types share."""

    if TYPE_CHECKING:

        @property
        def root(self) -> Root: ...
        @property
        def nullable(self) -> bool: ...
        def with_nullable(self, nullable: bool) -> "DataType":
            """The same type, nullable or not."""

        def to_json(self) -> Any:
            """Paimon's JSON form: text for an atomic type, an object for a container."""


class AtomicType(DataType, frozen=True, gc=False):
    """A type without parts; parameters that its root does not have are None."""

    root: Root
    nullable: bool = True
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    crs: str | None = None
    algorithm: str | None = None

    def __post_init__(self) -> None:
        faults = list(_parameter_faults(self))
        if faults:
            raise TypeTextError.of(faults)

    def to_json(self) -> Any:
        return atom_text(self)

    def __str__(self) -> str:
        return atom_text(self)

    def with_nullable(self, nullable: bool) -> "AtomicType":
        return self if nullable is self.nullable else msgspec.structs.replace(self, nullable=nullable)


def _parameter_faults(atom: AtomicType) -> Iterable[Fault]:
    for name, limit in KINDS[atom.root].limits.items():
        value = getattr(atom, name)
        most = min(limit.most, atom.precision or limit.most) if name == "scale" else limit.most
        if value is None or not limit.least <= value <= most:
            fix = f"Use a {name} from {limit.least} to {most}."
            yield Fault(limit.code, "", f"the {name} {value} of {atom.root.name} is out of range.", fix)
            return
    if atom.crs == "":
        yield Fault("type.crs-empty", "", f"the coordinate system of {atom.root.name} is empty.", "Name one, such as OGC:CRS84.")
    if atom.algorithm is not None and atom.algorithm not in ALGORITHMS:
        fix = f"Use one of {', '.join(ALGORITHMS)}."
        yield Fault("type.edge-algorithm", "", f"{atom.algorithm!r} is no edge algorithm.", fix)


# ---------------------------------------------------------------- canonical text

# Bounded, so that hostile files cannot fill the memory with types.
_ATOMS: dict[str, AtomicType] = {}
_MEMO_SIZE = 10_000


def atom_text(atom: AtomicType) -> str:
    """Canonical text, such as DECIMAL(10, 2) NOT NULL."""
    longest = LONGEST.get(atom.root) if atom.length == MAX_LENGTH else None
    text = longest or KINDS[atom.root].text.format(
        length=atom.length, precision=atom.precision, scale=atom.scale, crs=_quoted_crs(atom.crs), algorithm=atom.algorithm
    )
    return text if atom.nullable else f"{text} NOT NULL"


def _quoted_crs(crs: str | None) -> str | None:
    if crs is None or not (crs[:1].isdigit() or any(char.isspace() or char in "<>(),.'`" for char in crs)):
        return crs
    return "'" + crs.replace("'", "''") + "'"


# Reversed, so that TIMESTAMP alone means the one without a zone, which stands first.
_BY_NAME = {kind.text.partition("(")[0]: root for root, kind in reversed(KINDS.items())}
_CANONICAL = re.compile(r"([A-Z]+)(?:\((.+)\))?( WITH LOCAL TIME ZONE)?( NOT NULL)?", re.DOTALL)
_CRS = re.compile(r"('(?:[^']|'')*'|[^,]*)(?:, ([a-z]+))?", re.DOTALL)


def atom_of(text: str) -> AtomicType:
    """The type of this canonical text."""
    return _ATOMS.get(text) or _remembered(text)


def _remembered(text: str) -> AtomicType:
    if len(_ATOMS) >= _MEMO_SIZE:
        _ATOMS.clear()
    atom = _ATOMS[text] = canonical(text)
    return atom


def known(text: str) -> AtomicType | None:
    """The type of a canonical text that was met before."""
    return _ATOMS.get(text)


def canonical(text: str) -> AtomicType:
    """The atomic type of this canonical text; any other spelling is refused."""
    found = _CANONICAL.fullmatch(text)
    atom = found and _atom_of(found)
    if atom is None or atom_text(atom) != text:
        raise TypeTextError(f"{shown(text)} is no canonical type.", fix="Read it with parse_type or parse_ddl.")
    return atom


def _atom_of(found: re.Match[str]) -> AtomicType | None:
    name, arguments, local, strict = found.groups()
    root = {"STRING": Root.VARCHAR, "BYTES": Root.VARBINARY}.get(name) or _BY_NAME.get(name)
    if root is None:
        return None
    if name in LONGEST.values():
        return AtomicType(root, not strict, length=MAX_LENGTH)
    values = _arguments(root, arguments)
    return None if values is None else AtomicType(Root.TIMESTAMP_LTZ if local else root, not strict, **values)


def _arguments(root: Root, text: str | None) -> dict[str, Any] | None:
    names = list(KINDS[root].defaults)
    if not names or text is None:
        return {} if not names and text is None else None
    if "crs" in names:
        found = _CRS.fullmatch(text)
        values: list[Any] = [found and _unquoted(found[1]), *([found[2]] if found and found[2] else [])]
    else:
        values = [int(part) for part in text.split(", ") if part.isdecimal() and len(part) <= 10]
    return dict(zip(names, values, strict=True)) if len(names) == len(values) and None not in values else None


def _unquoted(text: str) -> str:
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


STRING = AtomicType(Root.VARCHAR, length=MAX_LENGTH)
BYTES = AtomicType(Root.VARBINARY, length=MAX_LENGTH)


def atomic(root: Root, nullable: bool = True, **parameters: Any) -> AtomicType:
    """An atomic type, with the defaults of its kind where a parameter is not given."""
    return AtomicType(root, nullable, **{**KINDS[root].defaults, **parameters})

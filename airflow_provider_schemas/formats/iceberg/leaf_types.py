"""Types without parts: Iceberg's text of a type and ours, a table for each direction.

This is data, but for the types with parameters. A type of Iceberg that is not listed is kept as an opaque type: its text is
compared, and nothing else is known of it.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from airflow_provider_schemas.core.schema.foreign_attributes import UNKNOWN, UUID
from airflow_provider_schemas.core.types.atomic import AtomicType, atom_text, atomic
from airflow_provider_schemas.core.types.kinds import ALGORITHMS, KINDS, MAX_LENGTH, Root
from airflow_provider_schemas.errors import FormatError

NOT_NULL: Final = " NOT NULL"

# ---------------------------------------------------------------- from Iceberg


def opaque(text: str) -> str:
    """Return the type that is known by its text only."""
    return atom_text(atomic(Root.OPAQUE, text=text))


# Iceberg's text -> ours, as a schema file spells it.
FROM_ICEBERG: Final[dict[str, str]] = {
    "boolean": "BOOLEAN",
    "int": "INT",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "date": "DATE",
    "time": "TIME(6)",
    "timestamp": "TIMESTAMP(6)",
    "timestamptz": "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    "timestamp_ns": "TIMESTAMP(9)",
    "timestamptz_ns": "TIMESTAMP(9) WITH LOCAL TIME ZONE",
    "string": "STRING",
    UUID: "BINARY(16)",
    "binary": "BYTES",
    UNKNOWN: opaque(UNKNOWN),
    "variant": "VARIANT",
    "geometry": "GEOMETRY(OGC:CRS84)",
    "geography": "GEOGRAPHY(OGC:CRS84, spherical)",
}
# The types whose own text is an attribute: ours would not tell them from another, or says nothing.
LOGICAL_TYPES: Final = frozenset({UUID, UNKNOWN})

_QUOTED = r"""\s*(?:'([^']+)'|"([^"]+)"|([^'",\s][^'",]*))\s*"""
_DECIMAL = re.compile(r"decimal\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)", re.IGNORECASE)
_FIXED = re.compile(r"fixed\[\s*([0-9]{1,10})\s*\]", re.IGNORECASE)
_GEOMETRY = re.compile(rf"geometry\({_QUOTED}\)", re.IGNORECASE)
_GEOGRAPHY = re.compile(rf"geography\({_QUOTED}(?:,{_QUOTED})?\)", re.IGNORECASE)


def _decimal(match: re.Match[str]) -> AtomicType:
    precision, scale = map(int, match.groups())
    return atomic(Root.DECIMAL, precision=precision, scale=scale)


def _fixed(match: re.Match[str]) -> AtomicType:
    return atomic(Root.BINARY, length=int(match[1]))


def _words(match: re.Match[str]) -> list[str]:
    return [word.strip() for word in match.groups() if word]


def _geometry(match: re.Match[str]) -> AtomicType:
    return atomic(Root.GEOMETRY, crs=_words(match)[0])


def _geography(match: re.Match[str]) -> AtomicType | None:
    crs, *rest = _words(match)
    algorithm = rest[0].lower() if rest else ALGORITHMS[0]
    return atomic(Root.GEOGRAPHY, crs=crs, algorithm=algorithm) if algorithm in ALGORITHMS else None


_Read = Callable[[re.Match[str]], AtomicType | None]
_PARAMETRIC: Final[tuple[tuple[re.Pattern[str], _Read], ...]] = (
    (_DECIMAL, _decimal),
    (_FIXED, _fixed),
    (_GEOMETRY, _geometry),
    (_GEOGRAPHY, _geography),
)


def our_text(text: str) -> str:
    """Return our text for a type of Iceberg; raise a TypeTextError for parameters that no type can have."""
    plain = FROM_ICEBERG.get(text.lower())
    if plain is not None:
        return plain
    for pattern, read in _PARAMETRIC:
        match = pattern.fullmatch(text)
        kind = match and read(match)
        if kind is not None:
            return atom_text(kind)
    return opaque(text)


# ---------------------------------------------------------------- to Iceberg


class IcebergLeaf(NamedTuple):
    """Iceberg's text for a type, and what of the type is lost."""

    text: str
    what: str = ""
    message: str = ""


def _plain(text: str) -> Callable[[AtomicType], IcebergLeaf]:
    return lambda _: IcebergLeaf(text)


def _lossy(text: str, what: str) -> Callable[[AtomicType], IcebergLeaf]:
    return lambda kind: IcebergLeaf(text, what, f"{kind.with_nullable(True)} becomes {text}, which has no such {what}.")


def _string(kind: AtomicType) -> IcebergLeaf:
    if kind.length == MAX_LENGTH and kind.root is Root.VARCHAR:
        return IcebergLeaf("string")
    return _lossy("string", "length")(kind)


def _bytes(kind: AtomicType) -> IcebergLeaf:
    return IcebergLeaf("binary") if kind.length == MAX_LENGTH else _lossy("binary", "length")(kind)


def _time(kind: AtomicType) -> IcebergLeaf:
    return IcebergLeaf("time") if kind.precision == 6 else _lossy("time", "precision")(kind)


def _timestamp(name: str) -> Callable[[AtomicType], IcebergLeaf]:
    """Return the writer of a timestamp: microseconds, or nanoseconds for more digits."""
    exact = {6: name, 9: f"{name}_ns"}

    def write(kind: AtomicType) -> IcebergLeaf:
        digits = kind.precision or 0
        if digits in exact:
            return IcebergLeaf(exact[digits])
        return _lossy(name if digits < 6 else f"{name}_ns", "precision")(kind)

    return write


def _geometry_text(kind: AtomicType) -> IcebergLeaf:
    return _with_system("geometry", kind.crs or "")


def _geography_text(kind: AtomicType) -> IcebergLeaf:
    return _with_system("geography", kind.crs or "", "" if kind.algorithm == ALGORITHMS[0] else kind.algorithm or "")


def _with_system(name: str, system: str, algorithm: str = "") -> IcebergLeaf:
    """Return the text of a type with a coordinate system; the one that Iceberg means by default is left out."""
    default = KINDS[Root.GEOMETRY].defaults["crs"]
    if system == default and not algorithm:
        return IcebergLeaf(name)
    if "'" in system or "," in system or system != system.strip():
        message = f"Iceberg cannot name the coordinate system {system!r}."
        return IcebergLeaf(name, "coordinate system", message)
    words = [system, algorithm] if algorithm else [system]
    return IcebergLeaf(f"{name}({', '.join(words)})")


TO_ICEBERG: Final[dict[Root, Callable[[AtomicType], IcebergLeaf]]] = {
    Root.CHAR: _string,
    Root.VARCHAR: _string,
    Root.BOOLEAN: _plain("boolean"),
    Root.BINARY: lambda kind: IcebergLeaf(f"fixed[{kind.length}]"),
    Root.VARBINARY: _bytes,
    Root.DECIMAL: lambda kind: IcebergLeaf(f"decimal({kind.precision}, {kind.scale})"),
    Root.TINYINT: _lossy("int", "range"),
    Root.SMALLINT: _lossy("int", "range"),
    Root.INTEGER: _plain("int"),
    Root.BIGINT: _plain("long"),
    Root.FLOAT: _plain("float"),
    Root.DOUBLE: _plain("double"),
    Root.DATE: _plain("date"),
    Root.TIME: _time,
    Root.TIMESTAMP: _timestamp("timestamp"),
    Root.TIMESTAMP_LTZ: _timestamp("timestamptz"),
    Root.VARIANT: _plain("variant"),
    Root.BLOB: _lossy("binary", "type"),
    Root.GEOMETRY: _geometry_text,
    Root.GEOGRAPHY: _geography_text,
    Root.OPAQUE: lambda kind: IcebergLeaf(kind.text or ""),
}

# Ours, Iceberg's, and what comes back.
LOSSY: Final[tuple[tuple[str, str, str], ...]] = (
    ("CHAR(5)", "string", "STRING"),
    ("VARCHAR(5)", "string", "STRING"),
    ("VARBINARY(5)", "binary", "BYTES"),
    ("BLOB", "binary", "BYTES"),
    ("TINYINT", "int", "INT"),
    ("SMALLINT", "int", "INT"),
    ("TIME(3)", "time", "TIME(6)"),
    ("TIME(9)", "time", "TIME(6)"),
    ("TIMESTAMP(3)", "timestamp", "TIMESTAMP(6)"),
    ("TIMESTAMP(7)", "timestamp_ns", "TIMESTAMP(9)"),
    ("TIMESTAMP(0) WITH LOCAL TIME ZONE", "timestamptz", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
)


def iceberg_leaf(kind: AtomicType, logical: object) -> IcebergLeaf:
    """Return Iceberg's text for a type; `logical` is the attribute beside it."""
    text = atom_text(kind.with_nullable(True))
    if logical == UUID and text == FROM_ICEBERG[UUID]:
        return IcebergLeaf(UUID)
    write = TO_ICEBERG.get(kind.root)
    if write is None:
        raise FormatError(f"Iceberg has no {text}.", code="format.unsupported-type", fix="Use another type for the column.")
    return write(kind)

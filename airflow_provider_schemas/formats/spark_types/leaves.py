"""The types of Spark without parts: their names in both notations, what each becomes, and what is lost on the way.

This is data. A new type of Spark gets a row in JSON_NAMES and DDL_NAMES; one of ours a row in LEAVES.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import atomic
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import LONGEST, MAX_LENGTH, Root
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, MultisetType, VectorType
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Loss, refuse_opaque

Notation = Literal["json", "ddl"]

# ---------------------------------------------------------------- from Spark


class Name(NamedTuple):
    """The type of a name of Spark: a root, its parameters in order, and how many of them may be given."""

    root: Root
    parameters: tuple[str, ...] = ()
    counts: tuple[int, ...] = (0,)
    fixed: Mapping[str, Any] = {}


_LONGEST = {"length": MAX_LENGTH}
_MICROS = {"precision": 6}

_SHARED = {
    "boolean": Name(Root.BOOLEAN),
    "float": Name(Root.FLOAT),
    "double": Name(Root.DOUBLE),
    "date": Name(Root.DATE),
    "variant": Name(Root.VARIANT),
    "string": Name(Root.VARCHAR, fixed=_LONGEST),
    "binary": Name(Root.VARBINARY, fixed=_LONGEST),
    "char": Name(Root.CHAR, ("length",), (1,)),
    "varchar": Name(Root.VARCHAR, ("length",), (1,)),
    "timestamp_ntz": Name(Root.TIMESTAMP, ("precision",), (0, 1), _MICROS),
    "timestamp_ltz": Name(Root.TIMESTAMP_LTZ, ("precision",), (0, 1), _MICROS),
}

JSON_NAMES: dict[str, Name] = {
    **_SHARED,
    "byte": Name(Root.TINYINT),
    "short": Name(Root.SMALLINT),
    "integer": Name(Root.INTEGER),
    "long": Name(Root.BIGINT),
    "decimal": Name(Root.DECIMAL, ("precision", "scale"), (0, 2)),
    "time": Name(Root.TIME, ("precision",), (1,)),
    "timestamp": Name(Root.TIMESTAMP_LTZ, fixed=_MICROS),
    "geometry": Name(Root.GEOMETRY, ("crs",), (0, 1)),
    "geography": Name(Root.GEOGRAPHY, ("crs", "algorithm"), (0, 1, 2)),
}

_DECIMAL = Name(Root.DECIMAL, ("precision", "scale"), (0, 1, 2))

DDL_NAMES: dict[str, Name] = {
    **_SHARED,
    "tinyint": Name(Root.TINYINT),
    "byte": Name(Root.TINYINT),
    "smallint": Name(Root.SMALLINT),
    "short": Name(Root.SMALLINT),
    "int": Name(Root.INTEGER),
    "integer": Name(Root.INTEGER),
    "bigint": Name(Root.BIGINT),
    "long": Name(Root.BIGINT),
    "real": Name(Root.FLOAT),
    "decimal": _DECIMAL,
    "dec": _DECIMAL,
    "numeric": _DECIMAL,
    "character": Name(Root.CHAR, ("length",), (1,)),
    "time": Name(Root.TIME, ("precision",), (0, 1), _MICROS),
    "time without time zone": Name(Root.TIME, ("precision",), (0, 1), _MICROS),
    "timestamp": Name(Root.TIMESTAMP_LTZ, ("precision",), (0, 1), _MICROS),
    "timestamp without time zone": Name(Root.TIMESTAMP, ("precision",), (0, 1), _MICROS),
    "timestamp with local time zone": Name(Root.TIMESTAMP_LTZ, ("precision",), (0, 1), _MICROS),
    "geometry": Name(Root.GEOMETRY, ("srid",), (1,)),
    "geography": Name(Root.GEOGRAPHY, ("srid",), (1,)),
}

NAMES: dict[Notation, dict[str, Name]] = {"json": JSON_NAMES, "ddl": DDL_NAMES}

# The types that no table of ours can hold, by the beginning of their names, and what to do instead.
REFUSED = {
    "interval": "Store a number of months or microseconds as BIGINT, or two timestamps.",
    "void": "Cast the column to a type; a literal NULL has none.",
    "null": "Cast the column to a type; a literal NULL has none.",
    "udt": "Store the fields of the class as a struct.",
    "object": "Store the fields of the object as a struct.",
}

# Spark's DDL names coordinate systems by number. These have a name of their own; others are EPSG's, or ESRI's from here on.
_SRIDS = {"0": "SRID:0", "4326": "OGC:CRS84", "4267": "OGC:CRS27", "4269": "OGC:CRS83"}
_ESRI = 32_768
_NUMBERED = re.compile(r"(?:EPSG|ESRI):([0-9]+)")
_CRS = re.compile(r"\w+:-?\w+")

_TEXT = re.compile(r"([a-z_]+(?: [a-z_0-9]+)*)(?:\(([^()]*)\))?")
_COLLATION = re.compile(r"([^ ]+) collate (\w+)")


def read_leaf(text: str, notation: Notation) -> DataType:
    """Return the type of a text such as decimal(10,2) or geography(OGC:CRS84, SPHERICAL)."""
    collated = _COLLATION.fullmatch(text)
    if collated:
        check_collation(collated[2])
        text = collated[1]
    match = _TEXT.fullmatch(text.lower() if notation == "ddl" else text)
    if match is None:
        return named_type(NAMES[notation], text, [])
    name = match[1]
    arguments = [] if match[2] is None else [argument.strip() for argument in match[2].split(",")]
    if name == "geography" and len(arguments) == 1 and ":" not in arguments[0] and notation == "json":
        arguments = ["OGC:CRS84", *arguments]
    return named_type(NAMES[notation], name, arguments)


def check_collation(name: str) -> None:
    """Refuse a collation that changes what is equal."""
    if name.upper() != "UTF8_BINARY":
        fix = "Use STRING without a collation, and compare with lower() or COLLATE in the query."
        raise FormatError(f"the collation {shown(name)} has no counterpart.", code="format.collation", fix=fix)


def named_type(names: Mapping[str, Name], name: str, arguments: list[str]) -> DataType:
    """Return the type of this name and these arguments, or raise a FormatError that says what to do."""
    row = names.get(name)
    if row is None:
        fix = _instead_of(name) or f"Use {', '.join([*names, 'array', 'map'])} or struct."
        raise FormatError(f"{shown(name)} cannot be a column's type.", code="format.unsupported-type", fix=fix)
    if len(arguments) not in row.counts:
        message = f"{name} has {len(arguments)} parameters."
        raise FormatError(message, code="format.parameters", fix=f"Give it {' or '.join(map(str, row.counts))}.")
    parameters = dict(row.fixed)
    for word, text in zip(row.parameters, arguments, strict=False):
        parameters[_OURS.get(word, word)] = _PARSE[word](text)
    return _checked(atomic.atomic(row.root, **parameters))


def _instead_of(name: str) -> str:
    """Return what to do instead of storing a type that no table holds; empty for an unknown type."""
    return next((fix for word, fix in REFUSED.items() if name.startswith(word)), "")


def _checked(kind: AtomicType) -> AtomicType:
    if kind.crs == "SRID:ANY":
        raise FormatError("a column of any coordinate system cannot be stored.", code="format.unsupported-type", fix="Name one.")
    if kind.root in (Root.TIMESTAMP, Root.TIMESTAMP_LTZ) and (kind.precision or 0) < _MICROS["precision"]:
        message = f"Spark has no timestamp of precision {kind.precision}."
        raise FormatError(message, code="type.timestamp-precision-range", fix="Leave the precision out, or use 6 to 9.")
    return kind


def _parse_number(text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 10:
        raise FormatError(f"{shown(text)} is no parameter.", code="format.parameters", fix="Write a whole number.")
    return int(text)


def _parse_srid(text: str) -> str:
    if text.upper() == "ANY":
        return "SRID:ANY"
    number = _parse_number(text)
    authority = "EPSG" if number < _ESRI else "ESRI"
    return _SRIDS.get(str(number)) or f"{authority}:{number}"


_PARSE: dict[str, Callable[[str], Any]] = {
    "length": _parse_number,
    "precision": _parse_number,
    "scale": _parse_number,
    "crs": str,
    "srid": _parse_srid,
    "algorithm": str.lower,
}
_OURS = {"srid": "crs"}

# ---------------------------------------------------------------- to Spark


class SparkLeaf(NamedTuple):
    """One of our types in both notations, and the part of it that does not read back.

    In JSON, Spark keeps the lengths of CHAR and VARCHAR in the metadata of the column.
    """

    json: str
    ddl: str
    what: str = ""


LEAVES: dict[str, SparkLeaf] = {
    "BOOLEAN": SparkLeaf("boolean", "BOOLEAN"),
    "TINYINT": SparkLeaf("byte", "TINYINT"),
    "SMALLINT": SparkLeaf("short", "SMALLINT"),
    "INTEGER": SparkLeaf("integer", "INT"),
    "BIGINT": SparkLeaf("long", "BIGINT"),
    "FLOAT": SparkLeaf("float", "FLOAT"),
    "DOUBLE": SparkLeaf("double", "DOUBLE"),
    "DATE": SparkLeaf("date", "DATE"),
    "VARIANT": SparkLeaf("variant", "VARIANT"),
    "STRING": SparkLeaf("string", "STRING"),
    "BYTES": SparkLeaf("binary", "BINARY"),
    "DECIMAL": SparkLeaf("decimal({precision},{scale})", "DECIMAL({precision},{scale})"),
    "CHAR": SparkLeaf("string", "CHAR({length})", "length"),
    "VARCHAR": SparkLeaf("string", "VARCHAR({length})", "length"),
    # Spark has it since 4.1, where spark.sql.timeType.enabled is set.
    "TIME": SparkLeaf("time({precision})", "TIME({precision})"),
    "TIMESTAMP": SparkLeaf("timestamp_ntz", "TIMESTAMP_NTZ", "precision"),
    "TIMESTAMP_LTZ": SparkLeaf("timestamp", "TIMESTAMP", "precision"),
    "BINARY": SparkLeaf("binary", "BINARY", "length"),
    "VARBINARY": SparkLeaf("binary", "BINARY", "length"),
    "BLOB": SparkLeaf("binary", "BINARY", "type"),
    "GEOMETRY": SparkLeaf("geometry({crs})", "GEOMETRY({srid})", "coordinate system"),
    "GEOGRAPHY": SparkLeaf("geography({crs}, SPHERICAL)", "GEOGRAPHY({srid})", "edge algorithm or coordinate system"),
}

# Ours, Spark's JSON, Spark's DDL, and what comes back.
LOSSY: tuple[tuple[str, str, str, str], ...] = (
    ("TIMESTAMP(3)", "timestamp_ntz", "TIMESTAMP_NTZ", "TIMESTAMP(6)"),
    ("TIMESTAMP(9)", "timestamp_ntz", "TIMESTAMP_NTZ", "TIMESTAMP(6)"),
    ("TIMESTAMP(0) WITH LOCAL TIME ZONE", "timestamp", "TIMESTAMP", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
    ("BINARY(5)", "binary", "BINARY", "BYTES"),
    ("VARBINARY(5)", "binary", "BINARY", "BYTES"),
    ("BLOB", "binary", "BINARY", "BYTES"),
    ("GEOMETRY(EPSG:4326)", "geometry(OGC:CRS84)", "GEOMETRY(4326)", "GEOMETRY(OGC:CRS84)"),
    ("GEOGRAPHY(OGC:CRS84, vincenty)", "geography(OGC:CRS84, SPHERICAL)", "GEOGRAPHY(4326)", "GEOGRAPHY(OGC:CRS84, spherical)"),
)


class WrittenLeaf(NamedTuple):
    """A type in a notation, and the part of it that does not read back."""

    text: str
    what: str = ""
    message: str = ""


@lru_cache(maxsize=10_000)
def written(kind: AtomicType, notation: Notation) -> WrittenLeaf:
    """Return the type in the notation, without its nullability."""
    longest = LONGEST.get(kind.root) if kind.length == MAX_LENGTH else None
    if kind.root is Root.OPAQUE:
        refuse_opaque(kind, "Spark")
    leaf = LEAVES[longest or kind.root.name]
    parameters = {name: getattr(kind, name) for name in kind.__struct_fields__}
    if kind.crs is not None:
        parameters |= _coordinate_system(kind.crs, notation)
    text = getattr(leaf, notation).format(**parameters)
    back = read_leaf(text, notation)
    if back == kind.with_nullable(True):
        return WrittenLeaf(text)
    return WrittenLeaf(text, leaf.what, f"{kind.with_nullable(True)} becomes Spark's {text}, which reads back as {back}.")


def _coordinate_system(crs: str, notation: Notation) -> dict[str, str]:
    """Return the coordinate system as Spark and PySpark spell it, and its number."""
    name = crs.upper()
    number = _srid(name)
    by_number = notation == "ddl"
    if (by_number and not number) or (not by_number and not _CRS.fullmatch(name)):
        fix = "Use OGC:CRS84, or a system such as EPSG:3857."
        raise FormatError(f"Spark cannot name the coordinate system {shown(crs)}.", code="format.unsupported-type", fix=fix)
    return {"crs": _SRIDS.get(number, name), "srid": number}


def _srid(name: str) -> str:
    """Return the number of a coordinate system; empty if it has none."""
    match = _NUMBERED.fullmatch(name)
    if match:
        return match[1]
    return next((number for number, known in _SRIDS.items() if known == name), "")


# ---------------------------------------------------------------- containers


def null_losses(kind: DataType, notation: Notation, path: str) -> Iterator[Loss]:
    """Yield the nullability inside a container that Spark, or its DDL, does not have."""
    if isinstance(kind, MapType):
        yield from _key_losses(kind.key, f"{path}.key")
        yield from _value_losses(kind.value, notation, f"{path}.value")
    elif isinstance(kind, MultisetType):
        yield from _key_losses(kind.element, f"{path}.element")
    elif isinstance(kind, ArrayType | VectorType):
        yield from _value_losses(kind.element, notation, f"{path}.element")


def _key_losses(key: DataType, path: str) -> Iterator[Loss]:
    if key.nullable:
        yield Loss(path, "nullability", "the keys of Spark's maps are never null; it reads back as NOT NULL.")


def _value_losses(value: DataType, notation: Notation, path: str) -> Iterator[Loss]:
    if notation == "ddl" and not value.nullable:
        yield Loss(path, "nullability", "Spark's DDL has no NOT NULL inside a container; it reads back as nullable.")


def container_losses(kind: DataType, path: str) -> Iterator[Loss]:
    """Yield the loss for a container that Spark does not have."""
    if isinstance(kind, MultisetType):
        yield Loss(path, "type", "MULTISET becomes Spark's map from the element to its count; it reads back as a MAP.")
    if isinstance(kind, VectorType):
        yield Loss(path, "type", f"VECTOR of {kind.length} becomes Spark's array; it reads back as an ARRAY.")

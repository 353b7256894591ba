"""The types of Spark: names in both notations, what each becomes, and what is lost on the way.

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
from airflow_provider_schemas.formats.base import Loss

Notation = Literal["json", "ddl"]

# ---------------------------------------------------------------- from Spark


class Name(NamedTuple):
    """What a name of Spark stands for: a root, its parameters in order, and how many of them may be given."""

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

# What no table of ours can hold, by the beginning of its name, and what to do instead.
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
    """The type of a text such as decimal(10,2) or geography(OGC:CRS84, SPHERICAL)."""
    collated = _COLLATION.fullmatch(text)
    if collated:
        check_collation(collated[2])
        text = collated[1]
    found = _TEXT.fullmatch(text.lower() if notation == "ddl" else text)
    name, inside = (found[1], found[2]) if found else (text, None)
    arguments = [] if inside is None else [part.strip() for part in inside.split(",")]
    if name == "geography" and len(arguments) == 1 and ":" not in arguments[0] and notation == "json":
        arguments = ["OGC:CRS84", *arguments]
    return kind_of(NAMES[notation], name, arguments)


def check_collation(name: str) -> None:
    """Refuse a collation that changes what is equal."""
    if name.upper() != "UTF8_BINARY":
        fix = "Use STRING without a collation, and compare with lower() or COLLATE in the query."
        raise FormatError(f"the collation {shown(name)} has no counterpart.", code="format.collation", fix=fix)


def kind_of(names: Mapping[str, Name], name: str, arguments: list[str]) -> DataType:
    """The type of this name and these arguments, or a FormatError that says what to do."""
    row = names.get(name)
    if row is None:
        fix = next((fix for word, fix in REFUSED.items() if name.startswith(word)), f"Use {', '.join([*names, 'array', 'map'])} or struct.")
        raise FormatError(f"{shown(name)} cannot be a column's type.", code="format.unsupported-type", fix=fix)
    if len(arguments) not in row.counts:
        message = f"{name} has {len(arguments)} parameters."
        raise FormatError(message, code="format.parameters", fix=f"Give it {' or '.join(map(str, row.counts))}.")
    values = {_OURS.get(word, word): _VALUES[word](text) for word, text in zip(row.parameters, arguments, strict=False)}
    return _checked(atomic.atomic(row.root, **{**row.fixed, **values}))


def _checked(kind: AtomicType) -> AtomicType:
    if kind.crs == "SRID:ANY":
        raise FormatError("a column of any coordinate system cannot be stored.", code="format.unsupported-type", fix="Name one.")
    if kind.root in (Root.TIMESTAMP, Root.TIMESTAMP_LTZ) and (kind.precision or 0) < _MICROS["precision"]:
        message = f"Spark has no timestamp of precision {kind.precision}."
        raise FormatError(message, code="type.timestamp-precision-range", fix="Leave the precision out, or use 6 to 9.")
    return kind


def _number(text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 10:
        raise FormatError(f"{shown(text)} is no parameter.", code="format.parameters", fix="Write a whole number.")
    return int(text)


def _crs_of(text: str) -> str:
    if text.upper() == "ANY":
        return "SRID:ANY"
    number = str(_number(text))
    return _SRIDS.get(number) or f"{'EPSG' if int(number) < _ESRI else 'ESRI'}:{number}"


_VALUES: dict[str, Callable[[str], Any]] = {
    "length": _number,
    "precision": _number,
    "scale": _number,
    "crs": str,
    "srid": _crs_of,
    "algorithm": str.lower,
}
_OURS = {"srid": "crs"}

# ---------------------------------------------------------------- to Spark


class Leaf(NamedTuple):
    """One of our types in both notations; what it loses where it does not read back as itself.

    In JSON, Spark keeps the lengths of CHAR and VARCHAR in the metadata of the column.
    """

    json: str
    ddl: str
    what: str = ""


LEAVES: dict[str, Leaf] = {
    "BOOLEAN": Leaf("boolean", "BOOLEAN"),
    "TINYINT": Leaf("byte", "TINYINT"),
    "SMALLINT": Leaf("short", "SMALLINT"),
    "INTEGER": Leaf("integer", "INT"),
    "BIGINT": Leaf("long", "BIGINT"),
    "FLOAT": Leaf("float", "FLOAT"),
    "DOUBLE": Leaf("double", "DOUBLE"),
    "DATE": Leaf("date", "DATE"),
    "VARIANT": Leaf("variant", "VARIANT"),
    "STRING": Leaf("string", "STRING"),
    "BYTES": Leaf("binary", "BINARY"),
    "DECIMAL": Leaf("decimal({precision},{scale})", "DECIMAL({precision},{scale})"),
    "CHAR": Leaf("string", "CHAR({length})", "length"),
    "VARCHAR": Leaf("string", "VARCHAR({length})", "length"),
    # Spark has it since 4.1, where spark.sql.timeType.enabled is set.
    "TIME": Leaf("time({precision})", "TIME({precision})"),
    "TIMESTAMP": Leaf("timestamp_ntz", "TIMESTAMP_NTZ", "precision"),
    "TIMESTAMP_LTZ": Leaf("timestamp", "TIMESTAMP", "precision"),
    "BINARY": Leaf("binary", "BINARY", "length"),
    "VARBINARY": Leaf("binary", "BINARY", "length"),
    "BLOB": Leaf("binary", "BINARY", "type"),
    "GEOMETRY": Leaf("geometry({crs})", "GEOMETRY({srid})", "coordinate system"),
    "GEOGRAPHY": Leaf("geography({crs}, SPHERICAL)", "GEOGRAPHY({srid})", "edge algorithm or coordinate system"),
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


class Written(NamedTuple):
    """A type in a notation, and what of it does not read back."""

    text: str
    what: str = ""
    message: str = ""


@lru_cache(maxsize=10_000)
def written(kind: AtomicType, notation: Notation) -> Written:
    """The type in the notation, without its nullability."""
    longest = LONGEST.get(kind.root) if kind.length == MAX_LENGTH else None
    leaf = LEAVES[longest or kind.root.name]
    values = {name: getattr(kind, name) for name in kind.__struct_fields__}
    text = getattr(leaf, notation).format(**values | ({} if kind.crs is None else _system(kind.crs, notation)))
    back = read_leaf(text, notation)
    if back == kind.with_nullable(True):
        return Written(text)
    return Written(text, leaf.what, f"{kind.with_nullable(True)} becomes Spark's {text}, which reads back as {back}.")


def _system(crs: str, notation: Notation) -> dict[str, str]:
    """The coordinate system as Spark spells it, PySpark too, and its number."""
    name = crs.upper()
    numbered = _NUMBERED.fullmatch(name)
    number = numbered[1] if numbered else next((number for number, known in _SRIDS.items() if known == name), "")
    if not number if notation == "ddl" else not _CRS.fullmatch(name):
        fix = "Use OGC:CRS84, or a system such as EPSG:3857."
        raise FormatError(f"Spark cannot name the coordinate system {shown(crs)}.", code="format.unsupported-type", fix=fix)
    return {"crs": _SRIDS.get(number, name), "srid": number}


# ---------------------------------------------------------------- containers


def null_losses(kind: DataType, notation: Notation, path: str) -> Iterator[Loss]:
    """The nullability inside a container that Spark, or its DDL, does not know."""
    key = kind.key if isinstance(kind, MapType) else kind.element if isinstance(kind, MultisetType) else None
    if key is not None and key.nullable:
        word = "key" if isinstance(kind, MapType) else "element"
        yield Loss(f"{path}.{word}", "nullability", "the keys of Spark's maps are never null; it reads back as NOT NULL.")
    part = kind.value if isinstance(kind, MapType) else kind.element if isinstance(kind, ArrayType | VectorType) else None
    if notation == "ddl" and part is not None and not part.nullable:
        word = "value" if isinstance(kind, MapType) else "element"
        yield Loss(f"{path}.{word}", "nullability", "Spark's DDL has no NOT NULL inside a container; it reads back as nullable.")


def container_losses(kind: DataType, path: str) -> Iterator[Loss]:
    """The containers that Spark does not have."""
    if isinstance(kind, MultisetType):
        yield Loss(path, "type", "MULTISET becomes Spark's map from the element to its count; it reads back as a MAP.")
    if isinstance(kind, VectorType):
        yield Loss(path, "type", f"VECTOR of {kind.length} becomes Spark's array; it reads back as an ARRAY.")

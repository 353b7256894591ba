"""The kinds of data types: one row per root, with its canonical text, parameter ranges and defaults.

This is data. A new atomic type of Paimon starts here, with a member of Root and a row of KINDS.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

MAX_LENGTH = 2_147_483_647


class Root(StrEnum):
    """What kind of data a type holds, without its parameters."""

    CHAR = "CHAR"
    VARCHAR = "VARCHAR"
    BOOLEAN = "BOOLEAN"
    BINARY = "BINARY"
    VARBINARY = "VARBINARY"
    DECIMAL = "DECIMAL"
    TINYINT = "TINYINT"
    SMALLINT = "SMALLINT"
    INTEGER = "INTEGER"
    BIGINT = "BIGINT"
    FLOAT = "FLOAT"
    DOUBLE = "DOUBLE"
    DATE = "DATE"
    TIME = "TIME_WITHOUT_TIME_ZONE"
    TIMESTAMP = "TIMESTAMP_WITHOUT_TIME_ZONE"
    TIMESTAMP_LTZ = "TIMESTAMP_WITH_LOCAL_TIME_ZONE"
    VARIANT = "VARIANT"
    BLOB = "BLOB"
    GEOMETRY = "GEOMETRY"
    GEOGRAPHY = "GEOGRAPHY"
    OPAQUE = "OPAQUE"
    """A type of another format, of which only the text is known."""
    ARRAY = "ARRAY"
    VECTOR = "VECTOR"
    MULTISET = "MULTISET"
    MAP = "MAP"
    ROW = "ROW"


class Limit(NamedTuple):
    """The range of a parameter and the code of a value outside it."""

    least: int
    most: int
    code: str


_LENGTH = {"length": Limit(1, MAX_LENGTH, "type.length-out-of-range")}
_TIME = {"precision": Limit(0, 9, "type.time-precision-range")}
_TIMESTAMP = {"precision": Limit(0, 9, "type.timestamp-precision-range")}
_DECIMAL = {
    "precision": Limit(1, 38, "type.decimal-precision-range"),
    "scale": Limit(0, 38, "type.decimal-scale-range"),
}

ALGORITHMS = ("spherical", "vincenty", "thomas", "andoyer", "karney")


class Kind(NamedTuple):
    """What all types of one root share: canonical text, ranges, defaults."""

    text: str
    limits: Mapping[str, Limit] = {}
    defaults: Mapping[str, Any] = {}


KINDS: dict[Root, Kind] = {
    Root.CHAR: Kind("CHAR({length})", _LENGTH, {"length": 1}),
    Root.VARCHAR: Kind("VARCHAR({length})", _LENGTH, {"length": 1}),
    Root.BOOLEAN: Kind("BOOLEAN"),
    Root.BINARY: Kind("BINARY({length})", _LENGTH, {"length": 1}),
    Root.VARBINARY: Kind("VARBINARY({length})", _LENGTH, {"length": 1}),
    Root.DECIMAL: Kind("DECIMAL({precision}, {scale})", _DECIMAL, {"precision": 10, "scale": 0}),
    Root.TINYINT: Kind("TINYINT"),
    Root.SMALLINT: Kind("SMALLINT"),
    Root.INTEGER: Kind("INT"),
    Root.BIGINT: Kind("BIGINT"),
    Root.FLOAT: Kind("FLOAT"),
    Root.DOUBLE: Kind("DOUBLE"),
    Root.DATE: Kind("DATE"),
    Root.TIME: Kind("TIME({precision})", _TIME, {"precision": 0}),
    Root.TIMESTAMP: Kind("TIMESTAMP({precision})", _TIMESTAMP, {"precision": 6}),
    Root.TIMESTAMP_LTZ: Kind("TIMESTAMP({precision}) WITH LOCAL TIME ZONE", _TIMESTAMP, {"precision": 6}),
    Root.VARIANT: Kind("VARIANT"),
    Root.BLOB: Kind("BLOB"),
    Root.GEOMETRY: Kind("GEOMETRY({crs})", {}, {"crs": "OGC:CRS84"}),
    Root.GEOGRAPHY: Kind("GEOGRAPHY({crs}, {algorithm})", {}, {"crs": "OGC:CRS84", "algorithm": "spherical"}),
    # No default: a text belongs to every such type.
    Root.OPAQUE: Kind("OPAQUE({text})", {}, {"text": ""}),
}

# The opaque types that hold nothing but NULL: Iceberg's `unknown` and Spark's `void`.
VOID_TEXTS = frozenset({"unknown", "void"})

# The longest VARCHAR and VARBINARY have names of their own.
LONGEST = {Root.VARCHAR: "STRING", Root.VARBINARY: "BYTES"}

VECTOR_ELEMENTS = frozenset({Root.BOOLEAN, Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE})

# In Paimon's JSON form: the members of a container that hold a type, and all of its members.
# The order is the one in which Java tries the prefixes.
PART_KEYS = {"ARRAY": ("element",), "VECTOR": ("element",), "MULTISET": ("element",), "MAP": ("key", "value"), "ROW": ()}
CONTAINER_KEYS = {
    "ARRAY": frozenset({"type", "element"}),
    "VECTOR": frozenset({"type", "element", "length"}),
    "MULTISET": frozenset({"type", "element"}),
    "MAP": frozenset({"type", "key", "value"}),
    "ROW": frozenset({"type", "fields"}),
}
FIELD_KEYS = frozenset({"id", "name", "type", "description", "defaultValue"})

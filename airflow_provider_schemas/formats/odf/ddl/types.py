"""The types of the DDL as data: the ODF type of each name, its parameters, and what to write instead of unknown names."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataType, Timestamp


class SqlType(NamedTuple):
    """A name of a type: the ODF type, and how many parameters it may have, none of which ODF keeps."""

    kind: DataType
    max_parameters: int = 0
    unsigned: DataType | None = None
    """The ODF type with UNSIGNED behind the name."""


_INT = SqlType(PLAIN[Kind.INT32], 1, PLAIN[Kind.UINT32])
_UNSIGNED = SqlType(PLAIN[Kind.UINT32])
_SIGNED = SqlType(PLAIN[Kind.INT32])
_BOOL = SqlType(PLAIN[Kind.BOOL])
_TEXT = SqlType(PLAIN[Kind.STRING])
_SIZED_TEXT = SqlType(PLAIN[Kind.STRING], 1)
# Whatever its precision and zone.
_MOMENT = SqlType(Timestamp(), 1)

TYPES: Mapping[str, SqlType] = {
    "BOOL": _BOOL,
    "BOOLEAN": _BOOL,
    "INT": _INT,
    "INTEGER": _INT,
    "INT32": _SIGNED,
    "SIGNED": _SIGNED,
    "UINT32": _UNSIGNED,
    "UNSIGNED": _UNSIGNED,
    "BIGINT": SqlType(PLAIN[Kind.INT64], 1, PLAIN[Kind.UINT64]),
    "FLOAT": SqlType(PLAIN[Kind.FLOAT32], 2),
    "FLOAT32": SqlType(PLAIN[Kind.FLOAT32]),
    "DOUBLE": SqlType(PLAIN[Kind.FLOAT64], 2),
    "STRING": _SIZED_TEXT,
    "VARCHAR": _SIZED_TEXT,
    "TEXT": _TEXT,
    "TINYTEXT": _TEXT,
    "MEDIUMTEXT": _TEXT,
    "LONGTEXT": _TEXT,
    "TIMESTAMP": _MOMENT,
    "TIMESTAMPTZ": _MOMENT,
}
ARRAY: Final = "ARRAY"
DATE: Final = "DATE"
DECIMAL: Final = "DECIMAL"
# Names of two words.
PAIRS: Mapping[str, str] = {"SIGNED": "INTEGER", "UNSIGNED": "INTEGER"}
ZONED = frozenset({"TIMESTAMP"})
ZONES = (("WITH", "TIME", "ZONE"), ("WITHOUT", "TIME", "ZONE"))

_IN_ODF = "the whole schema as ODF, where it is {}"
# The types of other dialects, and what to write instead.
INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "MEDIUMINT", "INT2", "INT4", "INT16", "UINT8", "UINT16"), "INT"),
    **dict.fromkeys(("INT8", "INT64"), "BIGINT"),
    "UINT64": "BIGINT UNSIGNED",
    "FLOAT4": "FLOAT",
    "REAL": "FLOAT",
    **dict.fromkeys(("FLOAT8", "FLOAT64"), "DOUBLE"),
    **dict.fromkeys(("DEC", "NUMERIC", "NUMBER", "BIGNUMERIC"), "DECIMAL(p, s)"),
    **dict.fromkeys(("CHAR", "CHARACTER", "NVARCHAR", "NCHAR", "CLOB", "UUID", "JSON", "JSONB", "ENUM"), "STRING"),
    **dict.fromkeys(("DATETIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ"), "TIMESTAMP"),
    "DATE32": "DATE",
    **dict.fromkeys(("BINARY", "VARBINARY", "BYTEA", "BYTES", "BLOB"), _IN_ODF.format("Binary")),
    "TIME": _IN_ODF.format("Time"),
    "INTERVAL": _IN_ODF.format("Duration"),
    "STRUCT": _IN_ODF.format("Struct"),
    "ROW": _IN_ODF.format("Struct"),
    "MAP": _IN_ODF.format("Map"),
}

# Unquoted, these begin a constraint of the table in SQL, so that the reference stops at a column of that name.
RESERVED = frozenset({"CHECK", "CONSTRAINT", "FOREIGN", "FULLTEXT", "INDEX", "KEY", "PRIMARY", "SPATIAL", "UNIQUE"})

KNOWN = (*TYPES, f"{DECIMAL}(p, s)", DATE, f"{ARRAY}<T>")


def is_type(word: str) -> bool:
    """Return whether a word, in capital letters, is the name of a type here or in another dialect."""
    return word in TYPES or word in INSTEAD or word in (ARRAY, DATE, DECIMAL)

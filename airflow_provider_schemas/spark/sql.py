"""Spark SQL as text: names, literals and types, written so that no setting of a session reads them differently.

Conversions are written as SQL and not as columns: one text a column is one message to the session, classic or
Connect, where a tree of functions is dozens.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import RowType
from airflow_provider_schemas.errors import ProjectionError

# Spark replaces these wherever they stand in SQL, quoted or not.
_VARIABLE: Final = re.compile(r"\$\{[^}$ ]+\}")
_PLAIN: Final = re.compile(r"[A-Za-z0-9 _.,:;()<>/+*=-]*")

# Not TIMESTAMP, which a setting turns into either of the two.
_TYPES: Final = {
    Root.CHAR: "STRING",
    Root.VARCHAR: "STRING",
    Root.BOOLEAN: "BOOLEAN",
    Root.BINARY: "BINARY",
    Root.VARBINARY: "BINARY",
    Root.BLOB: "BINARY",
    Root.DECIMAL: "DECIMAL({precision}, {scale})",
    Root.TINYINT: "TINYINT",
    Root.SMALLINT: "SMALLINT",
    Root.INTEGER: "INT",
    Root.BIGINT: "BIGINT",
    Root.FLOAT: "FLOAT",
    Root.DOUBLE: "DOUBLE",
    Root.DATE: "DATE",
    Root.TIME: "TIME({precision})",
    Root.TIMESTAMP: "TIMESTAMP_NTZ",
    Root.TIMESTAMP_LTZ: "TIMESTAMP_LTZ",
    Root.VARIANT: "VARIANT",
    Root.GEOMETRY: "BINARY",
    Root.GEOGRAPHY: "BINARY",
}


def name(text: str) -> str:
    """Write the name of a column or field."""
    if _VARIABLE.search(text):
        message = f"Spark puts the value of a variable where the name {shown(text)} says so."
        raise ProjectionError(message, code="spark.name", path=text, fix="Leave the column out, or rename it.")
    return f"`{text.replace('`', '``')}`"


def free(wanted: str, taken: Iterable[str]) -> str:
    """Return a name for a column of our own, that none of these has, however it is spelled."""
    lower_names = {text.lower() for text in taken}
    while wanted.lower() in lower_names:
        wanted += "_"
    return wanted


def literal(text: str) -> str:
    """Write a text. Quotes and backslashes mean what settings say they mean, so what is not plain is given by its bytes."""
    if _PLAIN.fullmatch(text):
        return f"'{text}'"
    return f"cast(X'{text.encode('utf-8', 'replace').hex()}' as string)"


def null(data_type: DataType) -> str:
    """Write no value, of a type."""
    return f"cast(null as {type_text(data_type)})"


def type_text(data_type: DataType) -> str:
    """Write the type by which Spark holds values of a type."""
    if data_type.root is Root.OPAQUE:
        message = f"Spark has no type for {data_type}, of which only the text is known."
        raise ProjectionError(message, code="spark.opaque", fix="Leave the column out.")
    if isinstance(data_type, AtomicType):
        return _TYPES[data_type.root].format(precision=data_type.precision, scale=data_type.scale)
    return _CONTAINERS[data_type.root](data_type)


def _row(row: RowType) -> str:
    return f"STRUCT<{', '.join(f'{name(field.name)}: {type_text(field.type)}' for field in row.fields)}>"


# By root: a container NOT NULL is of a class of its own.
_CONTAINERS: Final[dict[Root, Callable[[Any], str]]] = {
    Root.ARRAY: lambda array: f"ARRAY<{type_text(array.element)}>",
    Root.VECTOR: lambda vector: f"ARRAY<{type_text(vector.element)}>",
    Root.MAP: lambda map_type: f"MAP<{type_text(map_type.key)}, {type_text(map_type.value)}>",
    Root.MULTISET: lambda multiset: f"MAP<{type_text(multiset.element)}, INT>",
    Root.ROW: _row,
}

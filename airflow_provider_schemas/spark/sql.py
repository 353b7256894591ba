"""Spark SQL as text: names, literals and types, written so that no setting of a session reads them differently.

Conversions are written as SQL and not as columns: one text a column is one message to the session, classic or
Connect, where a tree of functions is dozens.
"""

import re
from collections.abc import Iterable
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
    """A column or field."""
    if _VARIABLE.search(text):
        fix = "Leave the column out, or rename it."
        raise ProjectionError(
            f"Spark puts the value of a variable where the name {shown(text)} says so.", code="spark.name", path=text, fix=fix
        )
    return f"`{text.replace('`', '``')}`"


def free(wanted: str, taken: Iterable[str]) -> str:
    """A name for a column of our own, that none of these has, however it is spelled."""
    known = {one.lower() for one in taken}
    while wanted.lower() in known:
        wanted += "_"
    return wanted


def literal(text: str) -> str:
    """A text. Quotes and backslashes mean what settings say they mean, so what is not plain is given by its bytes."""
    return f"'{text}'" if _PLAIN.fullmatch(text) else f"cast(X'{text.encode('utf-8', 'replace').hex()}' as string)"


def type_text(kind: Any) -> str:
    """The type by which Spark holds values of a type."""
    if isinstance(kind, AtomicType):
        return _TYPES[kind.root].format(precision=kind.precision, scale=kind.scale)
    return str(_CONTAINERS[kind.root](kind))


def _row(kind: RowType) -> str:
    return f"STRUCT<{', '.join(f'{name(one.name)}: {type_text(one.type)}' for one in kind.fields)}>"


# By root: a container NOT NULL is of a class of its own.
_CONTAINERS: Final[dict[Root, Any]] = {
    Root.ARRAY: lambda kind: f"ARRAY<{type_text(kind.element)}>",
    Root.VECTOR: lambda kind: f"ARRAY<{type_text(kind.element)}>",
    Root.MAP: lambda kind: f"MAP<{type_text(kind.key)}, {type_text(kind.value)}>",
    Root.MULTISET: lambda kind: f"MAP<{type_text(kind.element)}, INT>",
    Root.ROW: _row,
}


def null(kind: DataType) -> str:
    """No value, of a type."""
    return f"cast(null as {type_text(kind)})"

"""Values of types on their way into Spark and out again, by their carriers.

Each leaf travels as a plain value of a type that loses nothing: a DECIMAL as its digits, a date as days, a timestamp as
microseconds. Out of Spark, timestamps without a zone are measured by an interval, which is not how the library does it.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.casts.cast_value import Timestamp
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.spark.sql import literal, name, null, type_text

_ZERO = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"


class Way(NamedTuple):
    """How values of a type travel: the type they travel as, there, and back, in Python and in SQL."""

    as_type: str
    there: Callable[[Any], Any]
    decoded: str
    encoded: str


def _plain(value: Any) -> Any:
    return value


def micros(value: Timestamp) -> int:
    return value.millis * 1000 + value.nanos // 1000


def digits(value: Decimal) -> str:
    return format(value, "f")


_INTERVAL = f"cast(cast(cast({{v}} - {_ZERO} as interval second) as decimal(20, 6)) * 1000000 as bigint)"
_WAYS = {
    **dict.fromkeys(BITS, Way("bigint", _plain, "cast({v} as {kind})", "cast({v} as bigint)")),
    **dict.fromkeys((Root.FLOAT, Root.DOUBLE), Way("double", _plain, "cast({v} as {kind})", "cast({v} as double)")),
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), Way("string", _plain, "{v}", "{v}")),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), Way("binary", bytearray, "{v}", "hex({v})")),
    Root.DECIMAL: Way("string", digits, "try_cast({v} as {kind})", "try_cast({v} as string)"),
    Root.BOOLEAN: Way("boolean", _plain, "{v}", "{v}"),
    Root.DATE: Way("int", _plain, "date_from_unix_date({v})", "unix_date({v})"),
    Root.TIMESTAMP: Way("bigint", micros, f"timestampadd(MICROSECOND, {{v}}, {_ZERO})", _INTERVAL),
    Root.TIMESTAMP_LTZ: Way("bigint", micros, "timestamp_micros({v})", "unix_micros({v})"),
}


def way(kind: Any) -> Way:
    found = _WAYS[kind.root]
    return found._replace(decoded=found.decoded.replace("{kind}", type_text(kind)))


def decoded(kind: Any, v: str) -> str:
    """The SQL of a value that travelled."""
    return way(kind).decoded.format(v=v)


def encoded(kind: Any, v: str) -> str:
    """The SQL that makes a value travel back."""
    return way(kind).encoded.format(v=v)


def arrived(kind: Any, value: Any) -> Any:
    """What a carrier should arrive as: floats as text, which tells the zeros apart and finds NaN equal."""
    if value is None:
        return None
    if kind.root in (Root.BINARY, Root.VARBINARY):
        return bytes(value).hex().upper()
    if kind.root in (Root.FLOAT, Root.DOUBLE):
        return repr(value)
    return way(kind).there(value)


def seen(kind: Any, value: Any) -> Any:
    """What came back, in the form of `arrived`."""
    return repr(value) if kind.root in (Root.FLOAT, Root.DOUBLE) and value is not None else value


# ---------------------------------------------------------------- as a literal


def as_sql(kind: Any, value: Any) -> str:
    """The SQL of one value, of a container too."""
    if value is None:
        return null(kind)
    if isinstance(kind, ArrayType):
        return f"cast(array({', '.join(as_sql(kind.element, one) for one in value)}) as {type_text(kind)})"
    if isinstance(kind, MapType):
        return f"cast(map({', '.join(f'{as_sql(kind.key, key)}, {as_sql(kind.value, one)}' for key, one in value)}) as {type_text(kind)})"
    if isinstance(kind, RowType):
        parts = zip(kind.fields, value, strict=True)
        return f"named_struct({', '.join(f'{literal(field.name)}, {as_sql(field.type, one)}' for field, one in parts)})"
    return decoded(kind, _literal(kind, value))


def _literal(kind: Any, value: Any) -> str:
    if kind.root in (Root.BINARY, Root.VARBINARY):
        return f"X'{bytes(value).hex()}'"
    found = way(kind)
    return f"cast({literal(str(found.there(value)))} as {found.as_type})"


__all__ = ["Way", "arrived", "as_sql", "decoded", "encoded", "name", "seen", "way"]

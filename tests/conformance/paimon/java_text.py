"""Values as the vectors write them and as Java prints them.

`carrier` reads a value of a vector into what the library works on; `printed` writes one as Java's `toString`
does, and `cell` as the rows of read-evolution have it. Only the digits of FLOAT and DOUBLE, which depend on
Java's own way to print them, are the library's.
"""

import ctypes
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from typing import Any

from airflow_provider_schemas.core import DataType, Timestamp, cast_value, parse_type
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from tests.conformance.paimon.java_dates import date_text, days_of, timestamp_of, timestamp_text

STRING = parse_type("STRING")

_WIDE = Context(prec=100)

_TEXTS = ("CHAR", "VARCHAR")
_BYTES = ("BINARY", "VARBINARY")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "TIME_WITHOUT_TIME_ZONE")
_INSTANTS = ("TIMESTAMP_WITHOUT_TIME_ZONE", "TIMESTAMP_WITH_LOCAL_TIME_ZONE")

# ---------------------------------------------------------------- what vectors write -> carriers


def carrier(value: Any, kind: DataType, bytes_of: Callable[[str], bytes] = str.encode) -> Any:
    """The carrier of a value that a vector writes as JSON."""
    if value is None:
        return None
    if isinstance(kind, ArrayType):
        return [carrier(one, kind.element, bytes_of) for one in value]
    if isinstance(kind, MapType):
        pairs = value.items() if isinstance(value, Mapping) else value
        return [(carrier(key, kind.key, bytes_of), carrier(one, kind.value, bytes_of)) for key, one in pairs]
    if isinstance(kind, RowType):
        cells = [value[one.name] for one in kind.fields] if isinstance(value, Mapping) else value
        return tuple(carrier(cell, one.type, bytes_of) for cell, one in zip(cells, kind.fields, strict=True))
    return bytes_of(value) if kind.root.value in _BYTES else _leaf_carrier(value, kind)


def _leaf_carrier(value: Any, kind: DataType) -> Any:
    if isinstance(kind, AtomicType) and kind.scale is not None:
        return Decimal(value).quantize(Decimal(1).scaleb(-kind.scale), context=_WIDE)
    read = _READ.get(kind.root.value)
    return read(value) if read else value


_READ: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_WHOLE, int),
    "FLOAT": lambda value: ctypes.c_float(float(value)).value,
    "DOUBLE": float,
    "DATE": lambda value: value if isinstance(value, int) else days_of(value),
    **dict.fromkeys(_INSTANTS, timestamp_of),
}


# ---------------------------------------------------------------- carriers -> what Java prints


def printed(value: Any, kind: DataType) -> str:
    """The value as the vectors of cast-value show it."""
    if value is None:
        return "null"
    if isinstance(kind, ArrayType):
        return f"[{','.join(printed(one, kind.element) for one in value)}]"
    if isinstance(kind, MapType):
        return f"{{{', '.join(f'{printed(key, kind.key)}={printed(one, kind.value)}' for key, one in pairs_of(value))}}}"
    if isinstance(kind, RowType):
        return f"({','.join(printed(cell, one.type) for cell, one in zip(cells_of(value, kind), kind.fields, strict=True))})"
    return _printed_leaf(value, kind)


def _printed_leaf(value: Any, kind: DataType) -> str:
    text = leaf(value, kind)
    if kind.root.value in _TEXTS:
        return f"'{text}'"
    if kind.root.value == "DATE":
        return f"{text} ({value})"
    return f"{text} ms={value.millis} ns={value.nanos}" if isinstance(value, Timestamp) else text


def cell(value: Any, kind: DataType) -> Any:
    """The value as the rows of read-evolution show it, with every leaf as text."""
    if value is None:
        return None
    if isinstance(kind, ArrayType):
        return [cell(one, kind.element) for one in value]
    if isinstance(kind, MapType):
        return [[cell(key, kind.key), cell(one, kind.value)] for key, one in pairs_of(value)]
    if isinstance(kind, RowType):
        return {one.name: cell(part, one.type) for part, one in zip(cells_of(value, kind), kind.fields, strict=True)}
    return leaf(value, kind)


def pairs_of(value: Any) -> list[tuple[Any, Any]]:
    """The entries of a MAP."""
    return [(key, one) for key, one in (value.items() if isinstance(value, Mapping) else value)]


def cells_of(value: Any, kind: RowType) -> list[Any]:
    """The values of a ROW, in the order of its fields."""
    return [value[one.name] for one in kind.fields] if isinstance(value, Mapping) else list(value)


def leaf(value: Any, kind: DataType) -> str:
    """The value of an atomic type as Java prints it; an error if it is no carrier of that type."""
    for roots, carrier_type, text in _WRITE:
        if kind.root.value in roots:
            if type(value) is not carrier_type:
                raise TypeError(f"{value!r} is no carrier of {kind}")
            return str(cast_value(value, kind, STRING) if text is None else text(value))
    raise TypeError(f"the vectors show no values of {kind}")


_WRITE: list[tuple[tuple[str, ...], type, Callable[[Any], str] | None]] = [
    (_TEXTS, str, str),
    (("BOOLEAN",), bool, lambda value: str(value).lower()),
    (_WHOLE, int, str),
    (("FLOAT", "DOUBLE"), float, None),
    (("DECIMAL",), Decimal, lambda value: format(value, "f")),
    (("DATE",), int, date_text),
    (_INSTANTS, Timestamp, timestamp_text),
    (_BYTES, bytes, lambda value: f"0x{value.hex()}"),
]

"""The value that a text in the name of a folder has under the type of a column."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from airflow_provider_schemas.core.casts.carriers import DECIMALS
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.store.footers.folder_keys import HIVE_NULL, unescaped

FolderValue = bool | int | float | Decimal | str | date | datetime | None

_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What Python and Spark read alike; each of them reads more than the other.
_NUMBER: Final = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,4})?")
_NOT_FINITE: Final = re.compile(r"NaN|[+-]?Infinity")
_TIMESTAMP: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?")
_BOOLEANS: Final = {"true": True, "false": False}
_BITS: Final = {Root.TINYINT: 8, Root.SMALLINT: 16, Root.INTEGER: 32, Root.BIGINT: 64}


def _read_text(text: str, _kind: AtomicType) -> str:
    return text


def _read_boolean(text: str, _kind: AtomicType) -> bool:
    return _BOOLEANS[text]


def _read_integer(text: str, kind: AtomicType) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError
    number = int(text)
    limit = 1 << _BITS[kind.root] - 1
    if not -limit <= number < limit:
        raise ValueError
    return number


def _read_date(text: str, _kind: AtomicType) -> date:
    if not _DATE.fullmatch(text):
        raise ValueError
    return date.fromisoformat(text)


def _read_decimal(text: str, kind: AtomicType) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ValueError
    number = Decimal(text)
    rounded = number.quantize(Decimal(1).scaleb(-(kind.scale or 0)), context=DECIMALS)
    if rounded != number or len(rounded.as_tuple().digits) > (kind.precision or 0):
        raise ValueError
    return rounded


def _read_float(text: str, _kind: AtomicType) -> float:
    if not (_NUMBER.fullmatch(text) or _NOT_FINITE.fullmatch(text)):
        raise ValueError
    return float(text)


def _read_timestamp(text: str, _kind: AtomicType) -> datetime:
    """Return the time on the clock; its zone is that of the session."""
    if not _TIMESTAMP.fullmatch(text):
        raise ValueError
    return datetime.fromisoformat(text)


_READ: Final[dict[Root, Callable[[str, AtomicType], FolderValue]]] = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), _read_text),
    **dict.fromkeys(_BITS, _read_integer),
    **dict.fromkeys((Root.FLOAT, Root.DOUBLE), _read_float),
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _read_timestamp),
    Root.BOOLEAN: _read_boolean,
    Root.DECIMAL: _read_decimal,
    Root.DATE: _read_date,
}


def names_folders(kind: DataType) -> bool:
    """Return whether values of the type can be read from the name of a folder."""
    return kind.root in _READ


def folder_value(text: str, kind: DataType) -> FolderValue:
    """Return the value of a text in the name of a folder; raise ValueError if it is none of that type."""
    if text == HIVE_NULL:
        return None
    read = _READ.get(kind.root)
    if read is None or not isinstance(kind, AtomicType):
        raise ValueError
    try:
        return read(unescaped(text), kind)
    except (KeyError, InvalidOperation, OverflowError) as error:
        raise ValueError from error

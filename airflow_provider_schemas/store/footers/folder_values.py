"""What a text in the name of a folder means under a type of a column."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from airflow_provider_schemas.core.casts.carriers import DECIMALS
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.store.footers.folder_keys import HIVE_NULL, unescaped

_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What Python and Spark read alike; each of them reads more than the other.
_NUMBER: Final = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,4})?")
_NO_NUMBER: Final = re.compile(r"NaN|[+-]?Infinity")
_CLOCK: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?")
_TRUTH: Final = {"true": True, "false": False}
_BITS: Final = {Root.TINYINT: 8, Root.SMALLINT: 16, Root.INTEGER: 32, Root.BIGINT: 64}


def _whole(text: str, kind: AtomicType) -> int:
    number = int(text) if _WHOLE.fullmatch(text) else None
    if number is None or not -(1 << _BITS[kind.root] - 1) <= number < 1 << _BITS[kind.root] - 1:
        raise ValueError
    return number


def _day(text: str, _kind: AtomicType) -> date:
    if not _DAY.fullmatch(text):
        raise ValueError
    return date.fromisoformat(text)


def _decimal(text: str, kind: AtomicType) -> Decimal:
    number = Decimal(text) if _NUMBER.fullmatch(text) else None
    if number is None:
        raise ValueError
    fitted = number.quantize(Decimal(1).scaleb(-(kind.scale or 0)), context=DECIMALS)
    if fitted != number or len(fitted.as_tuple().digits) > (kind.precision or 0):
        raise ValueError
    return fitted


def _floating(text: str) -> float:
    if not (_NUMBER.fullmatch(text) or _NO_NUMBER.fullmatch(text)):
        raise ValueError
    return float(text)


_READ: Final[dict[Root, Callable[[str, AtomicType], Any]]] = {
    Root.CHAR: lambda text, _: text,
    Root.VARCHAR: lambda text, _: text,
    Root.BOOLEAN: lambda text, _: _TRUTH[text],
    **dict.fromkeys(_BITS, _whole),
    Root.FLOAT: lambda text, _: _floating(text),
    Root.DOUBLE: lambda text, _: _floating(text),
    Root.DECIMAL: _decimal,
    Root.DATE: _day,
    Root.TIMESTAMP: lambda text, _: _without_zone(text),
    Root.TIMESTAMP_LTZ: lambda text, _: _without_zone(text),
}


def _without_zone(text: str) -> datetime:
    """The moment on the clock; of which zone it is, is the session's to say."""
    if not _CLOCK.fullmatch(text):
        raise ValueError
    return datetime.fromisoformat(text)


def names_folders(kind: DataType) -> bool:
    """Whether the name of a folder can tell values of the type."""
    return kind.root in _READ


def folder_value(text: str, kind: DataType) -> Any:
    """The value that the text in the name of a folder stands for; ValueError if it is none of that type."""
    if text == HIVE_NULL:
        return None
    read = _READ.get(kind.root)
    if read is None or not isinstance(kind, AtomicType):
        raise ValueError
    try:
        return read(unescaped(text), kind)
    except (KeyError, InvalidOperation, OverflowError) as error:
        raise ValueError from error

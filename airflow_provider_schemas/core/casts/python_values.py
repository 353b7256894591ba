"""Carriers to and from the values that Python programs hold: dates, datetimes, dicts.

A value without a counterpart on the other side is a CastError, never rounded or cut. Carriers are taken,
too, where Python has nothing as wide: days for a DATE, a Timestamp for a TIMESTAMP.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from airflow_provider_schemas.core.casts.carriers import (
    Check,
    Timestamp,
    Value,
    bad_carrier,
    check,
    or_null,
    outer_check,
    over_elements,
    over_fields,
    over_pairs,
    shown_type,
)
from airflow_provider_schemas.core.casts.cast_rules import checked_type
from airflow_provider_schemas.core.casts.numeric import checked_padding
from airflow_provider_schemas.core.casts.time_text import DAY
from airflow_provider_schemas.core.casts.timezones import Zone, zone
from airflow_provider_schemas.core.types.atomic import AnyDataType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError

Build = Callable[[AnyDataType, Zone], Check]
"""A function that returns the conversion for a type and a zone."""

_DATE_ZERO = date(1970, 1, 1).toordinal()
_ZERO = datetime(1970, 1, 1)  # noqa: DTZ001  # the clock time that TIMESTAMP counts from, in no zone
_INSTANT_ZERO = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def from_python(value: object, kind: DataType, *, timezone: str = "UTC") -> Value:
    """Return the carrier of a Python value.

    DATE takes a date, TIME a time, TIMESTAMP a naive datetime and the one with local time zone an aware one, DECIMAL a
    Decimal or int, FLOAT and DOUBLE a float or int, MAP a dict or pairs, ROW a dict by field name or a tuple. CHAR and
    BINARY are padded. A field missing in a dict is NULL, and None is NULL under every type.
    """
    return _reader(checked_type(kind), zone(timezone))(value)


def to_python(value: Value, kind: DataType, *, timezone: str = "UTC") -> Any:
    """Return the Python value of a carrier; a timestamp with local time zone becomes an aware datetime of the zone.

    A ROW may be a dict by field name, too, as `Projection.row` gives it. It becomes a dict, and so does a MAP whose keys
    have a hash and come once; others stay pairs.
    """
    return _writer(checked_type(kind), zone(timezone))(value)


def _zero(kind: DataType) -> datetime:
    """Return the time that a timestamp of this type counts from."""
    return _INSTANT_ZERO if kind.root is Root.TIMESTAMP_LTZ else _ZERO


def _no_python_value(kind: DataType, why: str) -> CastError:
    fix = "Keep the carrier, which has no such limits."
    return CastError(f"Python has no value for this {shown_type(kind)}: {why}.", code="cast.no-python-value", fix=fix)


# ---------------------------------------------------------------- from Python


@lru_cache(maxsize=1024)
def _reader(kind: DataType, where: Zone) -> Check:
    convert = _READERS.get(kind.root, _unchanged)(kind, where)
    checked = check(kind)
    return or_null(lambda value: checked(convert(value)))


def _unchanged(_kind: AnyDataType, _where: Zone) -> Check:
    return lambda value: value


def _read_text(kind: AnyDataType, _where: Zone) -> Check:
    padding: Any = {Root.CHAR: " ", Root.BINARY: b"\0"}.get(kind.root)
    checked = check(kind)

    def read(value: Value) -> Value:
        text = checked(bytes(value) if isinstance(value, bytearray | memoryview) else value)
        if len(text) > kind.length:
            raise bad_carrier(kind, value, ": it is too long")
        if padding is None:
            return text
        return text.ljust(checked_padding(kind.length, len(text)), padding)

    return read


def _read_float(kind: AnyDataType, _where: Zone) -> Check:
    def read(value: Value) -> Value:
        try:
            if type(value) is int:
                return float(value)
            return value
        except OverflowError:
            raise bad_carrier(kind, value) from None

    return read


def _read_decimal(_kind: AnyDataType, _where: Zone) -> Check:
    # A larger number fits no DECIMAL, and its digits would take long to make.
    return lambda value: Decimal(value) if type(value) is int and value.bit_length() < 200 else value


def _read_date(kind: AnyDataType, _where: Zone) -> Check:
    def read(value: Value) -> Value:
        if isinstance(value, datetime):
            raise bad_carrier(kind, value)
        if isinstance(value, date):
            return value.toordinal() - _DATE_ZERO
        return value

    return read


def _read_time(kind: AnyDataType, _where: Zone) -> Check:
    def read(value: Value) -> Value:
        if not isinstance(value, time):
            return value
        if value.tzinfo is not None or value.microsecond % 10 ** (6 - min(kind.precision, 3)):
            raise bad_carrier(kind, value, ": it has a zone, or more digits")
        seconds = 3600 * value.hour + 60 * value.minute + value.second
        return 1000 * seconds + value.microsecond // 1000

    return read


def _read_timestamp(kind: AnyDataType, _where: Zone) -> Check:
    aware = kind.root is Root.TIMESTAMP_LTZ
    zero = _zero(kind)
    finest = 10 ** (9 - kind.precision)

    def read(value: Value) -> Value:
        if not isinstance(value, datetime):
            return value
        if (value.utcoffset() is not None) is not aware:
            raise bad_carrier(kind, value, ": it must have a zone" if aware else ": it must have no zone")
        # The datetime of pandas has nanoseconds, too.
        nanos = (value - zero) // _MICROSECOND * 1000 + getattr(value, "nanosecond", 0)
        if nanos % finest:
            raise bad_carrier(kind, value, ": it has more digits")
        return Timestamp(*divmod(nanos, 1_000_000))

    return read


def _read_elements(kind: AnyDataType, where: Zone) -> Check:
    shape = outer_check(kind)
    elements = over_elements(_reader(kind.element, where))
    return lambda value: elements(shape(value))


def _read_pairs(kind: AnyDataType, where: Zone) -> Check:
    shape = outer_check(kind)
    if kind.root is Root.MAP:
        pairs = over_pairs(_reader(kind.key, where), _reader(kind.value, where))
    else:
        pairs = over_pairs(_reader(kind.element, where), _unchanged(kind, where))
    return lambda value: pairs(shape(value))


def _read_row(kind: AnyDataType, where: Zone) -> Check:
    values = _row_values(kind)
    fields = over_fields(kind.fields, [_reader(field.type, where) for field in kind.fields])
    return lambda value: fields(values(value))


def _row_values(kind: AnyDataType) -> Check:
    """Return the function that puts the values of a ROW in the order of its fields, out of a dict by name or a tuple."""
    names = [field.name for field in kind.fields]
    shape = outer_check(kind)
    known = frozenset(names)

    def values(value: Value) -> Value:
        if not isinstance(value, Mapping):
            return shape(value)
        if not value.keys() <= known:
            raise bad_carrier(kind, value, ": it has a field that the ROW has not")
        return [value.get(name) for name in names]

    return values


_READERS: dict[Root, Build] = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR, Root.BINARY, Root.VARBINARY), _read_text),
    **dict.fromkeys((Root.FLOAT, Root.DOUBLE), _read_float),
    Root.DECIMAL: _read_decimal,
    Root.DATE: _read_date,
    Root.TIME: _read_time,
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _read_timestamp),
    **dict.fromkeys((Root.ARRAY, Root.VECTOR), _read_elements),
    **dict.fromkeys((Root.MAP, Root.MULTISET), _read_pairs),
    Root.ROW: _read_row,
}


# ---------------------------------------------------------------- to Python


@lru_cache(maxsize=1024)
def _writer(kind: DataType, where: Zone) -> Check:
    checked = _row_values(kind) if kind.root is Root.ROW else outer_check(kind)
    convert = _WRITERS.get(kind.root, _unchanged)(kind, where)
    return or_null(lambda value: convert(checked(value)))


def _write_date(kind: AnyDataType, _where: Zone) -> Check:
    def write(days: int) -> date:
        try:
            return date.fromordinal(days + _DATE_ZERO)
        except (ValueError, OverflowError):
            raise _no_python_value(kind, "its year is outside of 1 to 9999") from None

    return write


def _write_time(kind: AnyDataType, _where: Zone) -> Check:
    def write(millis: int) -> time:
        if not 0 <= millis < DAY:
            raise _no_python_value(kind, "it is not within a day")
        return (_ZERO + timedelta(milliseconds=millis)).time()

    return write


def _write_timestamp(kind: AnyDataType, where: Zone) -> Check:
    zero = _zero(kind)

    def write(value: Timestamp) -> datetime:
        micros, nanos = divmod(value.nanos, 1000)
        if nanos:
            raise _no_python_value(kind, "datetime has no nanoseconds")
        try:
            time = zero + timedelta(milliseconds=value.millis, microseconds=micros)
            if time.tzinfo:
                return time.astimezone(where.rules)
            return time
        except (ValueError, OverflowError):
            raise _no_python_value(kind, "its year is outside of 1 to 9999") from None

    return write


def _write_elements(kind: AnyDataType, where: Zone) -> Check:
    return over_elements(_writer(kind.element, where))


def _write_pairs(kind: AnyDataType, where: Zone) -> Check:
    if kind.root is Root.MAP:
        convert = over_pairs(_writer(kind.key, where), _writer(kind.value, where))
    else:
        convert = over_pairs(_writer(kind.element, where), _unchanged(kind, where))
    return lambda pairs: _dict_or_pairs(convert(pairs))


def _dict_or_pairs(pairs: list[tuple[Any, Any]]) -> dict[Any, Any] | list[tuple[Any, Any]]:
    try:
        by_key = dict(pairs)
    except TypeError:  # a key has no hash
        return pairs
    return by_key if len(by_key) == len(pairs) else pairs


def _write_row(kind: AnyDataType, where: Zone) -> Check:
    names = [field.name for field in kind.fields]
    fields = over_fields(kind.fields, [_writer(field.type, where) for field in kind.fields])
    return lambda value: dict(zip(names, fields(value), strict=True))


_WRITERS: dict[Root, Build] = {
    Root.DATE: _write_date,
    Root.TIME: _write_time,
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _write_timestamp),
    **dict.fromkeys((Root.ARRAY, Root.VECTOR), _write_elements),
    **dict.fromkeys((Root.MAP, Root.MULTISET), _write_pairs),
    Root.ROW: _write_row,
}

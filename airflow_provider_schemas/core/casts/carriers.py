"""The Python values that stand for the values of a type, and how they are checked.

| type | carrier |
|---|---|
| BOOLEAN | bool |
| TINYINT, SMALLINT, INT, BIGINT | int in range |
| FLOAT, DOUBLE | float; a FLOAT is rounded to 32 bits |
| DECIMAL | decimal.Decimal with the scale of the type |
| CHAR, VARCHAR | str |
| BINARY, VARBINARY, BLOB, GEOMETRY, GEOGRAPHY | bytes |
| DATE, TIME | int: days since 1970-01-01, milliseconds of the day |
| TIMESTAMP, with local time zone too | Timestamp |
| ARRAY, VECTOR | list |
| MAP | list of (key, value) pairs, which keeps keys that come twice or have no hash |
| MULTISET | list of (element, count) pairs |
| ROW | tuple in field order |
| VARIANT, OPAQUE | anything |

NULL is None everywhere, under NOT NULL too: files hold it, and reading does not check it. Texts and bytes
longer than their type says are let through for the same reason.
"""

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.casts.float_text import to_single
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.atomic import AnyDataType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.types.nested import Field

Value: TypeAlias = Any
"""The carrier of a value. Its Python type depends on the data type, as the table above shows."""

Check = Callable[[Value], Value]
"""A function that takes a value other than None and returns a carrier, or raises CastError."""

BITS = {Root.TINYINT: 8, Root.SMALLINT: 16, Root.INTEGER: 32, Root.BIGINT: 64}

# Without traps, so that an impossible result is a NaN to look at; large enough for any input of a cast.
DECIMALS = Context(prec=100, rounding=ROUND_HALF_UP, Emin=-(10**17), Emax=10**17, traps=[])


class Timestamp(Struct, frozen=True, order=True, gc=False):
    """A point in time, or of a calendar: milliseconds since 1970-01-01T00:00, and nanoseconds behind the millisecond."""

    millis: int
    nanos: int = 0

    def __post_init__(self) -> None:
        whole = type(self.millis) is int and type(self.nanos) is int
        if not whole or not -(2**63) <= self.millis < 2**63 or not 0 <= self.nanos <= 999_999:
            fix = "Use 64 bits of milliseconds, and 0 to 999999 nanoseconds."
            raise CastError("the milliseconds or nanoseconds of a timestamp are out of range.", code="cast.bad-carrier", fix=fix)


def wrapped(number: int, bits: int) -> int:
    """Return the low bits of the number, as a signed number: how Java's integers overflow."""
    half = 1 << bits - 1
    return (number + half) % (2 * half) - half


def check(kind: DataType) -> Check:
    """Return the function that checks a carrier of this type, with all of its parts."""
    return _CHECKS[kind.root](kind)


def outer_check(kind: DataType) -> Check:
    """Return the function that checks a carrier without its parts."""
    return _SHAPES.get(kind.root, check)(kind)


def bad_carrier(kind: DataType, value: object, why: str = "") -> CastError:
    """Return the error for a value that is no carrier of the type."""
    message = f"{_show_briefly(value)} is no value of {shown_type(kind)}{why}."
    return CastError(message, code="cast.bad-carrier", fix=f"Pass {_WORDS.get(kind.root, 'another value')}.")


def shown_type(kind: DataType) -> str:
    """Return the type as messages show it: short."""
    text = str(kind)
    if len(text) <= 80:
        return text
    return f"{text[:60]}..."


def _show_briefly(value: object) -> str:
    # Only plain values are written out: any value may come here, deep, endless, or with a __repr__ of its own.
    if isinstance(value, str | bytes):
        return shown(value[:60])
    if type(value) in (bool, float, Decimal) or (type(value) is int and value.bit_length() < 100):
        return shown(value)
    return f"a value of the Python type {type(value).__name__[:60]}"


_WORDS = {
    Root.BOOLEAN: "True or False",
    **dict.fromkeys(BITS, "an int in range"),
    Root.FLOAT: "a float",
    Root.DOUBLE: "a float",
    Root.DECIMAL: "a decimal.Decimal that fits precision and scale",
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), "a str"),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY, Root.BLOB, Root.GEOMETRY, Root.GEOGRAPHY), "bytes"),
    Root.DATE: "the number of days since 1970-01-01",
    Root.TIME: "the milliseconds of the day",
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), "a Timestamp"),
    **dict.fromkeys((Root.ARRAY, Root.VECTOR), "a list (for a VECTOR, of its length)"),
    Root.MAP: "a list of (key, value) pairs",
    Root.MULTISET: "a list of (element, count) pairs",
    Root.ROW: "a tuple with one value for each field",
}


# ---------------------------------------------------------------- atomic types


def _instance(*types: type) -> Callable[[DataType], Check]:
    def build(kind: DataType) -> Check:
        def checked(value: Value) -> Value:
            if isinstance(value, types):
                return value
            raise bad_carrier(kind, value)

        return checked

    return build


def _integer(bits: int) -> Callable[[DataType], Check]:
    low = -(2 ** (bits - 1))
    high = 2 ** (bits - 1) - 1

    def build(kind: DataType) -> Check:
        def checked(value: Value) -> Value:
            # Not isinstance: True is an int to Python.
            if type(value) is int and low <= value <= high:
                return value
            raise bad_carrier(kind, value)

        return checked

    return build


def _single(kind: DataType) -> Check:
    def checked(value: Value) -> Value:
        if isinstance(value, float):
            return to_single(value)
        raise bad_carrier(kind, value)

    return checked


def _decimal(kind: AnyDataType) -> Check:
    unit = Decimal(1).scaleb(-kind.scale)

    def checked(value: Value) -> Value:
        if not isinstance(value, Decimal) or not value.is_finite():
            raise bad_carrier(kind, value)
        scaled = DECIMALS.quantize(value, unit)
        # A number that is far too large became a NaN, which is equal to nothing.
        if scaled != value or scaled.adjusted() >= kind.precision - kind.scale:
            raise bad_carrier(kind, value, ": it has more digits")
        return scaled or abs(scaled)

    return checked


# ---------------------------------------------------------------- containers


def _list(kind: DataType) -> Check:
    def checked(value: Value) -> Value:
        if isinstance(value, list | tuple):
            return value
        raise bad_carrier(kind, value)

    return checked


def _vector(kind: AnyDataType) -> Check:
    def checked(value: Value) -> Value:
        if isinstance(value, list | tuple) and len(value) == kind.length:
            return value
        raise bad_carrier(kind, value)

    return checked


def _pairs(kind: DataType) -> Check:
    def checked(value: Value) -> Value:
        pairs = list(value.items()) if isinstance(value, dict) else value
        if isinstance(pairs, list | tuple) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
            return pairs
        raise bad_carrier(kind, value)

    return checked


def _fields(kind: AnyDataType) -> Check:
    width = len(kind.fields)

    def checked(value: Value) -> Value:
        if isinstance(value, list | tuple) and len(value) == width:
            return value
        raise bad_carrier(kind, value)

    return checked


_SHAPES: dict[Root, Callable[[DataType], Check]] = {
    Root.ARRAY: _list,
    Root.VECTOR: _vector,
    Root.MAP: _pairs,
    Root.MULTISET: _pairs,
    Root.ROW: _fields,
}


# ---------------------------------------------------------------- part by part


def or_null(convert: Check) -> Check:
    """Return the same function for values that may be None."""
    return lambda value: None if value is None else convert(value)


def over_elements(convert: Check) -> Check:
    """Return the function over all elements of a list; an error names the position."""

    def converted(values: Value) -> list[Any]:
        done: list[Any] = []
        try:
            # The elements before an error stay in the list, and its length is the position of the error.
            done.extend(map(convert, values))
        except CastError as error:
            raise _within(error, f"[{len(done)}]") from error
        return done

    return converted


def over_pairs(key: Check, value: Check) -> Check:
    """Return the function that converts the keys of pairs with one function, and the values with another."""
    keys = over_elements(key)
    values = over_elements(value)

    def converted(pairs: Value) -> list[tuple[Any, Any]]:
        return list(zip(keys([pair[0] for pair in pairs]), values([pair[1] for pair in pairs]), strict=True))

    return converted


def over_fields(fields: "Iterable[Field]", converts: Iterable[Check]) -> Check:
    """Return the function that converts each field of a ROW with its own function; an error names the field."""
    named = [(field.name, convert) for field, convert in zip(fields, converts, strict=True)]

    def converted(values: Value) -> tuple[Any, ...]:
        done: list[Any] = []
        try:
            done.extend(convert(value) for (_, convert), value in zip(named, values, strict=True))
        except CastError as error:
            raise _within(error, f".{named[len(done)][0]}") from error
        return tuple(done)

    return converted


def _within(error: CastError, step: str) -> CastError:
    return CastError.of(fault._replace(path=f"{step}{fault.path}") for fault in error.faults)


def _deep_elements(kind: AnyDataType) -> Check:
    outer = _SHAPES[kind.root](kind)
    inner = over_elements(or_null(check(kind.element)))
    return lambda value: inner(outer(value))


def _deep_map(kind: AnyDataType) -> Check:
    outer = _pairs(kind)
    inner = over_pairs(or_null(check(kind.key)), or_null(check(kind.value)))
    return lambda value: inner(outer(value))


def _deep_multiset(kind: AnyDataType) -> Check:
    outer = _pairs(kind)
    inner = over_pairs(or_null(check(kind.element)), _integer(32)(kind))
    return lambda value: inner(outer(value))


def _deep_row(kind: AnyDataType) -> Check:
    outer = _fields(kind)
    inner = over_fields(kind.fields, [or_null(check(field.type)) for field in kind.fields])
    return lambda value: inner(outer(value))


_CHECKS: dict[Root, Callable[[DataType], Check]] = {
    Root.BOOLEAN: _instance(bool),
    **{root: _integer(bits) for root, bits in BITS.items()},
    Root.FLOAT: _single,
    Root.DOUBLE: _instance(float),
    Root.DECIMAL: _decimal,
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), _instance(str)),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY, Root.BLOB, Root.GEOMETRY, Root.GEOGRAPHY), _instance(bytes)),
    **dict.fromkeys((Root.DATE, Root.TIME), _integer(32)),
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _instance(Timestamp)),
    **dict.fromkeys((Root.VARIANT, Root.OPAQUE), _instance(object)),
    Root.ARRAY: _deep_elements,
    Root.VECTOR: _deep_elements,
    Root.MAP: _deep_map,
    Root.MULTISET: _deep_multiset,
    Root.ROW: _deep_row,
}

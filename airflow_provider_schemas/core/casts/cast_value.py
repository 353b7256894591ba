"""Casts of values: from the value of an old file to the value that a reader sees under the new type.

The results are those of Java Paimon, bit for bit, whether they make sense or not; `cast_rules.lossless` says
for which pairs of types nothing can be lost. The carriers of values are described in `carriers`. A pair
of types is looked up once, in a table by their roots, which gives one function for any number of values.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import product

from airflow_provider_schemas.core.casts import nested, numeric, temporal
from airflow_provider_schemas.core.casts.carriers import Check, Timestamp, Value, check, or_null, outer_check, shown_type
from airflow_provider_schemas.core.casts.cast_rules import checked_type, convertible, same_type
from airflow_provider_schemas.core.casts.float_text import double_text, float_text, to_single
from airflow_provider_schemas.core.casts.number_text import fault, parse_double, parse_single
from airflow_provider_schemas.core.casts.python_values import from_python, to_python
from airflow_provider_schemas.core.casts.time_text import date_text, parse_date, parse_time
from airflow_provider_schemas.core.casts.timezones import Zone, zone
from airflow_provider_schemas.core.types.atomic import STRING, AnyDataType, DataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.errors import CastError

__all__ = ["Timestamp", "cast_value", "converter", "default_value", "from_python", "to_python"]

Build = Callable[[AnyDataType, AnyDataType, Zone], Check]
"""A function that returns the conversion for two types and a zone."""


def cast_value(value: Value, source: DataType, target: DataType, *, timezone: str = "UTC") -> Value:
    """Return the value as a reader sees it after the column changed from the source type to the target type.

    NULL stays NULL. A DECIMAL that does not fit is NULL, too, as in Java. What cannot be converted is a CastError.
    """
    return converter(source, target, timezone)(value)


def converter(source: DataType, target: DataType, timezone: str = "UTC") -> Check:
    """Return the function that casts values from the source type to the target type."""
    where = zone(timezone)
    # Checked first: the cache hashes the types, and a type of any depth would end in the stack.
    return _remembered_converter(checked_type(source), checked_type(target), where)


def default_value(text: str, kind: DataType, *, timezone: str = "UTC") -> Value:
    """Return the value of a column's default: the text without its outer quotes, cast from STRING."""
    if text == "'":
        raise fault(text, "default", "cast.syntax", "Write a value, in single quotes if you like.")
    if text.startswith("'") and text.endswith("'"):
        text = text[1:-1]
    return cast_value(text, STRING, kind, timezone=timezone)


@lru_cache(maxsize=1024)
def _remembered_converter(source: DataType, target: DataType, where: Zone) -> Check:
    return or_null(_build_converter(source, target, where))


def _build_converter(source: DataType, target: DataType, where: Zone) -> Check:
    if same_type(source, target):
        return check(source)
    conversions = _CONVERSIONS if convertible(source, target) else _CONVERSIONS_OF_OLD_FILES
    build = conversions.get((source.root, target.root))
    if build is None:
        fix = "Keep the type, or go through one that both can be cast to."
        raise CastError(f"{shown_type(source)} cannot be cast to {shown_type(target)}.", code="cast.unsupported", fix=fix)
    checked = outer_check(source)
    convert = build(source, target, where)
    return lambda value: convert(checked(value))


# ---------------------------------------------------------------- strings and binaries


def _text_to_text(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    return numeric.fitting_text(target)


def _text_to_bytes(source: AnyDataType, target: AnyDataType, where: Zone) -> Check:
    fit = _bytes_to_bytes(source, target, where)
    # Half a pair of a character has no bytes; Java puts a question mark there.
    return lambda text: fit(text.encode("utf-8", "replace"))


def _bytes_to_bytes(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    length = target.length
    if target.root is Root.VARBINARY:
        return lambda value: value if length == MAX_LENGTH else value[:length]
    return lambda value: value[:length].ljust(numeric.checked_padding(length, len(value)), b"\0")


def _bytes_to_text(value: bytes) -> str:
    # Never cut or padded to the length of the target: Java does not do it here.
    return value.decode("utf-8", "replace")


# ---------------------------------------------------------------- the table


def _by_parts(build: Callable[[AnyDataType, AnyDataType, nested.Resolve], Check]) -> Build:
    """Return a conversion that needs the conversions of parts."""
    return lambda source, target, where: build(source, target, lambda part, wanted: _build_converter(part, wanted, where))


_STRINGS = (Root.CHAR, Root.VARCHAR)
_BINARIES = (Root.BINARY, Root.VARBINARY)
_INTEGERS = (Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT)
_FLOATS = (Root.FLOAT, Root.DOUBLE)
_SECONDS = (Root.INTEGER, Root.BIGINT)
_TIMESTAMPS = (Root.TIMESTAMP, Root.TIMESTAMP_LTZ)

_plain = numeric.plain
_to_text = numeric.to_text

_ROWS: tuple[tuple[Iterable[Root], Iterable[Root], Build], ...] = (
    (_INTEGERS, _INTEGERS, numeric.wrapping),
    (_FLOATS, _INTEGERS, numeric.saturating),
    ([Root.DECIMAL], _INTEGERS, numeric.truncating),
    ([Root.BOOLEAN], _INTEGERS, _plain(int)),
    (_INTEGERS, [Root.BOOLEAN], _plain(bool)),
    (_INTEGERS, [Root.FLOAT], _plain(numeric.integer_to_single)),
    ([*_INTEGERS, *_FLOATS, Root.BOOLEAN], [Root.DOUBLE], _plain(float)),
    ([Root.DECIMAL], [Root.FLOAT], numeric.decimal_to_single),
    ([Root.DECIMAL], [Root.DOUBLE], numeric.decimal_to_double),
    ([*_FLOATS, Root.BOOLEAN], [Root.FLOAT], _plain(to_single)),
    ([*_INTEGERS, Root.DECIMAL, Root.BOOLEAN], [Root.DECIMAL], numeric.decimal_from_exact),
    (_FLOATS, [Root.DECIMAL], numeric.decimal_from_floating),
    (_INTEGERS, _STRINGS, _to_text(str)),
    ([Root.DECIMAL], _STRINGS, _to_text(numeric.decimal_text)),
    ([Root.FLOAT], _STRINGS, _to_text(float_text)),
    ([Root.DOUBLE], _STRINGS, _to_text(double_text)),
    ([Root.BOOLEAN], _STRINGS, _to_text(numeric.boolean_text)),
    (_STRINGS, _STRINGS, _text_to_text),
    (_STRINGS, _BINARIES, _text_to_bytes),
    (_BINARIES, _BINARIES, _bytes_to_bytes),
    (_BINARIES, _STRINGS, _plain(_bytes_to_text)),
    (_STRINGS, [Root.BOOLEAN], _plain(numeric.boolean_from_text)),
    (_STRINGS, _INTEGERS, numeric.integer_from_text),
    (_STRINGS, [Root.FLOAT], _plain(parse_single)),
    (_STRINGS, [Root.DOUBLE], _plain(parse_double)),
    (_STRINGS, [Root.DECIMAL], numeric.decimal_from_text),
    (_STRINGS, [Root.DATE], _plain(parse_date)),
    (_STRINGS, [Root.TIME], _plain(parse_time)),
    (_STRINGS, [Root.TIMESTAMP], temporal.text_to_timestamp),
    (_STRINGS, [Root.TIMESTAMP_LTZ], temporal.text_to_instant),
    ([Root.DATE], _TIMESTAMPS, temporal.date_to_timestamp),
    ([Root.TIME], _TIMESTAMPS, temporal.time_to_timestamp),
    (_SECONDS, _TIMESTAMPS, temporal.seconds_to_timestamp),
    (_TIMESTAMPS, _TIMESTAMPS, temporal.timestamp_to_timestamp),
    (_TIMESTAMPS, _SECONDS, temporal.timestamp_to_seconds),
    (_TIMESTAMPS, [Root.DATE], temporal.timestamp_to_date),
    (_TIMESTAMPS, [Root.TIME], temporal.timestamp_to_time),
    ([Root.DATE], [Root.VARCHAR], _plain(date_text)),
    ([Root.TIME], [Root.VARCHAR], temporal.time_to_text),
    (_TIMESTAMPS, [Root.VARCHAR], temporal.timestamp_to_text),
    ([Root.ARRAY], _STRINGS, _by_parts(nested.array_to_text)),
    ([Root.MAP], _STRINGS, _by_parts(nested.map_to_text)),
    ([Root.ROW], _STRINGS, _by_parts(nested.row_to_text)),
    (_STRINGS, [Root.ARRAY], _by_parts(nested.text_to_array)),
    (_STRINGS, [Root.MAP], _by_parts(nested.text_to_map)),
    (_STRINGS, [Root.ROW], _by_parts(nested.text_to_row)),
)


def _conversions() -> Iterator[tuple[tuple[Root, Root], Build]]:
    for sources, targets, build in _ROWS:
        for pair in product(sources, targets):
            yield pair, build


_CONVERSIONS: dict[tuple[Root, Root], Build] = dict(_conversions())

# No ALTER allows these, but a reader of an old file converts containers part by part.
_CONVERSIONS_OF_OLD_FILES: dict[tuple[Root, Root], Build] = {
    (Root.ARRAY, Root.ARRAY): _by_parts(nested.array_to_array),
    (Root.MAP, Root.MAP): _by_parts(nested.map_to_map),
    (Root.ROW, Root.ROW): _by_parts(nested.row_to_row),
}

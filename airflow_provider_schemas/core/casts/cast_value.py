"""What a cast does to a value: from the value of an old file to the value a reader sees under the new type.

The answers are those of Java Paimon, bit for bit, whether they make sense or not; `cast_rules.lossless` says
for which pairs of types nothing can be lost. The carriers of values are described in `carriers`. A pair
of types is looked up once, in a table by their roots, and gives one function for any number of values.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from airflow_provider_schemas.core.casts import nested, numeric, temporal
from airflow_provider_schemas.core.casts.carriers import Check, Timestamp, check, or_null, outer_check, shown_type
from airflow_provider_schemas.core.casts.cast_rules import checked_type, convertible, same_type
from airflow_provider_schemas.core.casts.float_text import double_text, float_text, to_single
from airflow_provider_schemas.core.casts.number_text import fault, parse_double, parse_single
from airflow_provider_schemas.core.casts.python_values import from_python, to_python
from airflow_provider_schemas.core.casts.time_text import date_text, parse_date, parse_time
from airflow_provider_schemas.core.casts.timezones import Zone, zone
from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.errors import CastError

__all__ = ["Timestamp", "cast_value", "converter", "default_value", "from_python", "to_python"]

# The types are Any, for each function reads the parameters that its roots have.
Build = Callable[[Any, Any, Zone], Check]


def cast_value(value: Any, source: DataType, target: DataType, *, timezone: str = "UTC") -> Any:
    """The value as a reader sees it after the column changed from the source type to the target type.

    NULL stays NULL. A DECIMAL that does not fit is NULL, too, as in Java. What cannot be converted is a CastError.
    """
    return _converter(source, target, zone(timezone))(value)


def converter(source: DataType, target: DataType, timezone: str = "UTC") -> Callable[[Any], Any]:
    """The function that casts values from the source type to the target type."""
    return _converter(source, target, zone(timezone))


def default_value(text: str, kind: DataType, *, timezone: str = "UTC") -> Any:
    """The value that a column's default stands for: the text without its outer quotes, cast from STRING."""
    if text == "'":
        raise fault(text, "default", "cast.syntax", "Write a value, in single quotes if you like.")
    quoted = text.startswith("'") and text.endswith("'")
    return cast_value(text[1:-1] if quoted else text, STRING, kind, timezone=timezone)


@lru_cache(maxsize=1024)
def _cached(source: DataType, target: DataType, where: Zone) -> Check:
    return or_null(_resolved(source, target, where))


def _converter(source: DataType, target: DataType, where: Zone) -> Check:
    # Checked first: to hash a type of any depth, as the cache does, would end in the stack.
    return _cached(checked_type(source), checked_type(target), where)


def _resolved(source: DataType, target: DataType, where: Zone) -> Check:
    if same_type(source, target):
        return check(source)
    pair = source.root, target.root
    build = _STEPS.get(pair) if convertible(source, target) else _READING.get(pair)
    if build is None:
        fix = "Keep the type, or go through one that both can be cast to."
        raise CastError(f"{shown_type(source)} cannot be cast to {shown_type(target)}.", code="cast.unsupported", fix=fix)
    checked, convert = outer_check(source), build(source, target, where)
    return lambda value: convert(checked(value))


# ---------------------------------------------------------------- strings and binaries


def _text_to_text(_source: Any, target: Any, _zone: Zone) -> Check:
    return numeric.fitting_text(target)


def _text_to_bytes(source: Any, target: Any, where: Zone) -> Check:
    fit = _bytes_to_bytes(source, target, where)
    # Half a pair of a character has no bytes; Java puts a question mark there.
    return lambda text: fit(text.encode("utf-8", "replace"))


def _bytes_to_bytes(_source: Any, target: Any, _zone: Zone) -> Check:
    length = target.length
    if target.root is Root.VARBINARY:
        return lambda value: value if length == MAX_LENGTH else value[:length]
    return lambda value: value[:length].ljust(numeric.checked_padding(length, len(value)), b"\0")


def _bytes_to_text(value: bytes) -> str:
    # Never cut or padded to the length of the target: Java does not do it here.
    return value.decode("utf-8", "replace")


# ---------------------------------------------------------------- the table


def _by_parts(build: Callable[[Any, Any, nested.Resolve], Check]) -> Build:
    """A conversion that needs those of parts."""
    return lambda source, target, where: build(source, target, lambda part, wanted: _resolved(part, wanted, where))


_STRINGS = (Root.CHAR, Root.VARCHAR)
_BINARIES = (Root.BINARY, Root.VARBINARY)
_INTEGERS = (Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT)
_FLOATS = (Root.FLOAT, Root.DOUBLE)
_SECONDS = (Root.INTEGER, Root.BIGINT)
_TIMESTAMPS = (Root.TIMESTAMP, Root.TIMESTAMP_LTZ)

_plain, _to_text = numeric.plain, numeric.to_text

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


def _steps() -> Iterator[tuple[tuple[Root, Root], Build]]:
    for sources, targets, build in _ROWS:
        for source in sources:
            yield from (((source, target), build) for target in targets)


_STEPS: dict[tuple[Root, Root], Build] = dict(_steps())

# No ALTER allows these, but reading an old file goes into containers part by part.
_READING: dict[tuple[Root, Root], Build] = {
    (Root.ARRAY, Root.ARRAY): _by_parts(nested.array_to_array),
    (Root.MAP, Root.MAP): _by_parts(nested.map_to_map),
    (Root.ROW, Root.ROW): _by_parts(nested.row_to_row),
}

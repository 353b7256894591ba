"""Which conversion from type to type: a table by the roots, as `core.casts.cast_value` has it for one value, in Spark's SQL.

TIME, and timestamps beyond microseconds, have no rows: Spark does not hold them.
"""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, Final

from airflow_provider_schemas.core.casts.cast_rules import cast_support, convertible, same_type
from airflow_provider_schemas.core.projection.rows import brief, way_back
from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.conversions import calendar, containers, numbers, text, times
from airflow_provider_schemas.spark.conversions.conversion import Build, Convert, Converted, bind, by_cast, by_trying, unchanged

_STRINGS = (Root.CHAR, Root.VARCHAR)
_BINARIES = (Root.BINARY, Root.VARBINARY)
_INTEGERS = (Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT)
_FLOATS = (Root.FLOAT, Root.DOUBLE)
_SECONDS = (Root.INTEGER, Root.BIGINT)
_TIMESTAMPS = (Root.TIMESTAMP, Root.TIMESTAMP_LTZ)


def _by_parts(build: Callable[[Any, Any, containers.Resolve], Convert]) -> Build:
    """Return the builder of a conversion that needs those of parts."""
    return lambda source, target, zone: build(source, target, _resolver(zone))


def _resolver(zone: str) -> containers.Resolve:
    return lambda source, target: _find_java(source, target, zone)


_ROWS: tuple[tuple[Iterable[Root], Iterable[Root], Build], ...] = (
    (_INTEGERS, _INTEGERS, numbers.integer_to_integer),
    (_FLOATS, _INTEGERS, numbers.floating_to_integer),
    ([Root.DECIMAL], _INTEGERS, numbers.decimal_to_integer),
    ([Root.BOOLEAN], [*_INTEGERS, *_FLOATS], by_cast),
    (_INTEGERS, [Root.BOOLEAN], numbers.integer_to_boolean),
    (_INTEGERS, [Root.FLOAT], numbers.integer_to_single),
    ([*_INTEGERS, *_FLOATS], [Root.DOUBLE], by_cast),
    (_FLOATS, [Root.FLOAT], by_cast),
    ([Root.DECIMAL], _FLOATS, numbers.decimal_to_floating),
    ([*_INTEGERS, Root.DECIMAL, Root.BOOLEAN], [Root.DECIMAL], by_trying),
    (_FLOATS, [Root.DECIMAL], numbers.floating_to_decimal),
    ([*_INTEGERS, Root.DECIMAL, *_FLOATS, Root.BOOLEAN], _STRINGS, text.number_to_text),
    (_STRINGS, _STRINGS, text.text_to_text),
    (_STRINGS, _BINARIES, text.text_to_bytes),
    (_BINARIES, _BINARIES, text.bytes_to_bytes),
    (_BINARIES, _STRINGS, text.bytes_to_text),
    (_STRINGS, [Root.BOOLEAN], text.text_to_boolean),
    (_STRINGS, _INTEGERS, text.text_to_integer),
    (_STRINGS, _FLOATS, text.text_to_floating),
    (_STRINGS, [Root.DECIMAL], text.text_to_decimal),
    (_STRINGS, [Root.DATE], calendar.text_to_date),
    (_STRINGS, [Root.TIMESTAMP], calendar.text_to_timestamp),
    (_STRINGS, [Root.TIMESTAMP_LTZ], calendar.text_to_instant),
    ([Root.DATE], _TIMESTAMPS, times.date_to_timestamp),
    (_SECONDS, _TIMESTAMPS, times.seconds_to_timestamp),
    (_TIMESTAMPS, _TIMESTAMPS, times.timestamp_to_timestamp),
    (_TIMESTAMPS, _SECONDS, times.timestamp_to_seconds),
    (_TIMESTAMPS, [Root.DATE], times.timestamp_to_date),
    ([Root.DATE], [Root.VARCHAR], times.date_to_text),
    (_TIMESTAMPS, [Root.VARCHAR], times.timestamp_to_text),
    ([Root.ARRAY], _STRINGS, _by_parts(containers.array_to_text)),
    ([Root.MAP], _STRINGS, _by_parts(containers.map_to_text)),
    ([Root.ROW], _STRINGS, _by_parts(containers.row_to_text)),
)


def _by_roots() -> dict[tuple[Root, Root], Build]:
    builds: dict[tuple[Root, Root], Build] = {}
    for sources, targets, build in _ROWS:
        builds |= dict.fromkeys(product(sources, targets), build)
    return builds


_BUILDS: Final = _by_roots()

# What is read back from its full text as the same, always.
_PRINTED_IN_FULL: Final = frozenset({*_INTEGERS, *_FLOATS, Root.DECIMAL, Root.BOOLEAN})


def find_conversion(source: DataType, target: DataType, zone: str, casts: str = "checked") -> Convert:
    """Return the conversion from a type to another: as Java does it, or failing wherever the value would not come back."""
    convert = _find_java(source, target, zone)
    if casts == "paimon" or cast_support(source, target).lossless:
        return convert
    if source.root in _PRINTED_IN_FULL and same_type(target, STRING):
        return convert
    if source.root in (Root.ARRAY, Root.MAP, Root.ROW):
        return _check_container(convert, source, zone)
    return _check(convert, [_find_java(*pair, zone) for pair in way_back(source, target)])


def _find_java(source: DataType, target: DataType, zone: str) -> Convert:
    """Return the conversion as Java does it."""
    if same_type(source, target):
        return unchanged
    for data_type in (source, target):
        reason = lacks(data_type)
        if reason:
            fix = "Leave the column out, or read it with Paimon's own connector."
            raise ProjectionError(f"Spark cannot hold {reason}.", code="spark.type", fix=fix)
    build = _BUILDS.get((source.root, target.root))
    if build is None or not convertible(source, target):
        message = f"Spark has no conversion from {brief(source)} to {brief(target)}."
        raise ProjectionError(message, code="spark.no-conversion", fix=f"Read the column as {brief(source)}, or leave it out.")
    return build(source, target, zone)


def _check(convert: Convert, back: list[Convert]) -> Convert:
    """Return a conversion that fails where the value does not come back when converted back; so does a failure or NULL on the way."""

    def convert_checked(value: str) -> Converted:
        def is_lost(new: str) -> str:
            if not back:
                return f"({value} is not null)"
            for step in back:
                new = bind(step(new).value, str)
            return f"(not ({new} <=> {value}))"

        return Converted(convert(value).value, is_lost)

    return convert_checked


def _check_container(convert: Convert, source: DataType, zone: str) -> Convert:
    """Return a conversion that fails where the text would not be read as the container: no SQL takes such texts apart."""

    def convert_checked(value: str) -> Converted:
        def is_lost(new: str) -> str:
            return f"not {containers.comes_back(source, _resolver(zone), new, value)}"

        return Converted(convert(value).value, is_lost)

    return convert_checked

"""Conversions among DATE, the two TIMESTAMPs and numbers, and of them to text, as SQL.

What clocks show is TIMESTAMP_NTZ to Spark, an instant TIMESTAMP_LTZ. One becomes the other in the zone that is named:
a cast would take the session's. Arithmetic is on microseconds as BIGINT; Spark counts time in those, and holds the years
from -290308 to 294247. What Java can hold beyond fails.
"""

from collections.abc import Callable
from typing import Final

from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.conversions.conversion import Atom, Convert, Converted, bind, fail_where, unchanged
from airflow_provider_schemas.spark.conversions.numbers import wrap, wrap_decimal
from airflow_provider_schemas.spark.sql import literal

_ZERO: Final = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"

# No time zone leads from here to where 64 bits of microseconds end.
LAST_DAY: Final = 106_751_989
_LAST_MICRO: Final = 86_400_000_000 * LAST_DAY
_HALF_DAY: Final = 43_200_000_000
_LAST_SECOND: Final = 86_400 * LAST_DAY
_SECONDS_OF_LONG: Final = 9_223_372_036_854_775

# What is needed so often that it is bound to a name sooner.
_SHORT: Final = 150

Shift = Callable[[str], str]
"""Takes the SQL of a timestamp, gives that of another one."""


def _no_shift(value: str) -> str:
    return value


def timestamp_to_micros(value: str, root: Root) -> str:
    """Write the microseconds since 1970. For what clocks show, Spark has no function that leaves out the session's zone."""
    if root is Root.TIMESTAMP_LTZ:
        return f"unix_micros({value})"
    return bind(value, _clock_to_micros, _SHORT)


def _clock_to_micros(value: str) -> str:
    # In halves, so that the first day that 64 bits hold does not overflow.
    half = f"cast(unix_date(cast({value} as date)) as bigint) * {_HALF_DAY}L"
    minutes = f"(hour({value}) * 60 + minute({value})) * 60000000L"
    return f"({half} + ({half} + {minutes} + cast(extract(SECOND FROM {value}) * 1000000 as bigint)))"


def micros_to_timestamp(micros: str, root: Root) -> str:
    """Write the timestamp so many microseconds after 1970."""
    if root is Root.TIMESTAMP_LTZ:
        return f"timestamp_micros({micros})"
    return f"timestampadd(MICROSECOND, {micros}, {_ZERO})"


def _instant_to_clock(zone: str) -> Shift:
    """Return the shift from an instant to what the clocks of the zone show then."""

    def shift(value: str) -> str:
        in_utc = micros_to_timestamp(timestamp_to_micros(value, Root.TIMESTAMP_LTZ), Root.TIMESTAMP)
        return _convert_zone(in_utc, "UTC", zone)

    return shift


def _clock_to_instant(zone: str) -> Shift:
    """Return the shift from what the clocks of the zone show to the instant."""

    def shift(value: str) -> str:
        in_utc = _convert_zone(value, zone, "UTC")
        return micros_to_timestamp(timestamp_to_micros(in_utc, Root.TIMESTAMP), Root.TIMESTAMP_LTZ)

    return shift


def _convert_zone(value: str, zone: str, other: str) -> str:
    if zone == other:
        return value
    return f"convert_timezone({literal(zone)}, {literal(other)}, {value})"


def _shift_to_clock(source: Atom, zone: str) -> Shift:
    """Return the shift to what clocks show, from either kind of timestamp."""
    return _instant_to_clock(zone) if source.root is Root.TIMESTAMP_LTZ else _no_shift


def shift_to_stored(target: Atom, zone: str) -> Shift:
    """Return the shift from what clocks show to what is stored of it, for either kind of timestamp."""
    return _clock_to_instant(zone) if target.root is Root.TIMESTAMP_LTZ else _no_shift


def _fail_where_beyond(value: str, root: Root, converted: str) -> Converted:
    """Return a conversion that fails in the first and last days that Spark holds, where its own arithmetic overflows."""
    first = micros_to_timestamp(f"-{_LAST_MICRO}L", root)
    last = micros_to_timestamp(f"{_LAST_MICRO}L", root)
    return fail_where(f"(not {value} between {first} and {last})", converted)


# ---------------------------------------------------------------- to timestamps


def date_to_timestamp(_source: Atom, target: Atom, zone: str) -> Convert:
    """Take midnight of the day."""
    shift = shift_to_stored(target, zone)

    def convert(value: str) -> Converted:
        is_far = f"(abs(cast(unix_date({value}) as bigint)) > {LAST_DAY})"
        return fail_where(is_far, shift(f"cast({value} as timestamp_ntz)"))

    return convert


def seconds_to_timestamp(_source: Atom, target: Atom, zone: str) -> Convert:
    """Take seconds since 1970; with local time zone, Paimon stores what the clocks of the zone show then."""

    def convert(value: str) -> Converted:
        seconds = _wrap_seconds(value)
        timestamp = micros_to_timestamp(f"try_cast({seconds} * 1000000BD as bigint)", Root.TIMESTAMP)
        if target.root is Root.TIMESTAMP_LTZ:
            clock = _convert_zone(timestamp, "UTC", zone)
            timestamp = micros_to_timestamp(timestamp_to_micros(clock, Root.TIMESTAMP), Root.TIMESTAMP_LTZ)
        return fail_where(f"(abs({_wrap_seconds(value)}) > {_LAST_SECOND}BD)", timestamp)

    return convert


def _wrap_seconds(value: str) -> str:
    """Write the seconds as a DECIMAL of three places; Java multiplies them by 1000 in a long, which overflows."""
    millis = wrap_decimal(f"(cast({value} as decimal(20, 0)) * 1000BD)")
    is_small = f"{value} between -{_SECONDS_OF_LONG}L and {_SECONDS_OF_LONG}L"
    return f"if({is_small}, cast({value} as decimal(24, 3)), cast({millis} as decimal(24, 0)) * 0.001BD)"


def timestamp_to_timestamp(source: Atom, target: Atom, zone: str) -> Convert:
    """Take the instant for what clocks show, or the reverse; a lower precision drops digits, a higher one adds none."""
    shift = _shift_between(source, target, zone)
    if source.precision > target.precision:
        return lambda value: _fail_where_beyond(value, source.root, _drop_digits(shift(value), target))
    if shift is _no_shift:
        return unchanged
    return lambda value: _fail_where_beyond(value, source.root, shift(value))


def _shift_between(source: Atom, target: Atom, zone: str) -> Shift:
    if source.root is target.root:
        return _no_shift
    if target.root is Root.TIMESTAMP:
        return _instant_to_clock(zone)
    return _clock_to_instant(zone)


def _drop_digits(value: str, target: Atom) -> str:
    """Write a timestamp without the digits beyond the precision."""
    micros = timestamp_to_micros(value, target.root)
    return micros_to_timestamp(_drop_digits_of_micros(micros, target.precision), target.root)


def _drop_digits_of_micros(micros: str, precision: int) -> str:
    if precision > 3:
        unit = 10 ** (6 - precision)
        return bind(micros, lambda bound: f"({bound} - pmod({bound}, {unit}L))")
    unit = 10 ** (3 - precision)
    # Towards zero, so that a time before 1970 moves forward.
    return f"(({_micros_to_millis(micros)} div {unit}L) * {1000 * unit}L)"


def _micros_to_millis(micros: str) -> str:
    """Write the milliseconds, rounded down like Java's."""
    return bind(micros, lambda bound: f"({bound} div 1000L - if({bound} % 1000L < 0, 1L, 0L))")


# ---------------------------------------------------------------- from timestamps


def timestamp_to_date(source: Atom, _target: Atom, zone: str) -> Convert:
    """Take the day that clocks show."""
    if source.root is Root.TIMESTAMP:
        return lambda value: Converted(f"cast({value} as date)")
    shift = _shift_to_clock(source, zone)
    return lambda value: _fail_where_beyond(value, source.root, f"cast({shift(value)} as date)")


def timestamp_to_seconds(source: Atom, target: Atom, _zone: str) -> Convert:
    """Cut towards zero; the zone does not matter."""

    def convert(value: str) -> Converted:
        millis = _micros_to_millis(timestamp_to_micros(value, source.root))
        return Converted(wrap(f"({millis} div 1000L)", target))

    return convert


# ---------------------------------------------------------------- to text

# The digits of a year before 0000 come out as Java's: those in front of the character 0.
_BEFORE_ZERO: Final = literal("/.-,+*)('")


def date_to_text(_source: Atom, _target: Atom, _zone: str) -> Convert:
    """Write yyyy-MM-dd, and the last four digits of years that have more."""
    return lambda value: Converted(_date_text(value))


def timestamp_to_text(source: Atom, _target: Atom, zone: str) -> Convert:
    """Write yyyy-MM-dd HH:mm:ss, then at least as many digits as the precision, and more if the value has them."""
    shift = _shift_to_clock(source, zone)

    def convert(value: str) -> Converted:
        text = bind(shift(value), lambda clock: _clock_text(clock, source.precision), _SHORT)
        if source.root is Root.TIMESTAMP:
            return Converted(text)
        return _fail_where_beyond(value, source.root, text)

    return convert


def _clock_text(value: str, precision: int) -> str:
    time = f"substring_index(cast({value} as string), ' ', -1)"
    if precision:
        time = f"concat(substring({time}, 1, 8), '.', rpad(substring({time}, 10), greatest({precision}, length({time}) - 9), '0'))"
    return f"concat({_date_text(f'cast({value} as date)')}, ' ', {time})"


def _date_text(value: str) -> str:
    return bind(value, _bound_date_text, _SHORT)


def _bound_date_text(value: str) -> str:
    year = f"lpad(cast(abs(year({value})) % 10000 as string), 4, '0')"
    digits = f"if(year({value}) < 0, translate({year}, '123456789', {_BEFORE_ZERO}), {year})"
    month = f"lpad(cast(month({value}) as string), 2, '0')"
    day = f"lpad(cast(day({value}) as string), 2, '0')"
    return f"if(year({value}) between 0 and 9999, cast({value} as string), concat({digits}, '-', {month}, '-', {day}))"

"""Conversions among DATE, the two TIMESTAMPs and numbers, and of them to text, as SQL.

What clocks show is TIMESTAMP_NTZ to Spark, an instant TIMESTAMP_LTZ. One becomes the other in the zone that is named:
a cast would take the session's. Arithmetic is on microseconds as BIGINT; Spark counts time in those, and holds the years
from -290308 to 294247. What Java can hold beyond fails.
"""

from collections.abc import Callable
from typing import Any, Final

from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.conversions.conversion import Convert, Converted, bound, unless
from airflow_provider_schemas.spark.conversions.numbers import wrapped, wrapped_decimal
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


def _as_it_is(v: str) -> str:
    return v


def micros_of(v: str, root: Root) -> str:
    """Microseconds since 1970. Spark has no function for those that clocks show which leaves out the session's zone."""
    if root is Root.TIMESTAMP_LTZ:
        return f"unix_micros({v})"
    return bound(v, _micros_of_clock, _SHORT)


def _micros_of_clock(v: str) -> str:
    # In halves, so that the first day that 64 bits hold does not overflow.
    half = f"cast(unix_date(cast({v} as date)) as bigint) * {_HALF_DAY}L"
    minutes = f"(hour({v}) * 60 + minute({v})) * 60000000L"
    return f"({half} + ({half} + {minutes} + cast(extract(SECOND FROM {v}) * 1000000 as bigint)))"


def of_micros(micros: str, root: Root) -> str:
    """The timestamp so many microseconds after 1970."""
    return f"timestamp_micros({micros})" if root is Root.TIMESTAMP_LTZ else f"timestampadd(MICROSECOND, {micros}, {_ZERO})"


def _to_clock(zone: str) -> Shift:
    """What the clocks of the zone show at an instant."""
    return lambda v: _moved(of_micros(micros_of(v, Root.TIMESTAMP_LTZ), Root.TIMESTAMP), "UTC", zone)


def _to_instant(zone: str) -> Shift:
    """When the clocks of the zone show this."""
    return lambda v: of_micros(micros_of(_moved(v, zone, "UTC"), Root.TIMESTAMP), Root.TIMESTAMP_LTZ)


def _moved(v: str, zone: str, other: str) -> str:
    return v if zone == other else f"convert_timezone({literal(zone)}, {literal(other)}, {v})"


def _shown(source: Any, zone: str) -> Shift:
    """What clocks show, for either kind of timestamp."""
    return _to_clock(zone) if source.root is Root.TIMESTAMP_LTZ else _as_it_is


def stored(target: Any, zone: str) -> Shift:
    """What is stored of what clocks show, for either kind of timestamp."""
    return _to_instant(zone) if target.root is Root.TIMESTAMP_LTZ else _as_it_is


def beyond(v: str, root: Root) -> str:
    """Whether it lies where Spark's own arithmetic overflows, in the first and last days that it holds."""
    return f"(not {v} between {of_micros(f'-{_LAST_MICRO}L', root)} and {of_micros(f'{_LAST_MICRO}L', root)})"


def _within(v: str, root: Root, value: str) -> Converted:
    """The value, unless it comes from beyond."""
    return unless(beyond(v, root), value)


# ---------------------------------------------------------------- to timestamps


def date_to_timestamp(_source: Any, target: Any, zone: str) -> Convert:
    """Midnight of the day."""
    store = stored(target, zone)

    def convert(v: str) -> Converted:
        far = f"(abs(cast(unix_date({v}) as bigint)) > {LAST_DAY})"
        return unless(far, store(f"cast({v} as timestamp_ntz)"))

    return convert


def seconds_to_timestamp(_source: Any, target: Any, zone: str) -> Convert:
    """Seconds since 1970; with local time zone, Paimon stores what the clocks of the zone show then."""
    local = target.root is Root.TIMESTAMP_LTZ

    def convert(v: str) -> Converted:
        clock = of_micros(f"try_cast({_wrapped_seconds(v)} * 1000000BD as bigint)", Root.TIMESTAMP)
        done = of_micros(micros_of(_moved(clock, "UTC", zone), Root.TIMESTAMP), target.root) if local else clock
        return unless(f"(abs({_wrapped_seconds(v)}) > {_LAST_SECOND}BD)", done)

    return convert


def _wrapped_seconds(v: str) -> str:
    """The seconds, as a DECIMAL of three places; Java multiplies them by 1000 in a long, which overflows."""
    millis = wrapped_decimal(f"(cast({v} as decimal(20, 0)) * 1000BD)")
    fits = f"{v} between -{_SECONDS_OF_LONG}L and {_SECONDS_OF_LONG}L"
    return f"if({fits}, cast({v} as decimal(24, 3)), cast({millis} as decimal(24, 0)) * 0.001BD)"


def timestamp_to_timestamp(source: Any, target: Any, zone: str) -> Convert:
    """What clocks show becomes the instant, or the reverse; a lower precision drops digits, a higher one adds none."""
    shift = _as_it_is if source.root is target.root else _to_clock(zone) if target.root is Root.TIMESTAMP else _to_instant(zone)
    if source.precision <= target.precision:
        return lambda v: _within(v, source.root, shift(v)) if shift is not _as_it_is else Converted(v)

    def convert(v: str) -> Converted:
        return _within(v, source.root, of_micros(_cut(micros_of(shift(v), target.root), target.precision), target.root))

    return convert


def _cut(micros: str, precision: int) -> str:
    """Without the digits beyond the precision."""
    if precision > 3:
        unit = 10 ** (6 - precision)
        return bound(micros, lambda x: f"({x} - pmod({x}, {unit}L))")
    unit = 10 ** (3 - precision)
    # Towards zero, so that a time before 1970 moves forward.
    return f"(({_millis(micros)} div {unit}L) * {1000 * unit}L)"


def _millis(micros: str) -> str:
    """Rounded down, like Java's milliseconds."""
    return bound(micros, lambda x: f"({x} div 1000L - if({x} % 1000L < 0, 1L, 0L))")


# ---------------------------------------------------------------- from timestamps


def timestamp_to_date(source: Any, _target: Any, zone: str) -> Convert:
    shown = _shown(source, zone)
    if source.root is Root.TIMESTAMP:
        return lambda v: Converted(f"cast({v} as date)")
    return lambda v: _within(v, source.root, f"cast({shown(v)} as date)")


def timestamp_to_seconds(source: Any, target: Any, _zone: str) -> Convert:
    """Towards zero; the zone does not matter."""
    return lambda v: Converted(wrapped(f"({_millis(micros_of(v, source.root))} div 1000L)", target))


# ---------------------------------------------------------------- to text

# The digits of a year before 0000 come out as Java's: those in front of the character 0.
_BEFORE_ZERO: Final = literal("/.-,+*)('")


def _clock_text(v: str, precision: int) -> str:
    time = f"substring_index(cast({v} as string), ' ', -1)"
    padded = f"concat(substring({time}, 1, 8), '.', rpad(substring({time}, 10), greatest({precision}, length({time}) - 9), '0'))"
    return f"concat({date_text(f'cast({v} as date)')}, ' ', {padded if precision else time})"


def date_text(v: str) -> str:
    """yyyy-MM-dd, and the last four digits of years that have more."""
    return bound(v, _date_text, _SHORT)


def _date_text(v: str) -> str:
    year = f"lpad(cast(abs(year({v})) % 10000 as string), 4, '0')"
    digits = f"if(year({v}) < 0, translate({year}, '123456789', {_BEFORE_ZERO}), {year})"
    odd = f"concat({digits}, '-', lpad(cast(month({v}) as string), 2, '0'), '-', lpad(cast(day({v}) as string), 2, '0'))"
    return f"if(year({v}) between 0 and 9999, cast({v} as string), {odd})"


def date_to_text(_source: Any, _target: Any, _zone: str) -> Convert:
    return lambda v: Converted(date_text(v))


def timestamp_to_text(source: Any, _target: Any, zone: str) -> Convert:
    """yyyy-MM-dd HH:mm:ss, then at least as many digits as the precision, and more if the value has them."""
    shown, precision = _shown(source, zone), source.precision

    def convert(v: str) -> Converted:
        text = bound(shown(v), lambda x: _clock_text(x, precision), _SHORT)
        return Converted(text) if source.root is Root.TIMESTAMP else _within(v, source.root, text)

    return convert

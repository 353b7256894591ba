"""Conversions among DATE, TIME and the two TIMESTAMPs, and between them and numbers and text.

Each function takes the two types and the zone, and returns the function for values. A TIMESTAMP is the time
that clocks show; one with local time zone is an instant, and the zone says what clocks show then.
"""

from collections.abc import Callable

from airflow_provider_schemas.core.casts.carriers import BITS, Check, Timestamp, wrapped
from airflow_provider_schemas.core.casts.time_text import DAY, parse_epoch, parse_timestamp, time_text, timestamp_text
from airflow_provider_schemas.core.casts.timezones import Zone
from airflow_provider_schemas.core.types.atomic import AnyDataType
from airflow_provider_schemas.core.types.kinds import Root

Shift = Callable[[Timestamp], Timestamp]


def _unshifted(value: Timestamp) -> Timestamp:
    return value


def _to_clock(zone: Zone) -> Shift:
    return lambda value: Timestamp(zone.clock(value.millis), value.nanos)


def _to_instant(zone: Zone) -> Shift:
    return lambda value: Timestamp(zone.instant(value.millis), value.nanos)


def _show(source: AnyDataType, zone: Zone) -> Shift:
    """Return the function from either kind of timestamp to the time that clocks show."""
    return _to_clock(zone) if source.root is Root.TIMESTAMP_LTZ else _unshifted


def _store(target: AnyDataType, zone: Zone) -> Shift:
    """Return the function from the time that clocks show to either kind of timestamp."""
    return _to_instant(zone) if target.root is Root.TIMESTAMP_LTZ else _unshifted


# ---------------------------------------------------------------- to timestamps


def date_to_timestamp(_source: AnyDataType, target: AnyDataType, zone: Zone) -> Check:
    """Convert to midnight of the day."""
    store = _store(target, zone)
    return lambda days: store(Timestamp(days * DAY))


def time_to_timestamp(_source: AnyDataType, _target: AnyDataType, _zone: Zone) -> Check:
    """Convert to a time on 1970-01-01. With local time zone too: Paimon shifts forth and back, so that no zone shows."""
    return Timestamp


def seconds_to_timestamp(_source: AnyDataType, target: AnyDataType, zone: Zone) -> Check:
    """Convert seconds since 1970. With local time zone, Paimon stores the time that clocks show then, not the instant."""
    shift = _to_clock(zone) if target.root is Root.TIMESTAMP_LTZ else _unshifted
    return lambda seconds: shift(Timestamp(wrapped(1000 * seconds, 64)))


_SHIFTS: dict[tuple[Root, Root], Callable[[Zone], Shift]] = {
    (Root.TIMESTAMP, Root.TIMESTAMP_LTZ): _to_instant,
    (Root.TIMESTAMP_LTZ, Root.TIMESTAMP): _to_clock,
}


def timestamp_to_timestamp(source: AnyDataType, target: AnyDataType, zone: Zone) -> Check:
    """Convert the time that clocks show to the instant, or the reverse; a lower precision drops digits, a higher one adds none."""
    build = _SHIFTS.get((source.root, target.root))
    shift = build(zone) if build else _unshifted
    if source.precision <= target.precision:
        return shift
    return lambda value: _cut(shift(value), target.precision)


def _cut(value: Timestamp, precision: int) -> Timestamp:
    """Return the timestamp without the digits beyond the precision."""
    if precision > 3:
        unit = 10 ** (9 - precision)
        return Timestamp(value.millis, value.nanos // unit * unit)
    unit = 10 ** (3 - precision)
    return Timestamp(_divide_towards_zero(value.millis, unit) * unit)


def _divide_towards_zero(number: int, unit: int) -> int:
    return number // unit if number >= 0 else -(-number // unit)


def text_to_timestamp(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    precision = target.precision

    def convert(text: str) -> Timestamp:
        return parse_epoch(text, precision) or parse_timestamp(text, precision)

    return convert


def text_to_instant(_source: AnyDataType, target: AnyDataType, zone: Zone) -> Check:
    """Convert text; a bare number is refused here, unlike in a TIMESTAMP."""
    store = _to_instant(zone)
    precision = target.precision
    return lambda text: store(parse_timestamp(text, precision))


# ---------------------------------------------------------------- from timestamps


def timestamp_to_date(source: AnyDataType, _target: AnyDataType, zone: Zone) -> Check:
    show = _show(source, zone)
    return lambda value: wrapped(show(value).millis // DAY, 32)


def timestamp_to_time(source: AnyDataType, _target: AnyDataType, zone: Zone) -> Check:
    show = _show(source, zone)
    return lambda value: show(value).millis % DAY


def timestamp_to_seconds(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    """Convert to seconds since 1970, towards zero; the zone does not matter."""
    bits = BITS[target.root]
    return lambda value: wrapped(_divide_towards_zero(value.millis, 1000), bits)


def timestamp_to_text(source: AnyDataType, _target: AnyDataType, zone: Zone) -> Check:
    show = _show(source, zone)
    precision = source.precision
    return lambda value: timestamp_text(show(value), precision)


def time_to_text(source: AnyDataType, _target: AnyDataType, _zone: Zone) -> Check:
    precision = source.precision
    return lambda millis: time_text(millis, precision)

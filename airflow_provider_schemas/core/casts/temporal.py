"""Conversions among DATE, TIME and the two TIMESTAMPs, and between them and numbers and text.

Each function takes the two types and the zone, and gives the function for values. A TIMESTAMP is what
clocks show; one with local time zone is an instant, and the zone says what clocks show then.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.casts.carriers import BITS, Check, Timestamp, wrapped
from airflow_provider_schemas.core.casts.time_text import DAY, parse_epoch, parse_timestamp, time_text, timestamp_text
from airflow_provider_schemas.core.casts.timezones import Zone
from airflow_provider_schemas.core.types.kinds import Root

Kind = Any
Shift = Callable[[Timestamp], Timestamp]


def _unshifted(value: Timestamp) -> Timestamp:
    return value


def _to_clock(zone: Zone) -> Shift:
    return lambda value: Timestamp(zone.clock(value.millis), value.nanos)


def _to_instant(zone: Zone) -> Shift:
    return lambda value: Timestamp(zone.instant(value.millis), value.nanos)


def _shown(source: Kind, zone: Zone) -> Shift:
    """What clocks show, for either kind of timestamp."""
    return _to_clock(zone) if source.root is Root.TIMESTAMP_LTZ else _unshifted


def _stored(target: Kind, zone: Zone) -> Shift:
    """What is stored of what clocks show, for either kind of timestamp."""
    return _to_instant(zone) if target.root is Root.TIMESTAMP_LTZ else _unshifted


# ---------------------------------------------------------------- to timestamps


def date_to_timestamp(_source: Kind, target: Kind, zone: Zone) -> Check:
    """Midnight of the day."""
    store = _stored(target, zone)
    return lambda days: store(Timestamp(days * DAY))


def time_to_timestamp(_source: Kind, _target: Kind, _zone: Zone) -> Check:
    """On 1970-01-01. With local time zone too: Paimon shifts forth and back, so that no zone shows."""
    return Timestamp


def seconds_to_timestamp(_source: Kind, target: Kind, zone: Zone) -> Check:
    """Seconds since 1970. With local time zone, Paimon stores what the clocks of the zone show then, not the instant."""
    shift = _to_clock(zone) if target.root is Root.TIMESTAMP_LTZ else _unshifted
    return lambda seconds: shift(Timestamp(wrapped(1000 * seconds, 64)))


_SHIFTS: dict[tuple[Root, Root], Callable[[Zone], Shift]] = {
    (Root.TIMESTAMP, Root.TIMESTAMP_LTZ): _to_instant,
    (Root.TIMESTAMP_LTZ, Root.TIMESTAMP): _to_clock,
}


def timestamp_to_timestamp(source: Kind, target: Kind, zone: Zone) -> Check:
    """What clocks show becomes the instant, or the reverse; a lower precision drops digits, a higher one adds none."""
    build = _SHIFTS.get((source.root, target.root))
    shift = build(zone) if build else _unshifted
    if source.precision <= target.precision:
        return shift
    return lambda value: _cut(shift(value), target.precision)


def _cut(value: Timestamp, precision: int) -> Timestamp:
    """Without the digits beyond the precision."""
    if precision > 3:
        unit = 10 ** (9 - precision)
        return Timestamp(value.millis, value.nanos // unit * unit)
    unit = 10 ** (3 - precision)
    # Towards zero, so that a time before 1970 moves forward.
    return Timestamp(abs(value.millis) // unit * unit * (1 if value.millis > 0 else -1))


def text_to_timestamp(_source: Kind, target: Kind, _zone: Zone) -> Check:
    precision = target.precision

    def convert(text: str) -> Timestamp:
        return parse_epoch(text, precision) or parse_timestamp(text, precision)

    return convert


def text_to_instant(_source: Kind, target: Kind, zone: Zone) -> Check:
    """A bare number is refused here, unlike in a TIMESTAMP."""
    store, precision = _to_instant(zone), target.precision
    return lambda text: store(parse_timestamp(text, precision))


# ---------------------------------------------------------------- from timestamps


def timestamp_to_date(source: Kind, _target: Kind, zone: Zone) -> Check:
    shown = _shown(source, zone)
    return lambda value: wrapped(shown(value).millis // DAY, 32)


def timestamp_to_time(source: Kind, _target: Kind, zone: Zone) -> Check:
    shown = _shown(source, zone)
    return lambda value: shown(value).millis % DAY


def timestamp_to_seconds(_source: Kind, target: Kind, _zone: Zone) -> Check:
    """Seconds since 1970, towards zero; the zone does not matter."""
    bits = BITS[target.root]
    return lambda value: wrapped(abs(value.millis) // 1000 * (1 if value.millis > 0 else -1), bits)


def timestamp_to_text(source: Kind, _target: Kind, zone: Zone) -> Check:
    shown, precision = _shown(source, zone), source.precision
    return lambda value: timestamp_text(shown(value), precision)


def time_to_text(source: Kind, _target: Kind, _zone: Zone) -> Check:
    precision = source.precision
    return lambda millis: time_text(millis, precision)

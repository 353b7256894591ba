"""Dates, times and timestamps as text, both ways, as Java Paimon reads and prints them.

Years run on both sides without an end, in the calendar of today extended backwards; the texts of years
outside 0 to 9999 are as odd as Java's own.
"""

import re
from calendar import isleap

from airflow_provider_schemas.core.casts.carriers import Timestamp, wrapped
from airflow_provider_schemas.core.casts.number_text import BLANKS, fault, whole_number
from airflow_provider_schemas.errors import CastError

DAY = 86_400_000
_DAY_SECONDS = 86_400
_CYCLE = 146_097
_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

# ---------------------------------------------------------------- the calendar


def days_of(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to this date."""
    # Counted from March, so that the leap day is the last of its year.
    years = year - (month < 3)
    cycle, of_cycle = divmod(years, 400)
    before = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return cycle * _CYCLE + of_cycle * 365 + of_cycle // 4 - of_cycle // 100 + before - 719_468


def date_of(days: int) -> tuple[int, int, int]:
    """Return year, month and day, so many days after 1970-01-01."""
    cycle, rest = divmod(days + 719_468, _CYCLE)
    of_cycle = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
    rest -= of_cycle * 365 + of_cycle // 4 - of_cycle // 100
    month = (5 * rest + 2) // 153
    year = cycle * 400 + of_cycle + (month > 9)
    return year, (month + 2) % 12 + 1, rest - (153 * month + 2) // 5 + 1


def _month_length(year: int, month: int) -> int:
    if month == 2 and isleap(year):
        return 29
    return _MONTHS[month - 1]


# ---------------------------------------------------------------- printing


def date_text(days: int) -> str:
    """Return a date as yyyy-MM-dd."""
    year, month, day = date_of(days)
    return f"{_digits(year, 4)}-{month:02d}-{day:02d}"


def time_text(millis: int, precision: int) -> str:
    """Return a time as HH:mm:ss, then as many digits as are needed, one at least, if the precision has room for any."""
    minutes, seconds = _split(millis, 60_000)
    hours, minutes = _split(minutes, 60)
    seconds, rest = _split(seconds, 1000)
    text = ":".join(_digits(part, 2) for part in (hours, minutes, seconds))
    if not precision:
        return text
    fraction = _digits(rest, 3)
    needed = max(1, len(fraction.rstrip("0")))
    return f"{text}.{fraction[: min(needed, precision)]}"


def timestamp_text(value: Timestamp, precision: int) -> str:
    """Return yyyy-MM-dd HH:mm:ss, then at least as many digits as the precision, and more if the value has them."""
    days, rest = divmod(value.millis, DAY)
    seconds, millis = divmod(rest, 1000)
    fraction = f"{millis:03d}{value.nanos:06d}"
    fraction = fraction[:precision] + fraction[precision:].rstrip("0")
    time = f"{date_text(days)} {time_text(seconds * 1000, 0)}"
    return f"{time}.{fraction}" if fraction else time


def _split(number: int, unit: int) -> tuple[int, int]:
    """Return quotient and rest, towards zero as in Java."""
    quotient = number // unit if number >= 0 else -(-number // unit)
    return quotient, number - quotient * unit


def _digits(number: int, width: int) -> str:
    """Return the last digits of the number.

    Java adds each digit to the character 0 and ignores the sign: the -1 of the year before 0000 prints as
    the character in front of it, a slash.
    """
    step = 1 if number >= 0 else -1
    return "".join(chr(ord("0") + step * (abs(number) // 10**place % 10)) for place in reversed(range(width)))


# ---------------------------------------------------------------- reading

_BLANK = r"[\x00-\x20]*+"
_NUMBER = rf"{_BLANK}([0-9]++){_BLANK}"
_TIME = re.compile(rf"{_NUMBER}(?::{_NUMBER}(?::{_NUMBER}(?:\.{_BLANK}([0-9]*+){_BLANK})?)?)?(?:([+-]){_NUMBER}(?::{_NUMBER})?)?")

_PAIR = "([0-9]{1,2})"
_FRACTION = r"(?:\.([0-9]{0,9}))?"
_TIMESTAMP = re.compile(
    rf"([0-9]{{4}}|\+[0-9]{{5,19}})-{_PAIR}-{_PAIR}(?: {_PAIR}:{_PAIR}:{_PAIR}{_FRACTION}|T{_PAIR}:{_PAIR}(?::{_PAIR}{_FRACTION})?)?"
)
# The last whole year that 64 bits of milliseconds reach.
_LAST_YEAR = 292_278_993
# How many nanoseconds a bare number counts, by the precision of the timestamp.
_UNITS = {0: 1_000_000_000, 3: 1_000_000, 6: 1_000, 9: 1}


def parse_date(text: str) -> int:
    """Read a date: a bare number is days since 1970-01-01, not a year; else y-m-d or y-m, and the text after a blank is dropped."""
    days = whole_number(text, 32)
    if days is not None:
        return days
    date = text.partition(" ")[0] or text
    parts = [_natural(part.strip(BLANKS)) for part in date.split("-", 2)]
    year, month, day = (*parts, 1, 1)[:3]
    if year is None or month is None or day is None or not _exists(year, month, day):
        raise fault(text, "date", "cast.syntax", "Write a date such as 2023-06-08, or the number of days since 1970-01-01.")
    return days_of(year, month, day)


def _natural(text: str) -> int | None:
    return None if text.startswith("-") else whole_number(text, 32)


def _exists(year: int, month: int, day: int) -> bool:
    return 0 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= _month_length(year, month)


def parse_time(text: str) -> int:
    """Read a time: a bare number is milliseconds of the day; else h:m:s.f or less, and an offset, which is added."""
    millis = _natural(text)
    if millis is not None:
        return millis
    match = _TIME.fullmatch(text)
    groups = match.group(1, 2, 3, 6, 7) if match else ()
    numbers = [number for group in groups if (number := _natural(group or "0")) is not None]
    if match is None or len(numbers) < len(groups):
        raise fault(text, "time", "cast.syntax", "Write a time such as 09:30:00.123, or the milliseconds of the day.")
    hours, minutes, seconds, offset_hours, offset_minutes = numbers
    offset = 60 * offset_hours + offset_minutes
    if match[5] == "-":
        offset = -offset
    return wrapped(60_000 * (60 * hours + minutes + offset) + 1000 * seconds + _round_millis(match[4] or ""), 32)


def _round_millis(fraction: str) -> int:
    return int(fraction[:3].ljust(3, "0")) + (fraction[3:4] >= "5")


def parse_timestamp(text: str, precision: int) -> Timestamp:
    """Read the time that clocks show: a date, with a time after a blank or a T. Digits beyond the precision are cut off."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise _no_timestamp(text)
    year, month, day, *times = match.groups()
    # The groups after a blank, or those after a T.
    hour, minute, second, fraction = (blank or letter or "0" for blank, letter in zip(times[:4], times[4:], strict=True))
    days = _resolve_day(int(year), int(month), int(day))
    seconds = _second_of_day(int(hour), int(minute), int(second))
    nanos = int(fraction.ljust(9, "0"))
    if days is None or seconds is None or (seconds == _DAY_SECONDS and nanos):
        raise _no_timestamp(text)
    kept = nanos // 10 ** (9 - precision) * 10 ** (9 - precision)
    return Timestamp(days * DAY + seconds * 1000 + kept // 1_000_000, kept % 1_000_000)


def _resolve_day(year: int, month: int, day: int) -> int | None:
    """Return the days to a date; Java's formatter takes the 31st of a shorter month for its last day."""
    if 0 < year <= _LAST_YEAR and 1 <= month <= 12 and 1 <= day <= 31:
        return days_of(year, month, min(day, _month_length(year, month)))
    return None


def _second_of_day(hour: int, minute: int, second: int) -> int | None:
    """Return the second of the day; Java's formatter also takes 24:00:00, the end of the day."""
    seconds = 3600 * hour + 60 * minute + second
    if seconds <= _DAY_SECONDS and minute < 60 and second < 60:
        return seconds
    return None


def parse_epoch(text: str, precision: int) -> Timestamp | None:
    """Read a bare number of seconds, milli-, micro- or nanoseconds since 1970, by the precision; return None for other texts."""
    number = whole_number(text, 64)
    if number is None:
        return None
    millis, nanos = divmod(number * _UNITS.get(precision, 0), 1_000_000)
    if not -(2**63) <= millis < 2**63 or precision not in _UNITS:
        raise _no_timestamp(text)
    return Timestamp(millis, nanos)


def _no_timestamp(text: str) -> CastError:
    fix = "Write a timestamp such as 2023-06-08 09:30:00.123; a TIMESTAMP of precision 0, 3, 6 or 9 takes a bare number, too."
    return fault(text, "timestamp", "cast.syntax", fix)

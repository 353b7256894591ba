"""Conversions of text to DATE and to the two TIMESTAMPs as SQL, as Java Paimon reads them.

A pattern decides what is read; then the parts are taken by splitting, and Spark's own calendar does the rest.
"""

from typing import Any, Final

from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.conversions.conversion import Convert, Converted, bound, or_fails, usual
from airflow_provider_schemas.spark.conversions.text import BLANKS, fits
from airflow_provider_schemas.spark.conversions.times import of_micros, stored
from airflow_provider_schemas.spark.sql import literal

_NUMBER: Final = "-?[0-9]++"
_PART: Final = f"{BLANKS}[0-9]++{BLANKS}"
_DATE: Final = f"{_PART}(-{_PART}(-{_PART})?)?"

_PAIR: Final = "[0-9]{1,2}"
_FRACTION: Final = "([.][0-9]{0,9})?"
_TIMESTAMP: Final = (
    f"([0-9]{{4}}|[+][0-9]{{5,19}})-{_PAIR}-{_PAIR}( {_PAIR}:{_PAIR}:{_PAIR}{_FRACTION}|T{_PAIR}:{_PAIR}(:{_PAIR}{_FRACTION})?)?"
)
# How many microseconds a bare number counts, by the precision of the timestamp.
_UNITS: Final = {0: 1_000_000, 3: 1_000, 6: 1}
_LAST_YEAR: Final = 294_246
_DAY: Final = 86_400


def text_to_date(_source: Any, _target: Any, _zone: str) -> Convert:
    """A bare number is days since 1970-01-01; else y-m-d or less, and what follows a blank is dropped."""

    def convert(v: str) -> Converted:
        days = f"if({fits(v, _NUMBER)}, try_cast({v} as int), null)"
        date = f"if(instr({v}, ' ') > 1, substring_index({v}, ' ', 1), {v})"
        written = f"if({fits(date, _DATE)}, {_date_of(date)}, null)"
        return or_fails(v, usual(v, "date", f"coalesce(date_from_unix_date({days}), {written})", plain=f"{v} like '____-__-__'"))

    return convert


def _date_of(date: str) -> str:
    return bound(f"split(regexp_replace({date}, {_ANY_BLANK}, ''), '-')", _date_of_parts, 0)


def _date_of_parts(parts: str) -> str:
    # A part that is no number of 32 bits stays as it is, and then there is no such date.
    year = f"try_cast({parts}[0] as int)"
    month, day = (f"coalesce(get({parts}, {place}), '1')" for place in (1, 2))
    padded = f"lpad(cast({year} as string), 4, '0')"
    return f"if({year} <= 9999, try_cast(concat({padded}, '-', {_number(month)}, '-', {_number(day)}) as date), null)"


def _number(digits: str) -> str:
    return f"cast(try_cast({digits} as int) as string)"


_ANY_BLANK: Final = literal("[\x00-\x20]")


def text_to_timestamp(_source: Any, target: Any, _zone: str) -> Convert:
    """A bare number counts what the precision says, if it is 0, 3 or 6; any other text is what clocks show."""
    unit = _UNITS.get(target.precision)

    def convert(v: str) -> Converted:
        written = _micros(v, target.precision)
        number = f"try_cast(cast(try_cast({v} as bigint) as decimal(20, 0)) * {unit}BD as bigint)"
        micros = f"if({fits(v, _NUMBER)}, {number}, {written})" if unit else written
        return or_fails(v, _usual(v, target.precision, micros))

    return convert


def text_to_instant(_source: Any, target: Any, zone: str) -> Convert:
    """What the clocks of the zone show; a bare number is refused here."""
    store = stored(target, zone)
    return lambda v: or_fails(v, store(_usual(v, target.precision, _micros(v, target.precision))))


def _usual(v: str, precision: int, micros: str) -> str:
    """The year 0000 is none to Java, and digits beyond the precision are cut."""
    longest = len("2023-06-08 09:30:00") + (precision and precision + 1)
    return usual(
        v,
        "timestamp_ntz",
        of_micros(micros, Root.TIMESTAMP),
        plain=f"{v} like '____-__-__ %' and {v} >= '0001' and length({v}) <= {longest}",
    )


def _micros(v: str, precision: int) -> str:
    """Microseconds from 1970 to what the text says, or NULL."""
    parts = f"if({fits(v, _TIMESTAMP)}, split(ltrim('+', {v}), '[-: T.]'), null)"
    return bound(parts, lambda x: _micros_of_parts(x, v, precision), 0)


def _micros_of_parts(parts: str, v: str, precision: int) -> str:
    year, month, day, *times = (f"try_cast(get({parts}, {place}) as bigint)" for place in range(6))
    hour, minute, second = (f"coalesce({one}, 0L)" for one in times)
    fraction = f"rpad(coalesce(get(split({v}, '[.]'), 1), ''), 9, '0')"
    seconds = f"({hour} * 3600L + {minute} * 60L + {second})"
    padded = f"if({year} > 9999, concat('+', cast({year} as string)), lpad(cast({year} as string), 4, '0'))"
    first = f"try_cast(concat({padded}, '-', cast({month} as string), '-1') as date)"
    days = f"cast(unix_date({first}) as bigint) + least({day}, cast(day(last_day({first})) as bigint)) - 1L"
    kept = f"cast(rpad(substring({fraction}, 1, {precision}), 6, '0') as bigint)"
    right = (
        f"{year} between 1L and {_LAST_YEAR}L and {month} between 1L and 12L and {day} between 1L and 31L "
        f"and {minute} < 60L and {second} < 60L and ({seconds} < {_DAY}L or ({seconds} = {_DAY}L and {fraction} = '000000000'))"
    )
    return f"if({right}, (({days}) * {_DAY}L + {seconds}) * 1000000L + {kept}, null)"

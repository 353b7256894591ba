"""Conversions of text to DATE and to the two TIMESTAMPs as SQL, as Java Paimon reads them.

A pattern decides what is read; then the parts are taken by splitting, and Spark's own calendar does the rest.
"""

from typing import Final

from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.conversions.conversion import Atom, Convert, Converted, bind, fail_where_null, read_plainly
from airflow_provider_schemas.spark.conversions.text import BLANKS, matches
from airflow_provider_schemas.spark.conversions.times import micros_to_timestamp, shift_to_stored
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
_ANY_BLANK: Final = literal("[\x00-\x20]")


def text_to_date(_source: Atom, _target: Atom, _zone: str) -> Convert:
    """Read a bare number as days since 1970-01-01; else y-m-d or less, and what follows a blank is dropped."""

    def convert(value: str) -> Converted:
        days = f"if({matches(value, _NUMBER)}, try_cast({value} as int), null)"
        date = f"if(instr({value}, ' ') > 1, substring_index({value}, ' ', 1), {value})"
        written = f"if({matches(date, _DATE)}, {_split_date(date)}, null)"
        otherwise = f"coalesce(date_from_unix_date({days}), {written})"
        return fail_where_null(value, read_plainly(value, "date", otherwise, is_plain=f"{value} like '____-__-__'"))

    return convert


def _split_date(date: str) -> str:
    return bind(f"split(regexp_replace({date}, {_ANY_BLANK}, ''), '-')", _date_of_parts, 0)


def _date_of_parts(parts: str) -> str:
    # A part that is no number of 32 bits stays as it is, and then there is no such date.
    year = f"try_cast({parts}[0] as int)"
    month = _without_zeros(f"coalesce(get({parts}, 1), '1')")
    day = _without_zeros(f"coalesce(get({parts}, 2), '1')")
    padded = f"lpad(cast({year} as string), 4, '0')"
    return f"if({year} <= 9999, try_cast(concat({padded}, '-', {month}, '-', {day}) as date), null)"


def _without_zeros(digits: str) -> str:
    return f"cast(try_cast({digits} as int) as string)"


def text_to_timestamp(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Read a bare number in the unit that the precision says, if it is 0, 3 or 6; any other text as what clocks show."""
    unit = _UNITS.get(target.precision)

    def convert(value: str) -> Converted:
        micros = _clock_micros(value, target.precision)
        if unit:
            number = f"try_cast(cast(try_cast({value} as bigint) as decimal(20, 0)) * {unit}BD as bigint)"
            micros = f"if({matches(value, _NUMBER)}, {number}, {micros})"
        return fail_where_null(value, _read_clock(value, target.precision, micros))

    return convert


def text_to_instant(_source: Atom, target: Atom, zone: str) -> Convert:
    """Read what the clocks of the zone show; a bare number is refused here."""
    shift = shift_to_stored(target, zone)

    def convert(value: str) -> Converted:
        clock = _read_clock(value, target.precision, _clock_micros(value, target.precision))
        return fail_where_null(value, shift(clock))

    return convert


def _read_clock(value: str, precision: int, micros: str) -> str:
    """Write what clocks show. The year 0000 is none to Java, and digits beyond the precision are cut."""
    longest = len("2023-06-08 09:30:00") + (precision and precision + 1)
    is_plain = f"{value} like '____-__-__ %' and {value} >= '0001' and length({value}) <= {longest}"
    return read_plainly(value, "timestamp_ntz", micros_to_timestamp(micros, Root.TIMESTAMP), is_plain=is_plain)


def _clock_micros(value: str, precision: int) -> str:
    """Write the microseconds from 1970 to what the text says, or NULL."""
    parts = f"if({matches(value, _TIMESTAMP)}, split(ltrim('+', {value}), '[-: T.]'), null)"
    return bind(parts, lambda bound: _micros_of_parts(bound, value, precision), 0)


def _micros_of_parts(parts: str, value: str, precision: int) -> str:
    """Write the microseconds of a timestamp, of which the numbers are given as an array."""
    year, month, day, *time = (f"try_cast(get({parts}, {place}) as bigint)" for place in range(6))
    hour, minute, second = (f"coalesce({part}, 0L)" for part in time)
    fraction = f"rpad(coalesce(get(split({value}, '[.]'), 1), ''), 9, '0')"
    seconds = f"({hour} * 3600L + {minute} * 60L + {second})"
    padded = f"if({year} > 9999, concat('+', cast({year} as string)), lpad(cast({year} as string), 4, '0'))"
    first_of_month = f"try_cast(concat({padded}, '-', cast({month} as string), '-1') as date)"
    last_of_month = f"cast(day(last_day({first_of_month})) as bigint)"
    days = f"cast(unix_date({first_of_month}) as bigint) + least({day}, {last_of_month}) - 1L"
    kept_fraction = f"cast(rpad(substring({fraction}, 1, {precision}), 6, '0') as bigint)"
    is_valid = (
        f"{year} between 1L and {_LAST_YEAR}L and {month} between 1L and 12L and {day} between 1L and 31L "
        f"and {minute} < 60L and {second} < 60L and ({seconds} < {_DAY}L or ({seconds} = {_DAY}L and {fraction} = '000000000'))"
    )
    return f"if({is_valid}, (({days}) * {_DAY}L + {seconds}) * 1000000L + {kept_fraction}, null)"

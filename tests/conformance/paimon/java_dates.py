"""The calendar of Java, on the carriers of DATE and TIMESTAMP.

It is computed here, for all years, so that the library is not asked to confirm its own.
"""

from airflow_provider_schemas.core import Timestamp

DAY = 86_400_000


def days_of(text: str) -> int:
    """The day number of a date such as 2024-02-29."""
    year, month, day = map(int, text.rsplit("-", 2))
    # Counted in years that begin in March, so that the leap day is the last of its year.
    year -= month < 3
    era, within = divmod(year, 400)
    return era * 146_097 + within * 365 + within // 4 - within // 100 + (153 * ((month - 3) % 12) + 2) // 5 + day - 1 - 719_468


def date_text(days: int) -> str:
    """The date of a day number, as LocalDate prints it."""
    era, within = divmod(days + 719_468, 146_097)
    year = (within - within // 1_460 + within // 36_524 - within // 146_096) // 365
    rest = within - (365 * year + year // 4 - year // 100)
    month = (5 * rest + 2) // 153
    day = rest - (153 * month + 2) // 5 + 1
    calendar_year = era * 400 + year + (month >= 10)
    return f"{_year_text(calendar_year)}-{(month + 2) % 12 + 1:02}-{day:02}"


def _year_text(year: int) -> str:
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}"


def timestamp_of(text: str) -> Timestamp:
    """The carrier of a date and time such as 2024-03-04T05:06:07.123456789."""
    date, _, time = text.partition("T")
    clock, _, fraction = time.partition(".")
    hours, minutes, seconds = (*map(int, clock.split(":")), 0)[:3]
    nanos = int(f"{fraction:0<9}")
    millis = days_of(date) * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1000 + nanos // 1_000_000
    return Timestamp(millis, nanos % 1_000_000)


def timestamp_text(value: Timestamp) -> str:
    """A date and time as LocalDateTime prints it: without seconds that are zero, and fractions in threes of digits."""
    days, millis = divmod(value.millis, DAY)
    minutes, rest = divmod(millis, 60_000)
    fraction = f"{rest % 1000:03}{value.nanos:06}"
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    seconds = f":{rest // 1000:02}" if rest else ""
    seconds = seconds or (":00" if fraction else "")
    return f"{date_text(days)}T{minutes // 60:02}:{minutes % 60:02}{seconds}{'.' * bool(fraction)}{fraction}"

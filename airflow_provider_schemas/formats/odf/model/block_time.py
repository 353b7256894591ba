"""The time of a block: a day of a year, seconds and nanoseconds, all in UTC, as blocks count them and people write them."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple, Self

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

_SECONDS: Final = 24 * 60 * 60
_NANOSECONDS: Final = 1_000_000_000
_MAX_TEXT: Final = 100
_TEXT: Final = re.compile(r"(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[-+]\d\d:\d\d)", re.ASCII)


class BlockTime(NamedTuple):
    """A point in time. Days of a year count from 1."""

    year: int
    day: int
    second: int
    nanosecond: int

    @classmethod
    def of(cls, moment: datetime, nanosecond: int | None = None) -> Self:
        """Return the time of a moment with a zone; `nanosecond` replaces the microseconds of the moment."""
        if moment.tzinfo is None:
            raise _refusal(f"{moment.isoformat()} has no zone")
        try:
            utc = moment.astimezone(UTC)
        except OverflowError:
            raise _refusal(f"{moment.isoformat()} lies in no year that can be written") from None
        second = utc.hour * 3600 + utc.minute * 60 + utc.second
        if nanosecond is None:
            nanosecond = utc.microsecond * 1000
        return cls(utc.year, utc.timetuple().tm_yday, second, nanosecond).checked()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the time in a text of RFC 3339, to the nanosecond."""
        match = _TEXT.fullmatch(str(text)[:_MAX_TEXT])
        if match is None:
            raise _refusal(f"{shown(text)} is no time")
        moment, fraction, zone = match.groups()
        nanosecond = int((fraction or "").ljust(9, "0"))
        try:
            return cls.of(datetime.fromisoformat(f"{moment.upper()}{zone.upper()}"), nanosecond)
        except ValueError:
            raise _refusal(f"{shown(text)} is no time") from None

    @property
    def moment(self) -> datetime:
        """Return the time to the microsecond."""
        day = datetime(self.year, 1, 1, tzinfo=UTC) + timedelta(days=self.day - 1)
        return day + timedelta(seconds=self.second, microseconds=self.nanosecond // 1000)

    def __str__(self) -> str:
        text = self.moment.replace(tzinfo=None).isoformat(timespec="seconds")
        digits = f"{self.nanosecond:09}"
        while digits.endswith("000"):
            digits = digits[:-3]
        if not digits:
            return f"{text}Z"
        return f"{text}.{digits}Z"

    def checked(self) -> Self:
        """Return the time itself, or raise a FormatError if there is no such time."""
        years = range(date.min.year, date.max.year + 1)
        days = 0
        if self.year in years:
            days = date(self.year, 12, 31).timetuple().tm_yday
        if not (1 <= self.day <= days and 0 <= self.second < _SECONDS and 0 <= self.nanosecond < _NANOSECONDS):
            message = f"day {self.day} of year {self.year}, second {self.second}, nanosecond {self.nanosecond} is no time"
            raise _refusal(message)
        return self


def _refusal(message: str) -> FormatError:
    return FormatError(f"{message}.", code="odf.time", fix="Write it as 2026-12-31T09:00:00Z.")

"""The words of reports: marks, verdicts, the three questions and their answers, numbers, days, and who to call.

Text and Markdown say the same; both take it from here.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from airflow_provider_schemas.core.report import Consumer, Finding, Verdict
from airflow_provider_schemas.render.sanitize import JOINED

MARKS: Mapping[Verdict, str] = MappingProxyType({Verdict.OK: "✔", Verdict.WARN: "⚠", Verdict.BREAK: "✖", Verdict.INVALID: "⛔"})
VERDICTS: Mapping[Verdict, str] = MappingProxyType({
    Verdict.OK: "fits",
    Verdict.WARN: "warns",
    Verdict.BREAK: "breaks",
    Verdict.INVALID: "invalid",
})  # fmt: skip

# What comes and what goes; everything else is a `~`.
SIGNS: Mapping[str, str] = MappingProxyType({
    "FIELD_ADDED_NULLABLE": "+",
    "FIELD_ADDED_REQUIRED": "+",
    "FIELD_ADDED_WRITE_DEFAULT": "+",
    "FIELD_READDED": "+",
    "FIELD_UNDELETED": "+",
    "FIELD_DROPPED": "-",
    "FIELD_DROPPED_UNREAD": "-",
    "STRUCT_EMPTIED": "-",
})  # fmt: skip


# ---------------------------------------------------------------- data, readers, writers


def answers(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Each of the three questions with its answer."""
    return ("data", _data(finding)), ("readers", _answer(finding.jobs)), ("writers", _answer(finding.writers))


def _answer(verdict: Verdict) -> str:
    return "ok" if verdict is Verdict.OK else MARKS[verdict]


def _data(finding: Finding) -> str:
    """The answer for the engines at hand, which find columns by id or by name, where it matters which."""
    by_id, by_name = finding.verdicts.data_by_id, finding.verdicts.data_by_name
    if by_id is by_name or finding.data not in (by_id, by_name):
        return _answer(finding.data)
    return f"{_answer(finding.data)}{JOINED}(by{JOINED}{'id' if finding.data is by_id else 'name'})"


def sentence(found: Iterable[tuple[str, str]]) -> str:
    """The answers on one line."""
    return " · ".join(f"{question}{JOINED}{answer}" for question, answer in found)


# ---------------------------------------------------------------- who


def who(one: Consumer, now: datetime | None = None) -> str:
    """A reader, and whom to call: daily_report (team-bi, #bi-oncall, last seen today)."""
    seen = f"last{JOINED}seen{JOINED}{days_ago(one.last_seen, now)}" if one.last_seen else ""
    about = ", ".join(part for part in (one.owner, one.contact, seen) if part)
    return f"{one.name} ({about})" if about else one.name


def days_ago(moment: str, now: datetime | None) -> str:
    """A day or a time, counted from now; as it was written, where that cannot be."""
    try:
        day = datetime.fromisoformat(moment).date()
    except ValueError:
        return moment
    days = (now.date() - day).days if now else -1
    return moment if days < 0 else {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


# ---------------------------------------------------------------- numbers


def listed(names: Iterable[str], limit: int) -> str:
    """Some of the names, and how many more there are."""
    found = list(names)
    more = f" and {len(found) - limit:,} more" if len(found) > limit else ""
    return ", ".join(found[:limit]) + more


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def counts(verdicts: Iterable[Verdict]) -> str:
    """1 break, 2 ok: the worst first."""
    found = list(verdicts)
    numbers = [(one, found.count(one)) for one in reversed(Verdict)]
    return ", ".join(f"{number:,} {one.value}" for one, number in numbers if number)


def arrow(old: int | None, new: int | None) -> str:
    """v41 -> v42, as far as the numbers are known."""
    numbers = dict.fromkeys(f"v{one}" for one in (old, new) if one is not None)
    return f"{JOINED}->{JOINED}".join(numbers)

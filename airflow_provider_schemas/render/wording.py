"""The words of reports: marks, verdicts, the three questions and their answers, and numbers.

Text and Markdown use the same words; both take them from here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.render.sanitize import JOINED

MARKS: Mapping[Verdict, str] = MappingProxyType({Verdict.OK: "✔", Verdict.WARN: "⚠", Verdict.BREAK: "✖", Verdict.INVALID: "⛔"})
MARKS_IN_HTML: Mapping[Verdict, str] = MappingProxyType({**MARKS, Verdict.INVALID: "⊘"})
"""The marks of verdicts. The one of what is invalid is no coloured picture, which some systems do not have."""
VERDICTS: Mapping[Verdict, str] = MappingProxyType({
    Verdict.OK: "fits",
    Verdict.WARN: "warns",
    Verdict.BREAK: "breaks",
    Verdict.INVALID: "invalid",
})  # fmt: skip

# What is added and what is dropped; everything else is a `~`.
SIGNS: Mapping[str, str] = MappingProxyType({
    "FIELD_ADDED_NULLABLE": "+",
    "FIELD_ADDED_DEFAULTED": "+",
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
    """Return each of the three questions with its answer."""
    return ("data", _data_answer(finding)), ("readers", _answer(finding.jobs)), ("writers", _answer(finding.writers))


def _answer(verdict: Verdict) -> str:
    if verdict is Verdict.OK:
        return "ok"
    return MARKS[verdict]


def _data_answer(finding: Finding) -> str:
    """Return the answer for the engines in use, and whether these find columns by id or by name, if that matters."""
    by_id = finding.verdicts.data_by_id
    by_name = finding.verdicts.data_by_name
    answer = _answer(finding.data)
    if by_id is by_name or finding.data not in (by_id, by_name):
        return answer
    key = "id" if finding.data is by_id else "name"
    return f"{answer}{JOINED}(by{JOINED}{key})"


def sentence(answered: Iterable[tuple[str, str]]) -> str:
    """Return the questions and answers on one line."""
    return " · ".join(f"{question}{JOINED}{answer}" for question, answer in answered)


# ---------------------------------------------------------------- numbers


def listed(names: Iterable[str], limit: int) -> str:
    """Return the first names, and how many more there are."""
    all_names = list(names)
    text = ", ".join(all_names[:limit])
    if len(all_names) <= limit:
        return text
    return f"{text} and {len(all_names) - limit:,} more"


def counted(number: int, word: str) -> str:
    """Return a number of things: 1 column, 2 columns."""
    if number == 1:
        return f"{number:,} {word}"
    return f"{number:,} {word}s"


def counts(verdicts: Iterable[Verdict]) -> str:
    """Return how many there are of each verdict, the worst first: 1 break, 2 ok."""
    numbers = Counter(verdicts)
    return ", ".join(f"{numbers[verdict]:,} {verdict.value}" for verdict in reversed(Verdict) if numbers[verdict])


def arrow(old: int | None, new: int | None) -> str:
    """Return the numbers of two versions, as far as they are known: v41 -> v42."""
    numbers = dict.fromkeys(f"v{number}" for number in (old, new) if number is not None)
    return f"{JOINED}->{JOINED}".join(numbers)

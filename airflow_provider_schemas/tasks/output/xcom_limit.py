"""The limit of a verdict in XCom: details are left out step by step until the whole is small enough, the worst tables last.

What a later run and a Spark job rely on is never left out: the verdict on each table, its version, what was seen of it, and `spark`.
Of many tables these alone may be larger than the limit; then the worst tables still have their share.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.render.verdict.entries import read_verdict
from airflow_provider_schemas.render.verdict.table_texts import worst_first
from airflow_provider_schemas.render.verdict.verdict_log import MAX_FITTING_TABLES, MAX_TABLES

MAX_BYTES = 64 * 1024
"""A verdict of usual size stays below this, as Airflow writes it."""
SHARE_OF_PRINTED = 24 * 1024
"""How many bytes the tables in the log may have, also where the rest fills the limit."""

Entry = dict[str, Any]
Reduction = Callable[[Entry], None]

# What a finding has always had. The rest is what is printed below its line.
_SENTENCE = ("rule", "verdict", "path", "message", "fix", "waived")
# The keys of a table that neither a later run nor a Spark job asks for.
_TOLD = (
    *("subject", "sentence", "how", "from", "job", "owner", "contact", "contracts"),
    *("policy", "fine", "steps", "again", "written", "override"),
)
_ORIGIN = ("changed", "place", "layout", "judged_by", "at")
_LEFT_OUT_LAST = frozenset({*_TOLD, *_ORIGIN, "findings", "notes"})
# Texts of a table that are cut; all others are names and numbers, or could not be used if they were cut.
_TEXTS = ("findings", "notes", "sentence", "subject", "how", "job", "written", "owner", "contact", "override", "fine", "steps", "changed")
_UNCUT = frozenset({"rule", "verdict", "command"})
_TEXTS_OF_WHOLE = ("notes", "next_steps", "sentence", "rules")


def size(value: object) -> int:
    """Return how many bytes a value has in XCom."""
    return len(json.dumps(value))


def within_limit(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict, with fewer details where it would be too large; `more` then counts what was left out."""
    verdict = {key: part for key, part in value.items() if key != "more"}
    if size(verdict) > MAX_BYTES:
        verdict = _reduced(verdict)
    left_out = _left_out(verdict)
    return {**verdict, "more": left_out} if left_out else verdict


def joined_texts(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of two verdicts of one task, in their order, with the facts of both: the worse one says how to go on."""
    entries = list({**first["tables"], **second["tables"]}.items())
    worse = max((first, second), key=lambda verdict: (not verdict["fits"], SEVERITY[Verdict(verdict["verdict"])]))
    joined: dict[str, Any] = {
        "tables": {name: {**entry, "position": position} for position, (name, entry) in enumerate(entries)},
        "rules": {**first.get("rules", {}), **second.get("rules", {})},
    }
    more_notes = first.get("more_notes", 0) + second.get("more_notes", 0)
    if more_notes:
        joined["more_notes"] = more_notes
    return joined | {key: worse[key] for key in ("sentence", "next_steps", "links") if key in worse}


def _reduced(value: Mapping[str, Any]) -> dict[str, Any]:
    verdict = {**value, "tables": {name: _copied(entry) for name, entry in value["tables"].items()}}
    printed, others = _ranked(verdict)
    _apply(verdict, others, _FOR_OTHERS, MAX_BYTES)
    _apply(verdict, printed, (_without_columns,), MAX_BYTES)
    if size(verdict) <= MAX_BYTES:
        return verdict
    _cut_texts(verdict, _TEXTS_OF_WHOLE, 300)
    bare = size(verdict) - sum(map(_told_size, printed))
    _apply(verdict, printed, _FOR_PRINTED, max(MAX_BYTES, bare + SHARE_OF_PRINTED))
    return verdict


def _told_size(entry: Entry) -> int:
    """Return how many bytes of an entry are told, and needed by nothing but people."""
    return sum(size(part) for key, part in entry.items() if key in _LEFT_OUT_LAST)


def _copied(entry: Entry) -> Entry:
    """Return a copy of what the reductions change."""
    return {**entry, "findings": [dict(finding) for finding in entry["findings"]]}


def _ranked(verdict: Entry) -> tuple[list[Entry], list[Entry]]:
    """Return the tables that the log tells of, and the others; of both, the least bad first: it is the first to be shortened."""
    tables = read_verdict(verdict).tables
    unfit = [name for name, _ in worst_first(item for item in tables.items() if item[1].stands_out)]
    fitting = [name for name, _ in worst_first(item for item in tables.items() if not item[1].stands_out)]
    printed = [*unfit[:MAX_TABLES], *fitting[:MAX_FITTING_TABLES]]
    others = [*unfit[MAX_TABLES:], *fitting[MAX_FITTING_TABLES:]]
    return _entries(verdict, printed), _entries(verdict, others)


def _entries(verdict: Entry, worst_to_best: list[str]) -> list[Entry]:
    return [verdict["tables"][name] for name in reversed(worst_to_best)]


def _apply(verdict: Entry, entries: list[Entry], reductions: Iterable[Reduction], limit: int) -> None:
    """Apply one reduction after the other to one table after the other, until the verdict is small enough."""
    total = size(verdict)
    for reduce in reductions:
        for entry in entries:
            if total <= limit:
                return
            total -= size(entry)
            reduce(entry)
            total += size(entry)


def _left_out(verdict: Mapping[str, Any]) -> dict[str, int]:
    """Return how many findings, readers and notes were left out, and of how many tables the facts."""
    tables = list(verdict["tables"].values())
    findings = [finding for entry in tables for finding in entry["findings"]]
    numbers = {
        "findings": sum(entry.get("more", 0) for entry in tables),
        "readers": sum(finding.get("more_readers", 0) + finding.get("more_mended", 0) for finding in findings),
        "notes": verdict.get("more_notes", 0) + sum(entry.get("more_notes", 0) for entry in tables),
        "details": sum("what" not in finding for finding in findings),
        "facts": sum("sentence" not in entry for entry in tables),
    }
    return {name: number for name, number in numbers.items() if number}


# ---------------------------------------------------------------- the reductions


def _without_columns(entry: Entry) -> None:
    entry.pop("fields_ddl", None)


def _without_details(entry: Entry) -> None:
    entry["findings"] = [{key: finding[key] for key in _SENTENCE} for finding in entry["findings"]]


def _without_told(entry: Entry) -> None:
    for key in _TOLD:
        entry.pop(key, None)
    _keep_notes(entry, 0)


def _without_origin(entry: Entry) -> None:
    for key in _ORIGIN:
        entry.pop(key, None)


def _keep_notes(entry: Entry, number: int) -> None:
    notes = entry["notes"]
    if len(notes) > number:
        entry["more_notes"] = entry.get("more_notes", 0) + len(notes) - number
        entry["notes"] = notes[:number]


def _first_findings(number: int) -> Reduction:
    def keep(entry: Entry) -> None:
        findings = entry["findings"]
        if len(findings) > number:
            entry["more"] = entry.get("more", 0) + len(findings) - number
            entry["findings"] = findings[:number]

    return keep


def _first_readers(number: int) -> Reduction:
    def keep(entry: Entry) -> None:
        for finding in entry["findings"]:
            for key in ("readers", "mended", "steps"):
                _keep_first(finding, key, number)

    return keep


def _keep_first(finding: Entry, key: str, number: int) -> None:
    items = finding.get(key, [])
    if len(items) > number:
        finding[f"more_{key}"] = finding.get(f"more_{key}", 0) + len(items) - number
        finding[key] = items[:number]


def _shorter_texts(limit: int) -> Reduction:
    def cut(entry: Entry) -> None:
        _cut_texts(entry, _TEXTS, limit)

    return cut


def _cut_texts(entry: Entry, keys: Iterable[str], limit: int) -> None:
    for key in keys:
        if key in entry:
            entry[key] = _cut(entry[key], limit)


def _cut(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        return _cut_text(value, limit)
    if isinstance(value, list):
        return [_cut(part, limit) for part in value]
    if isinstance(value, dict):
        return {key: part if key in _UNCUT else _cut(part, limit) for key, part in value.items()}
    return value


def _cut_text(text: str, limit: int) -> str:
    """Return a text that has so many bytes: outside of ASCII, JSON writes up to twelve for a character."""
    length = size(text)
    if length <= limit:
        return text
    return f"{text[: max(1, (limit - 3) * len(text) // length)]}..."


_FOR_OTHERS: tuple[Reduction, ...] = (
    _without_details,
    _without_columns,
    _first_findings(3),
    _shorter_texts(120),
    _without_told,
    _first_findings(0),
    _without_origin,
)
_FOR_PRINTED: tuple[Reduction, ...] = (
    _first_findings(6),
    _first_readers(3),
    _shorter_texts(200),
    _first_findings(2),
    _shorter_texts(80),
    _without_details,
    _first_findings(1),
    _without_told,
)

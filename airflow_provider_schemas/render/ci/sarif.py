"""A run as SARIF 2.1.0, for code scanning of GitHub and its like.

What could not be judged stands in the invocation, and as a result too, because GitHub shows results only.
"""

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from airflow_provider_schemas import __version__
from airflow_provider_schemas.core.report import Consumer, Verdict
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import NOT_JUDGED, Completed, Entry, cut, entries, full
from airflow_provider_schemas.render.ci.headline import headline
from airflow_provider_schemas.render.ci.locations import Location, below_root
from airflow_provider_schemas.render.ci.log_text import json_without_commands
from airflow_provider_schemas.render.ci.sarif_rules import LEVELS, descriptors
from airflow_provider_schemas.render.escaping import inline, prose
from airflow_provider_schemas.render.masking import masked_json
from airflow_provider_schemas.render.wording import counted

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS = 5_000
"""GitHub stores so many results of a run, and says of the others only that there were more."""
MAX_MESSAGE = 1_000
"""GitHub shows so much of a message."""
_MAX_MARKDOWN = 4_000
_MAX_NOTIFICATIONS = 100
_MAX_STRINGS = 1_000
_ROOT = "%SRCROOT%"
# The column of fingerprints that GitHub compares; it would make one of the line otherwise, and take two findings for one.
_FINGERPRINT_OF_GITHUB = "primaryLocationLineHash"
_FINGERPRINT = "airflowSchemas/v1"
# What a waiver says of itself: until 2026-12-01 for daily_report: why, ana
_GRANTED = re.compile(r"until \S+ for [^:]+:|, [^\s,;]+(?:;|$)")


def sarif(run: CheckRun, completed: Completed = str) -> str:
    """Return the run as one SARIF log."""
    told = entries(run, completed)
    names = sorted({entry.rule for entry in told} | ({NOT_JUDGED} if len(told) > MAX_RESULTS else set()))
    numbers = {name: number for number, name in enumerate(names)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(names, run.docs)},
                "automationDetails": {"id": _category(run)},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
                "invocations": [_invocation(run, told)],
                "results": _results(told, numbers),
                "properties": _properties_of_run(run),
            }
        ],
    }
    return json_without_commands(json.dumps(log, indent=1, ensure_ascii=True)) + "\n"


def _category(run: CheckRun) -> str:
    """Return what a host keeps apart: a later upload replaces the results of an earlier one with the same name.

    So a folder of a repository with several projects has a name of its own.
    """
    folder = below_root(run.folder, run) if run.folder else "."
    parts = [*run.title.split(), *(part for part in folder.split("/") if part not in ("", "."))]
    return f"{'/'.join(parts)}/"


def _driver(names: Sequence[str], docs: str) -> dict[str, Any]:
    driver = {"name": "airflow-schemas", "version": __version__, "semanticVersion": __version__, "rules": descriptors(names, docs)}
    if docs:
        driver["informationUri"] = docs
    return driver


def _invocation(run: CheckRun, told: Sequence[Entry]) -> dict[str, Any]:
    unjudged = [entry for entry in told if entry.is_fault]
    invocation: dict[str, Any] = {"executionSuccessful": not unjudged}
    if unjudged:
        invocation["toolExecutionNotifications"] = [_notification(entry) for entry in unjudged[:_MAX_NOTIFICATIONS]]
    if run.notes:
        invocation["toolConfigurationNotifications"] = [
            {"level": "note", "message": {"text": cut(note, MAX_MESSAGE)}} for note in _strings(run.notes)
        ]
    return invocation


def _notification(entry: Entry) -> dict[str, Any]:
    return {
        "level": "error",
        "descriptor": {"id": entry.code or entry.rule},
        "message": {"text": cut(entry.sentence, MAX_MESSAGE)},
        "locations": [_location(entry)],
    }


def _properties_of_run(run: CheckRun) -> dict[str, Any]:
    return {
        "headline": headline(run),
        "compared": _strings(run.compared),
        "notes": _strings(run.notes),
        "tables": [_table(number, run) for number in range(len(run.reports))],
    }


def _table(number: int, run: CheckRun) -> dict[str, Any]:
    report = run.reports[number]
    return {"table": report.table, "verdict": report.verdict.value, "basis": report.basis, "contracts": report.contracts}


def _strings(texts: Sequence[str]) -> list[str]:
    masked = masked_json(list(texts[:_MAX_STRINGS]))
    return masked if isinstance(masked, list) else []


# ---------------------------------------------------------------- results


def _results(told: Sequence[Entry], numbers: dict[str, int]) -> list[dict[str, Any]]:
    if len(told) <= MAX_RESULTS:
        return [_result(entry, numbers) for entry in told]
    shown = told[: MAX_RESULTS - 1]
    return [_left_out(told[len(shown) :], numbers), *(_result(entry, numbers) for entry in shown)]


def _result(entry: Entry, numbers: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": entry.rule,
        "ruleIndex": numbers[entry.rule],
        "kind": "pass" if entry.verdict is Verdict.OK and not entry.is_suppressed else "fail",
        "level": level(entry),
        "message": {"text": cut(entry.sentence, MAX_MESSAGE), "markdown": _markdown(entry)},
        "locations": [_location(entry)],
        "partialFingerprints": {_FINGERPRINT_OF_GITHUB: f"{entry.fingerprint}:1", _FINGERPRINT: entry.fingerprint},
    }
    if entry.is_suppressed:
        result["suppressions"] = [_suppression(entry)]
    properties = _properties(entry)
    if properties:
        result["properties"] = properties
    return result


def level(entry: Entry) -> str:
    """Return the level of a result; `none` where the kind says that nothing failed."""
    if entry.is_fault:
        return "error"
    if entry.verdict is Verdict.OK:
        return "note" if entry.is_suppressed else "none"
    return LEVELS[entry.verdict]


def _left_out(rest: Sequence[Entry], numbers: dict[str, int]) -> dict[str, Any]:
    """Return the result that counts those that are not in the file."""
    failing = sum(entry.fails for entry in rest)
    text = (
        f"{counted(len(rest), 'result')} more ({failing:,} of them errors) are not in this file, which holds {MAX_RESULTS:,}: "
        "the worst ones. Ask for the JSON of the same run, which holds all."
    )
    return {
        "ruleId": NOT_JUDGED,
        "ruleIndex": numbers[NOT_JUDGED],
        "level": "error" if failing else "warning",
        "message": {"text": text},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "airflow-schemas"}, "region": {"startLine": 1}}}],
        "partialFingerprints": {_FINGERPRINT_OF_GITHUB: "more:1", _FINGERPRINT: "more"},
    }


def _markdown(entry: Entry) -> str:
    lines = [f"**{prose(cut(entry.title, MAX_MESSAGE))}**", "", prose(cut(entry.message, MAX_MESSAGE)), ""]
    size = sum(map(len, lines))
    for text in entry.details:
        words = f"{inline(text.text, typed=text.typed)} {prose(text.after)}".rstrip()
        line = f"- **{text.label or 'and'}:** {words}"
        size += len(line)
        if size > _MAX_MARKDOWN:
            lines.append("- …")
            break
        lines.append(line)
    return "\n".join(lines)


def _location(entry: Entry) -> dict[str, Any]:
    place = entry.location
    region: dict[str, int] = {"startLine": place.first_line}
    if place.line and place.column:
        region["startColumn"] = place.column
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(place), "region": region}}
    if entry.finding is not None:
        path = entry.finding.path
        name = ".".join(part for part in (entry.table, path) if part) or entry.rule
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "member" if path else "object"}]
    return location


def _artifact(place: Location) -> dict[str, str]:
    """Return the address of a file; one that lies outside of the repository has an absolute one."""
    uri = quote(place.path.encode("utf-8", "surrogatepass"))
    if place.path.startswith("/"):
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _suppression(entry: Entry) -> dict[str, str]:
    """Return where it was accepted: in the table file, or by a waiver of the store, which names a job or who granted it."""
    waived = entry.finding.waived if entry.finding else ""
    in_source = entry.location.is_file and _GRANTED.search(waived) is None
    kind = "inSource" if in_source else "external"
    text = next((text.text for text in entry.texts if text.label == "waived"), "accepted")
    return {"kind": kind, "status": "accepted", "justification": cut(text, MAX_MESSAGE)}


def _properties(entry: Entry) -> dict[str, Any]:
    finding = entry.finding
    report = entry.report
    if finding is None or report is None:
        return {"code": entry.code}
    given = {
        "table": report.table,
        "path": finding.path,
        "verdict": finding.verdict.value,
        "answers": {"data": finding.data.value, "readers": finding.jobs.value, "writers": finding.writers.value},
        "readers": [_reader(consumer) for consumer in finding.consumers],
        "mends": [consumer.name for consumer in finding.mends],
        "owner": finding.owner,
        "contact": finding.contact,
        "basis": report.basis,
        "todo": [full(text) for text in entry.texts if text.typed],
    }
    masked = masked_json(given)
    return {key: value for key, value in masked.items() if value} if isinstance(masked, dict) else {}


def _reader(consumer: Consumer) -> dict[str, str]:
    values = {"name": consumer.name, "owner": consumer.owner, "contact": consumer.contact}
    return {key: value for key, value in values.items() if value}

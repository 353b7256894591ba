"""The tables of a verdict as plain and few values, as they go into XCom: with a limit for a table, for all of them, and for a text."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Finding, Report
from airflow_provider_schemas.core.report_json import basis_dict
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.spark import ddl
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import provenance, when
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_entry, table_entry

_MAX_FINDINGS = 20
_MAX_FINDINGS_OF_ALL = 200
_MAX_NOTES = 10
_MAX_TEXT = 500
_MAX_COLUMNS = 1_000
_MAX_DDL = 4_000
_MAX_DDL_OF_ALL = 40_000


def plain_tables(judgement: Judgement, since: Mapping[str, SeenVersion], *, conn_id: str, accepts: bool) -> dict[str, dict[str, Any]]:
    """Return the tables by name, in their order; those that do not fit have the room first.

    Since is what was seen of them when the task was last green. Accepts is whether the success of this task accepts what
    does not fit: it does where only a person can have marked it so, and where it merely warned it does not.
    """
    answers: dict[str, list[TableAnswer]] = {}
    for answer in judgement.tables:
        answers.setdefault(answer.table, []).append(answer)
    room = _Room()
    unfit_first = sorted(answers, key=lambda table: all(answer.fits for answer in answers[table]))
    entries = {table: _table_entry(answers[table], room, since.get(table), accepts) for table in unfit_first}
    return {table: {"conn_id": conn_id, **entries[table]} for table in answers}


def spark_tables(judgement: Judgement, pinned: Collection[str] = ()) -> str:
    """Write what a Spark job compares with the schema files when it begins: the value of `spark.schemas.tables`.

    Of those that are pinned, the job reads the version that was checked, and not the newest.
    """
    entries: dict[str, dict[str, Any]] = {}
    for answer in judgement.tables:
        if answer.version is None:
            continue
        entries[answer.table] = _identity(answer, answer.version)
        if answer.table in pinned:
            entries[answer.table]["pinned"] = True
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def short(text: str) -> str:
    """Return a text from outside on one line, without secrets and not longer than anybody reads."""
    line = clean(without_credentials(text))
    if len(line) <= _MAX_TEXT:
        return line
    return f"{line[: _MAX_TEXT - 3]}..."


def first_notes(notes: Iterable[str]) -> list[str]:
    """Return the notes, each once, and no more than anybody reads."""
    return [short(note) for note in list(dict.fromkeys(notes))[:_MAX_NOTES]]


# ---------------------------------------------------------------- one table


class _Room:
    """How much more goes in."""

    def __init__(self) -> None:
        self.findings = _MAX_FINDINGS_OF_ALL
        self.ddl = _MAX_DDL_OF_ALL


def _table_entry(answers: list[TableAnswer], room: _Room, old: SeenVersion | None, accepts: bool) -> dict[str, Any]:
    """Return the entry of one table, of which there are two answers where it is read and written."""
    reports = [answer.report for answer in answers]
    version = answers[0].version
    fits = all(answer.fits for answer in answers)
    entry: dict[str, Any] = {}
    if version is not None:
        entry |= _identity(answers[0], version)
        entry["changed"] = last_change(version)
        entry |= _columns(version, room)
    entry["verdict"] = max((report.verdict for report in reports), key=SEVERITY.__getitem__).value
    entry["fits"] = fits
    entry |= basis_dict(reports[0])
    entry |= _findings(reports, room)
    # What is let through until a day is asked about again when that has come.
    moves = accepts
    if fits:
        moves = not any(finding.waived for report in reports for finding in report.findings)
    return entry | _baseline(version, old, moves=moves)


def _identity(answer: TableAnswer, version: Version) -> dict[str, Any]:
    entry: dict[str, Any] = {"version": version.number, "digest": version.digest, "branch": version.branch}
    entry |= table_entry(version.table_id)
    if answer.layout:
        entry |= {"place": without_credentials(answer.place), "layout": answer.layout.value}
    return entry


def _findings(reports: Iterable[Report], room: _Room) -> dict[str, Any]:
    findings: dict[Finding, None] = {}
    notes: list[str] = []
    for report in reports:
        findings.update(dict.fromkeys(report.findings))
        notes += report.notes
    worst_first = sorted(findings, key=lambda finding: -SEVERITY[finding.verdict])
    shown = worst_first[: min(_MAX_FINDINGS, room.findings)]
    room.findings -= len(shown)
    entry: dict[str, Any] = {"findings": [_finding_entry(finding) for finding in shown]}
    if len(findings) > len(shown):
        entry["more"] = len(findings) - len(shown)
    return entry | {"notes": first_notes(notes)}


def _finding_entry(finding: Finding) -> dict[str, Any]:
    masked = masked_finding(finding)
    return {
        "rule": masked.rule,
        "verdict": masked.verdict.value,
        "path": short(masked.path),
        "message": short(masked.message),
        "fix": short(masked.fix),
        "waived": short(masked.waived),
    }


def _columns(version: Version, room: _Room) -> dict[str, str]:
    """Return the columns as Spark's own text, if it is short."""
    if len(version.schema.fields) > _MAX_COLUMNS:
        return {}
    try:
        text = ddl.dump(version.schema).text.replace(",\n", ", ")
    except SchemaError:  # Spark has no word for a type
        return {}
    if len(text) > min(_MAX_DDL, room.ddl):
        return {}
    room.ddl -= len(text)
    return {"fields_ddl": text}


def _baseline(version: Version | None, old: SeenVersion | None, *, moves: bool) -> dict[str, Any]:
    """Return what a later run is judged against if this one ends in success (seen), and if it does not (before)."""
    before: dict[str, Any] = {}
    if old is not None:
        before = seen_entry(old)
    seen = before
    if version is not None and moves:
        seen = seen_entry((version.number, version.digest, version.table_id))
    return {key: baseline for key, baseline in (("seen", seen), ("before", before)) if baseline}


def last_change(version: Version) -> dict[str, str]:
    """Return who wrote a version, when, in which run, and who approved it."""
    origin = provenance(version) or Provenance()
    return {
        "by": short(origin.actor or ""),
        "at": when(version),
        "run": short(origin.run or ""),
        "approval": short(origin.approval or ""),
    }

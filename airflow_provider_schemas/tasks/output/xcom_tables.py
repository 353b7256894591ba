"""The tables of a verdict as plain and few values, as they go into XCom: with a limit for a table, for all of them, and for a text."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Finding
from airflow_provider_schemas.core.report_json import basis_dict, counts
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.spark import ddl
from airflow_provider_schemas.render.findings.view import by_urgency
from airflow_provider_schemas.render.verdict.finding_entry import rule_entries
from airflow_provider_schemas.render.verdict.verdict_log import MAX_FINDINGS
from airflow_provider_schemas.render.version_entries import provenance, when
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.output.short_texts import notes_entry, short
from airflow_provider_schemas.tasks.output.table_facts import GateFacts, finding_entry, joined_answer, printed_details, steps, table_facts
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_entry, table_entry

_MAX_FINDINGS = 20
_MAX_FINDINGS_OF_ALL = 200
_MAX_WAIVED = 5
_MAX_COLUMNS = 1_000
_MAX_DDL = 4_000
_MAX_DDL_OF_ALL = 40_000


def plain_tables(judgement: Judgement, facts: GateFacts) -> dict[str, dict[str, Any]]:
    """Return the tables by name, in their order; those that do not fit have the room first.

    Since, of the facts, is what was seen of them when the task was last green. Accepts is whether the success of this task accepts
    what does not fit: it does where only a person can have marked it so, and where it merely warned it does not.
    """
    answers: dict[str, list[TableAnswer]] = {}
    for answer in judgement.tables:
        answers.setdefault(answer.table, []).append(answer)
    tables = {table: joined_answer(of_table) for table, of_table in answers.items()}
    room = _Room()
    unfit_first = sorted(tables, key=lambda table: (tables[table].fits, -SEVERITY[tables[table].report.verdict]))
    entries = {table: _table_entry(tables[table], room, facts) for table in unfit_first}
    return {table: {"conn_id": facts.conn_id, "position": position, **entries[table]} for position, table in enumerate(tables)}


def rules_of(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """Return what the rules of these findings say of all that have them."""
    return rule_entries((finding["rule"] for entry in tables.values() for finding in entry["findings"]), short)


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


# ---------------------------------------------------------------- one table


class _Room:
    """How much more goes in."""

    def __init__(self) -> None:
        self.findings = _MAX_FINDINGS_OF_ALL
        self.ddl = _MAX_DDL_OF_ALL


def _table_entry(answer: TableAnswer, room: _Room, facts: GateFacts) -> dict[str, Any]:
    """Return the entry of one table."""
    report = answer.report
    version = answer.version
    entry: dict[str, Any] = {}
    if version is not None:
        entry |= _identity(answer, version)
        entry["changed"] = last_change(version)
        entry |= _columns(version, room)
    entry |= {"verdict": report.verdict.value, "fits": answer.fits, **basis_dict(report), **table_facts(answer, facts)}
    entry |= _findings(answer, room, facts)
    # What is let through until a day is asked about again when that has come.
    moves = facts.accepts
    if answer.fits:
        moves = not any(finding.waived for finding in report.findings)
    return entry | _baseline(version, facts.since.get(answer.table), moves=moves)


def _identity(answer: TableAnswer, version: Version) -> dict[str, Any]:
    entry: dict[str, Any] = {"version": version.number, "digest": version.digest, "branch": version.branch}
    entry |= table_entry(version.table_id)
    if answer.layout:
        entry |= {"place": without_credentials(answer.place), "layout": answer.layout.value}
    return entry


def _findings(answer: TableAnswer, room: _Room, facts: GateFacts) -> dict[str, Any]:
    """Return the worst findings, how many there are of each verdict, the notes, and what to do about the table."""
    findings = by_urgency(answer.report.findings)
    shown = _choose(findings, min(_MAX_FINDINGS, room.findings))
    room.findings -= len(shown)
    entries = [finding_entry(finding) for finding in shown]
    for place, finding in enumerate(shown[:MAX_FINDINGS]):
        entries[place] |= printed_details(finding, answer, facts)
    entry: dict[str, Any] = {"findings": entries}
    if findings:
        entry["counts"] = {verdict: number for verdict, number in counts(answer.report).items() if number}
    if len(findings) > len(shown):
        entry["more"] = len(findings) - len(shown)
    to_do = steps(answer, facts)
    if to_do:
        entry["steps"] = to_do
    return entry | notes_entry(answer.report.notes)


def _choose(findings: list[Finding], limit: int) -> list[Finding]:
    """Return the worst findings; and of those that are let through so many that a person sees that something is."""
    waived = [finding for finding in findings[limit:] if finding.waived][: min(_MAX_WAIVED, limit)]
    return [*findings[: limit - len(waived)], *waived]


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
    """Return who wrote a version, when, in which run, and who approved it; and from which commit, where it records one."""
    origin = provenance(version) or Provenance()
    commit = {"commit": short(origin.revision)} if origin.revision else {}
    return {
        "by": short(origin.actor or ""),
        "at": when(version),
        "run": short(origin.run or ""),
        "approval": short(origin.approval or ""),
        **commit,
    }

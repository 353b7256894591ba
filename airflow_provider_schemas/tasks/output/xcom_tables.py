"""The tables of a verdict as plain and few values, as they go into XCom: with a limit for a table, for all of them, and for a text."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Finding, Report
from airflow_provider_schemas.core.report_json import basis_dict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.spark import ddl
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import when
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer

Seen = tuple[int, str]
"""The number and the digest of a version."""

_FINDINGS, _ALL_FINDINGS, _NOTES, _TEXT = 20, 200, 10, 500
_DDL, _ALL_DDL, _COLUMNS = 4_000, 40_000, 1_000


def plain_tables(judgement: Judgement, since: Mapping[str, Seen], *, conn_id: str, accepts: bool) -> dict[str, dict[str, Any]]:
    """The tables by name, in their order; those that do not fit have the room first.

    Since is what was seen of them when the task was last green. Accepts is whether the success of this task accepts what
    does not fit: it does where only a person can have marked it so, and where it merely warned it does not.
    """
    answers: dict[str, list[TableAnswer]] = {}
    for one in judgement.tables:
        answers.setdefault(one.table, []).append(one)
    room = _Room()
    urgent = sorted(answers, key=lambda name: all(one.fits for one in answers[name]))
    found = {name: _table(answers[name], room, since.get(name), accepts) for name in urgent}
    return {name: {"conn_id": conn_id, **found[name]} for name in answers}


def spark_tables(judgement: Judgement, pinned: Collection[str] = ()) -> str:
    """What a Spark job compares with the schema files when it begins: the value of `spark.schemas.tables`.

    Of those that are pinned, the job reads the version that was checked, and not the newest.
    """
    there = {
        one.table: _identity(one, one.version) | ({"pinned": True} if one.table in pinned else {})
        for one in judgement.tables
        if one.version is not None
    }
    return json.dumps(there, ensure_ascii=False, separators=(",", ":"))


def short(text: str) -> str:
    """A text from outside, on one line, without secrets and not longer than anybody reads."""
    said = clean(without_credentials(text))
    return said if len(said) <= _TEXT else f"{said[: _TEXT - 3]}..."


def notes_of(notes: Iterable[str]) -> list[str]:
    """Notes, each once, and no more than anybody reads."""
    return [short(one) for one in list(dict.fromkeys(notes))[:_NOTES]]


# ---------------------------------------------------------------- one table


class _Room:
    """How much more goes in."""

    def __init__(self) -> None:
        self.findings, self.ddl = _ALL_FINDINGS, _ALL_DDL


def _table(answers: list[TableAnswer], room: _Room, old: Seen | None, accepts: bool) -> dict[str, Any]:
    reports, version, fits = [one.report for one in answers], answers[0].version, all(one.fits for one in answers)
    about = {} if version is None else {**_identity(answers[0], version), "changed": changed(version), **_columns(version, room)}
    verdict = max((one.verdict for one in reports), key=SEVERITY.__getitem__).value
    # What is let through until a day is asked about again when that has come.
    waived = any(finding.waived for report in reports for finding in report.findings)
    seen = _baseline(version, old, moves=not waived if fits else accepts)
    return {**about, "verdict": verdict, "fits": fits, **basis_dict(reports[0]), **_said(reports, room), **seen}


def _identity(answer: TableAnswer, version: Version) -> dict[str, Any]:
    place = {"place": without_credentials(answer.place), "layout": answer.layout.value} if answer.layout else {}
    return {"version": version.number, "digest": version.digest, "branch": version.branch, **place}


def _said(reports: Iterable[Report], room: _Room) -> dict[str, Any]:
    some = list(dict.fromkeys(finding for report in reports for finding in report.findings))
    shown = sorted(some, key=lambda one: -SEVERITY[one.verdict])[: min(_FINDINGS, room.findings)]
    room.findings -= len(shown)
    more = {"more": len(some) - len(shown)} if len(some) > len(shown) else {}
    return {"findings": [_finding(one) for one in shown], **more, "notes": notes_of(note for report in reports for note in report.notes)}


def _finding(finding: Finding) -> dict[str, Any]:
    one = masked_finding(finding)
    texts = {"path": one.path, "message": one.message, "fix": one.fix, "waived": one.waived}
    return {"rule": one.rule, "verdict": one.verdict.value, **{key: short(text) for key, text in texts.items()}}


def _columns(version: Version, room: _Room) -> dict[str, str]:
    """The columns as Spark's own text, if it is short."""
    if len(version.schema.fields) > _COLUMNS:
        return {}
    try:
        text = ddl.dump(version.schema).text.replace(",\n", ", ")
    except SchemaError:  # Spark has no word for a type
        return {}
    if len(text) > min(_DDL, room.ddl):
        return {}
    room.ddl -= len(text)
    return {"fields_ddl": text}


def _baseline(version: Version | None, old: Seen | None, *, moves: bool) -> dict[str, Any]:
    """What a later run is judged against if this one ends in success (seen), and if it does not (before)."""
    before = None if old is None else {"version": old[0], "digest": old[1]}
    seen = {"version": version.number, "digest": version.digest} if version is not None and moves else before
    return {**({"seen": seen} if seen else {}), **({"before": before} if before else {})}


def changed(version: Version) -> dict[str, str]:
    """Who wrote a version, when, in which run, and who approved."""
    try:
        found = version.provenance
    except SchemaError:
        found = None
    said = {key: "" if found is None else getattr(found, key) or "" for key in ("actor", "run", "approval")}
    return {"by": short(said["actor"]), "at": when(version), "run": short(said["run"]), "approval": short(said["approval"])}

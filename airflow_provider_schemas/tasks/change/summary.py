"""A change and a plan as lines of a log, and as the few plain values that XCom holds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.plan import Base, Plan
from airflow_provider_schemas.core.report import SEVERITY, Report, Verdict
from airflow_provider_schemas.core.schema.revision import MOST_REVISION
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.render.commit_headline import headline
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.plan.text import body
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.tasks.change.make_plan import PlanResult

WIDTH = 110
MAX_ENTRIES = 20
_MAX_CHARACTERS = 200
_MAX_NOTE_CHARACTERS = 1_000


# ---------------------------------------------------------------- the log


def change_lines(done: Committed, *, now: datetime | None = None) -> Iterator[str]:
    """Write what became of a request to change a table."""
    parts = [f"{_clean_line(done.table)}  {_clean_line(headline(done))}"]
    if done.created:
        parts += [_clean_line(done.place), done.guarantee]
    yield " · ".join(part for part in parts if part)
    if done.created and done.plan is not None and done.plan.base is not None:
        yield from (line.rstrip() for line in body(done.plan, log_sheet(now)))
    # The first note of a request that wrote nothing is its headline.
    first = 0 if done.created else 1
    yield from (f"  note: {_clean_line(note)}" for note in done.notes[first:])


def late_breaks(done: Committed) -> Iterator[str]:
    """Write who registered while the version was written, and is broken by it."""
    yield from (f"registered while this was written, and broken by it: {summary(report)}" for report in done.late)


def plan_lines(plan: Plan, *, now: datetime | None = None) -> list[str]:
    """Write a plan as the log shows it."""
    return text(plan, width=WIDTH, color=False, now=now).splitlines()


def log_sheet(now: datetime | None = None) -> Sheet:
    """Return the sheet that a log is written on."""
    return Sheet(width=WIDTH, limit=LIMIT, now=now)


def _clean_line(line: str) -> str:
    return without_credentials(clean(line))


# ---------------------------------------------------------------- XCom


def change_entry(done: Committed, *, store: str, conn_id: str) -> dict[str, Any]:
    """Return what later tasks may want to know of a change."""
    plan = done.plan if done.created else None
    base = None if plan is None else plan.base
    return {
        "store": store,
        "conn_id": conn_id,
        "table": done.table,
        "branch": done.branch,
        "version": done.number,
        "digest": done.digest,
        "previous": None if base is None else base.number,
        "outcome": done.outcome.value,
        "verdict": done.report.verdict.value,
        **_changes_entry(() if plan is None else plan.changes),
        "place": without_credentials(done.place),
        "plan": None if plan is None else plan.digest,
        "approval": _approval(done),
        **_commit(done),
        "notes": short_notes((*done.notes, *late_breaks(done))),
    }


def refusal_entry(report: Report, *, store: str, conn_id: str) -> dict[str, Any]:
    """Return what later tasks may want to know of a change that was refused."""
    return {
        "store": store,
        "conn_id": conn_id,
        "table": report.table,
        "previous": report.old,
        "outcome": "refused",
        "verdict": report.verdict.value,
        **_findings_entry(report),
        "notes": short_notes(report.notes),
    }


def _findings_entry(report: Report) -> dict[str, Any]:
    """Return the worst findings, as far as XCom has room for them."""
    findings = [masked_finding(finding) for finding in report.findings if finding.rule != "NO_CHANGE"]
    worst_first = sorted(findings, key=lambda finding: SEVERITY[finding.verdict], reverse=True)
    entries = [
        {
            "rule": finding.rule,
            "path": short_line(finding.path),
            "verdict": finding.verdict.value,
            "message": short_line(finding.message, _MAX_NOTE_CHARACTERS),
        }
        for finding in worst_first[:MAX_ENTRIES]
    ]
    entry: dict[str, Any] = {"findings": entries}
    if len(findings) > MAX_ENTRIES:
        entry["more_findings"] = len(findings) - MAX_ENTRIES
    return entry


def _approval(done: Committed) -> str | None:
    if not done.created or done.provenance is None:
        return None
    return done.provenance.approval


def _commit(done: Committed) -> dict[str, str]:
    """Return the commit from which the version that was written came, if it records one."""
    if not done.created or done.provenance is None or not done.provenance.revision:
        return {}
    return {"commit": short_line(done.provenance.revision, MOST_REVISION)}


def plan_entry(plan: Plan, *, store: str, conn_id: str, branch: str) -> dict[str, Any]:
    """Return what later tasks need of a plan: its digest finds the whole."""
    return {
        "store": store,
        "conn_id": conn_id,
        "table": plan.table,
        "branch": branch if plan.base is None else plan.base.branch,
        "plan": plan.digest,
        "outcome": "unchanged" if plan.unchanged else "planned",
        "base": _base_entry(plan.base),
        "verdict": plan.verdict.value,
        "needs_approval": plan.verdict is Verdict.BREAK,
        **_changes_entry(plan.changes),
        "counts": plan.counts,
        **_findings_entry(plan.report),
        "left_alone": [short_line(line) for line in plan.left_alone[:MAX_ENTRIES]],
        "notes": short_notes(plan.report.notes),
    }


def _base_entry(base: Base | Version | None) -> dict[str, Any] | None:
    if base is None:
        return None
    return {"version": base.number, "digest": base.digest}


def _changes_entry(changes: Sequence[SchemaChange]) -> dict[str, Any]:
    entry: dict[str, Any] = {"changes": [short_line(short_text(masked_change(change))) for change in changes[:MAX_ENTRIES]]}
    if len(changes) > MAX_ENTRIES:
        entry["more_changes"] = len(changes) - MAX_ENTRIES
    return entry


def short_notes(notes: Iterable[str]) -> list[str]:
    """Return the notes, as far as XCom has room for them."""
    return [short_line(note, _MAX_NOTE_CHARACTERS) for note in dict.fromkeys(notes)][:MAX_ENTRIES]


def short_line(text: str, limit: int = _MAX_CHARACTERS) -> str:
    """Return the text on one line, without secrets, and not too long."""
    line = _clean_line(text)
    if len(line) <= limit:
        return line
    return f"{line[: limit - 1]}…"


def short_values(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry with its texts cut to one short line each."""
    return dict(entry) | {key: short_line(value) for key, value in entry.items() if isinstance(value, str)}


def done_before_entry(result: PlanResult, table: str, *, store: str, conn_id: str, branch: str) -> dict[str, Any]:
    """Return what later tasks need where there is nothing to plan: an earlier run did it."""
    done = result.done
    return {
        "store": store,
        "conn_id": conn_id,
        "table": table,
        "branch": branch,
        "plan": None,
        "outcome": "already applied",
        "base": _base_entry(done),
        "verdict": Verdict.OK.value,
        "needs_approval": False,
        "changes": [],
        "counts": {},
        "findings": [],
        "left_alone": [],
        "saved": False,
        "key": None,
        "notes": short_notes(done_before_lines(result)),
    }


def done_before_lines(result: PlanResult) -> Iterator[str]:
    """Write what an earlier run did, and that it does not hold any more."""
    yield _clean_line(result.note)
    if result.undone:
        yield _clean_line(f"It is left as it is: {result.undone}")

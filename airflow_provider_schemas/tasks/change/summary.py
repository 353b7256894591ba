"""What is said of a change and of a plan: the lines of the log, and the few plain values that XCom holds."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import SEVERITY, Report, Verdict
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.render.commit_headline import headline
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.plan.text import body
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.tasks.change.make_plan import Found

WIDTH = 110
MOST = 20
_LONGEST = 200
_LONGEST_NOTE = 1_000


# ---------------------------------------------------------------- the log


def lines(done: Committed, *, now: datetime | None = None) -> Iterator[str]:
    """What became of a wish to change a table."""
    promise = [f"{_line(done.place)}", done.guarantee] if done.created else []
    yield " · ".join(part for part in (f"{_line(done.table)}  {_line(headline(done))}", *promise) if part)
    if done.created and done.plan is not None and done.plan.base is not None:
        yield from (line.rstrip() for line in body(done.plan, sheet(now)))
    yield from (f"  note: {_line(one)}" for one in (done.notes if done.created else done.notes[1:]))


def late(done: Committed) -> Iterator[str]:
    """Who registered while the version was written, and is broken by it."""
    yield from (f"registered while this was written, and broken by it: {summary(one)}" for one in done.late)


def plan_lines(plan: Plan, *, now: datetime | None = None) -> list[str]:
    """A plan as the log shows it."""
    return text(plan, width=WIDTH, color=False, now=now).splitlines()


def sheet(now: datetime | None = None) -> Sheet:
    """What a log is written on."""
    return Sheet(width=WIDTH, limit=LIMIT, now=now)


def _line(said: str) -> str:
    return without_credentials(clean(said))


# ---------------------------------------------------------------- XCom


def change(done: Committed, *, store: str, conn_id: str) -> dict[str, Any]:
    """What later tasks may want to know of a change."""
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
        **_changes(() if plan is None else plan.changes),
        "place": without_credentials(done.place),
        "plan": None if plan is None else plan.digest,
        "approval": _approval(done),
        "notes": notes((*done.notes, *late(done))),
    }


def refused(report: Report, *, store: str, conn_id: str) -> dict[str, Any]:
    """What later tasks may want to know of a change that was refused."""
    about = {"store": store, "conn_id": conn_id, "table": report.table, "previous": report.old, "outcome": "refused"}
    return {**about, "verdict": report.verdict.value, **_findings(report), "notes": notes(report.notes)}


def _findings(report: Report) -> dict[str, Any]:
    """The worst findings, as far as XCom has room for them."""
    all_of_them = [masked_finding(one) for one in report.findings if one.rule != "NO_CHANGE"]
    told = [
        {"rule": one.rule, "path": short(one.path), "verdict": one.verdict.value, "message": short(one.message, _LONGEST_NOTE)}
        for one in sorted(all_of_them, key=lambda one: SEVERITY[one.verdict], reverse=True)[:MOST]
    ]
    return {"findings": told, **({"more_findings": len(all_of_them) - MOST} if len(all_of_them) > MOST else {})}


def _approval(done: Committed) -> str | None:
    past = done.provenance if done.created else None
    return None if past is None else past.approval


def planned(plan: Plan, *, store: str, conn_id: str, branch: str) -> dict[str, Any]:
    """What later tasks need of a plan: its digest finds the whole."""
    return {
        "store": store,
        "conn_id": conn_id,
        "table": plan.table,
        "branch": branch if plan.base is None else plan.base.branch,
        "plan": plan.digest,
        "outcome": "unchanged" if plan.unchanged else "planned",
        "base": None if plan.base is None else {"version": plan.base.number, "digest": plan.base.digest},
        "verdict": plan.verdict.value,
        "needs_approval": plan.verdict is Verdict.BREAK,
        **_changes(plan.changes),
        "counts": plan.counts,
        **_findings(plan.report),
        "left_alone": [short(one) for one in plan.left_alone[:MOST]],
        "notes": notes(plan.report.notes),
    }


def _changes(found: Sequence[SchemaChange]) -> dict[str, Any]:
    more = {"more_changes": len(found) - MOST} if len(found) > MOST else {}
    return {"changes": [short(short_text(masked_change(one))) for one in found[:MOST]], **more}


def notes(said: Iterable[str]) -> list[str]:
    """Notes, as far as XCom has room for them."""
    return [short(one, _LONGEST_NOTE) for one in dict.fromkeys(said)][:MOST]


def short(said: str, longest: int = _LONGEST) -> str:
    """The text on one line, without secrets, and not too long."""
    found = _line(said)
    return found if len(found) <= longest else f"{found[: longest - 1]}…"


def done_before(found: Found, table: str, *, store: str, conn_id: str, branch: str) -> dict[str, Any]:
    """What later tasks need where there is nothing to plan: an earlier run did it."""
    done = found.done
    base = None if done is None else {"version": done.number, "digest": done.digest}
    about = {"store": store, "conn_id": conn_id, "table": table, "branch": branch, "plan": None, "outcome": "already applied", "base": base}
    empty: dict[str, Any] = {"changes": [], "counts": {}, "findings": [], "left_alone": [], "saved": False, "key": None}
    return {**about, "verdict": Verdict.OK.value, "needs_approval": False, **empty, "notes": notes(undone(found))}


def undone(found: Found) -> Iterator[str]:
    """What an earlier run did, and that it does not hold any more."""
    yield _line(found.note)
    if found.undone:
        yield _line(f"It is left as it is: {found.undone}")

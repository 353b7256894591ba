"""What became of a wish to change a table: which version it is now, what that means, where it lies and what is promised."""

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Shown
from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.render.commit_headline import headline

if TYPE_CHECKING:
    from airflow_provider_schemas.store.commit.commit import Committed


def answer(done: "Committed", args: Namespace) -> Answer:
    """The answer. What was written was allowed, so that the exit code is 0 but for a job that came in late."""
    return Answer([*_parts(done, args)], data(done), "break" if done.late else "ok")


def _parts(done: "Committed", args: Namespace) -> Iterator[Part]:
    yield Line(f"{done.table}  {headline(done)}")
    if done.created and done.plan is not None:
        yield Shown(done.plan, body=True)
    elif done.report.findings and (done.created or args.verbose):
        yield Shown(done.report)
    if done.created:
        yield Line(" · ".join(part for part in (f"written {done.place}", done.guarantee) if part), 2)
    yield from (Line(f"note: {one}", 2) for one in (done.notes if done.created else done.notes[1:]))
    for report in done.late:
        yield Line("registered while this was written, and broken by it:", 2)
        yield Shown(report)


def data(done: "Committed") -> dict[str, Any]:
    """The answer for machines."""
    return {
        "table": done.table,
        "outcome": done.outcome.value,
        "created": done.created,
        "version": {"number": done.number, "digest": done.digest, "branch": done.branch},
        "place": done.place,
        "guarantee": done.guarantee,
        "attempts": done.attempts,
        "plan": None if done.plan is None else done.plan.summary(),
        "report": report_dict(done.report),
        "late": [report_dict(one) for one in done.late],
        "notes": list(done.notes),
    }

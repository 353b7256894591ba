"""The answer about a commit: which version the table has now, what changed, where it lies and what the storage guarantees."""

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.git import revision_option
from airflow_provider_schemas.cli.output.result import BREAK, OK, Answer, Part, Shown, TextLine
from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.render.commit_headline import headline

if TYPE_CHECKING:
    from airflow_provider_schemas.store.commit.commit import Committed


def answer(commit: "Committed", args: Namespace) -> Answer:
    """Return the answer. The policy allowed what was written, so the exit code is 0 unless a job registered late and breaks."""
    if commit.created:
        commit = commit.with_notes(revision_option.notes(args))
    return Answer([*_parts(commit, args)], _data(commit), BREAK if commit.late else OK)


def _parts(commit: "Committed", args: Namespace) -> Iterator[Part]:
    yield TextLine(f"{commit.table}  {headline(commit)}")
    if commit.created and commit.plan is not None:
        yield Shown(commit.plan, body=True)
    elif commit.report.findings and (commit.created or args.verbose):
        yield Shown(commit.report)
    if commit.created:
        yield TextLine(" · ".join(part for part in (f"written {commit.place}", commit.guarantee) if part), 2)
    # The headline has the first note of a commit that wrote nothing.
    notes = commit.notes if commit.created else commit.notes[1:]
    yield from (TextLine(f"note: {note}", 2) for note in notes)
    for report in commit.late:
        yield TextLine("registered while this was written, and broken by it:", 2)
        yield Shown(report)


def _data(commit: "Committed") -> dict[str, Any]:
    return {
        "table": commit.table,
        "outcome": commit.outcome.value,
        "created": commit.created,
        "version": {"number": commit.number, "digest": commit.digest, "branch": commit.branch},
        "place": commit.place,
        "guarantee": commit.guarantee,
        "attempts": commit.attempts,
        "plan": None if commit.plan is None else commit.plan.summary(),
        "report": report_dict(commit.report),
        "late": [report_dict(report) for report in commit.late],
        "notes": list(commit.notes),
    }

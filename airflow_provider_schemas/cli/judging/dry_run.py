"""`--dry-run`: what a line that writes would write, and its verdict. The whole line is run on a store whose writes go into memory.

So a line is refused with `--dry-run` where it would be refused without, and for the same reason.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.cli.judging.compared import store_url, table_version
from airflow_provider_schemas.cli.judging.verdicts import ComparedReport, Verdicts, answer
from airflow_provider_schemas.cli.output import commit_result
from airflow_provider_schemas.cli.output.result import Answer, Part, Shown, TextLine
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.render.commit_headline import headline

if TYPE_CHECKING:
    from airflow_provider_schemas.store.commit.commit import Committed

NOTHING_WRITTEN: Final = "Nothing was written."
# A registry that a rehearsal begins gets another id when it is really begun.
_OF_REHEARSAL: Final = "registry_id="


def add(parser: ArgumentParser, help_text: str = "say what would be written, and whom that breaks; write nothing") -> None:
    """Add the option to the parser of a command that writes."""
    parser.add_argument("--dry-run", action="store_true", help=help_text)


def answered(commit: "Callable[[], Committed]", args: Namespace) -> Answer:
    """Commit, and answer with what was written; with --dry-run, with the plan and the verdict of what would be written."""
    if not args.dry_run:
        return commit_result.answer(commit(), args)
    try:
        return _committed_answer(commit(), args)
    except IncompatibleSchemaError as error:
        if error.report is None or error.report.fits:
            raise
        return _refused_answer(error, args)


def plan_answer(plan: Plan, compared: str, args: Namespace, more: Sequence[Part] = ()) -> Answer:
    """Answer with a plan that is not carried out."""
    report = ComparedReport(compared, plan.report, {"plan": json.loads(plan.to_json())})
    return answer(Verdicts([report]), args, [Shown(plan), *more, TextLine(NOTHING_WRITTEN)])


def not_written(rehearsed: Answer) -> Answer:
    """Return the answer of a rehearsal about anything but a version, with the words that nothing was written."""
    data: dict[str, Any] = {**(rehearsed.data or {}), "dry_run": True}
    parts = [TextLine("without --dry-run, this is done:"), *rehearsed.parts, TextLine(NOTHING_WRITTEN)]
    return rehearsed._replace(parts=parts, data=data)


def _committed_answer(commit: "Committed", args: Namespace) -> Answer:
    if commit.plan is None or not commit.created:
        compared = table_version(commit.table, commit.number, args, commit.branch)
        report = ComparedReport(f"the change with {compared}", commit.report)
        line = TextLine(f"{commit.table}  {headline(commit)}")
        return answer(Verdicts([report]), args, [line, TextLine(NOTHING_WRITTEN)])
    return plan_answer(commit.plan, _compared(commit.plan, args), args, [*_notes(commit)])


def _compared(plan: Plan, args: Namespace) -> str:
    """Write what a plan was compared with: the newest version of its table, or nothing."""
    if plan.base is None:
        return f"the change with nothing: {store_url(args)} has no {plan.table}"
    return f"the change with {table_version(plan.table, plan.base.number, args, plan.base.branch)}"


def _notes(commit: "Committed") -> Iterator[TextLine]:
    for note in commit.notes:
        if _OF_REHEARSAL not in note:
            yield TextLine(f"note: {note}", 2)


def _refused_answer(error: IncompatibleSchemaError, args: Namespace) -> Answer:
    """Answer with the report for which the line would be refused."""
    report = error.report
    verdicts = Verdicts([ComparedReport(f"the change with {report.table or 'the table'} as it is", report)])
    # A note is put into the words of a line where it is written.
    refusals = [TextLine(f"note: this is refused: {fault.message} {fault.fix}".rstrip(), 2) for fault in error.faults]
    return answer(verdicts, args, [Shown(report), *refusals, TextLine(NOTHING_WRITTEN)])

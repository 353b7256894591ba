"""The answer of `check` and `plan`: verdicts, what was compared for each, and what could not be judged. Its JSON has one shape."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file
from airflow_provider_schemas.cli.command_registry import COMMITS, VERDICT_COMMANDS
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.output.result import Answer, Judged, Part, Shown, TextLine, worst
from airflow_provider_schemas.cli.used_projects import project_lines, projects_json
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.report_json import place_dict, report_dict
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.formats.user_file import place_of

FORMAT = 1
# How a project file ends, which holds no schema.
_PROJECT_FILE = ".toml"
# So many comparisons have a line each.
_MAX_LINES = 50


class ComparedReport(NamedTuple):
    """A report, and what was compared with what for it."""

    compared: str
    report: Report
    more: Mapping[str, Any] = {}
    """Further keys of the report in JSON."""


class Verdicts(NamedTuple):
    """All verdicts of a command."""

    judged: Sequence[ComparedReport] = ()
    faults: Sequence[Fault] = ()
    """Why other things could not be judged."""
    unmatched: Sequence[str] = ()
    """What nothing was compared with."""
    notes: Sequence[str] = ()
    """What a reader of all verdicts has to know besides: what was compared and why, and what was left out."""
    git: Mapping[str, Any] | None = None
    """The commits that were compared, where files were compared with git."""

    @property
    def compared(self) -> list[str]:
        """What was compared with what."""
        return [*(verdict.compared for verdict in self.judged), *self.unmatched]

    def joined(self, other: "Verdicts") -> "Verdicts":
        """Return the verdicts of both."""
        return Verdicts(
            [*self.judged, *other.judged],
            [*self.faults, *other.faults],
            [*self.unmatched, *other.unmatched],
            [*self.notes, *other.notes],
            self.git or other.git,
        )


Call = tuple[str, Callable[[], ComparedReport]]
"""A judgement, with the argument or the file that it is about."""


def collect(calls: Iterable[Call]) -> Verdicts:
    """Judge everything that can be judged; errors are kept as faults, each with the argument that it is about."""
    judged: list[ComparedReport] = []
    faults: list[Fault] = []
    for source, call in calls:
        try:
            judged.append(call())
        except SchemaError as error:
            faults += placed(error, source)
    return Verdicts(judged, faults)


def placed(error: SchemaError, source: str) -> list[Fault]:
    """Return the faults of an error; those without a path are about the argument."""
    return [fault if fault.path else fault._replace(path=source) for fault in error.faults]


# ---------------------------------------------------------------- the answer


def gives_verdicts(args: Namespace) -> bool:
    """Return whether a line asks for verdicts, whose JSON has one shape."""
    return args.command in VERDICT_COMMANDS or (args.command in COMMITS and bool(args.dry_run))


def answer(verdicts: Verdicts, args: Namespace, parts: Sequence[Part] | None = None) -> Answer:
    """Return the answer: what was compared, then the reports or the parts that are given in their place."""
    verdicts = verdicts._replace(faults=missing_tables.explained(verdicts.faults, args))
    reports = [verdict.report for verdict in verdicts.judged]
    judged = Judged(reports, verdicts.compared, verdicts.notes, has_parts=parts is not None)
    if parts is None:
        parts = _report_parts(reports)
    verdict = worst([report.verdict for report in reports])
    lines = [*map(TextLine, project_lines(args)), *_compared_lines(verdicts.compared), *_note_lines(verdicts.notes)]
    data = {**json_form(verdicts), **projects_json(args)}
    return Answer([*lines, *parts], data, verdict, faults=tuple(verdicts.faults), judged=judged)


def _report_parts(reports: Sequence[Report]) -> list[Part]:
    if len(reports) > 1:
        return [Shown(reports)]
    return [Shown(report) for report in reports]


def _compared_lines(compared: Sequence[str]) -> list[TextLine]:
    lines = [TextLine(f"compared {text}") for text in compared[:_MAX_LINES]]
    if len(compared) > _MAX_LINES:
        lines.append(TextLine(f"and {len(compared) - _MAX_LINES:,} more"))
    return lines


def _note_lines(notes: Sequence[str]) -> list[TextLine]:
    return [TextLine(f"note: {note}") for note in notes]


# ---------------------------------------------------------------- JSON


def json_form(verdicts: Verdicts) -> dict[str, Any]:
    """Return the one shape of verdicts in JSON, for any number of them; notes and commits stand there where there are any."""
    about: dict[str, Any] = {"notes": list(verdicts.notes)} if verdicts.notes else {}
    if verdicts.git is not None:
        about["git"] = dict(verdicts.git)
    return {
        "format": FORMAT,
        "compared": verdicts.compared,
        **about,
        "reports": [{**report_dict(verdict.report), **verdict.more} for verdict in verdicts.judged],
        "errors": [_error_entry(fault) for fault in verdicts.faults],
    }


def _error_entry(fault: Fault) -> dict[str, Any]:
    """Return a fault as plain values, with its place in a file where it names one."""
    return {**fault.texts(), "place": _place(fault)}


def _place(fault: Fault) -> dict[str, Any] | None:
    place = place_of(fault)
    if place is None:
        file = fault.path.partition(" ")[0]
        return {"file": file, "line": None} if _names_file(file) else None
    return place_dict(place) if _names_file(place.file) else None


def _names_file(text: str) -> bool:
    return looks_like_a_file(text) or text.endswith(_PROJECT_FILE)

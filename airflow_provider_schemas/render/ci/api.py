"""A run in a format by its name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.comment import comment
from airflow_provider_schemas.render.ci.entries import Completed, entries
from airflow_provider_schemas.render.ci.github import github
from airflow_provider_schemas.render.ci.gitlab import gitlab
from airflow_provider_schemas.render.ci.headline import headline
from airflow_provider_schemas.render.ci.junit import junit
from airflow_provider_schemas.render.ci.locations import of_fault
from airflow_provider_schemas.render.ci.sarif import sarif
from airflow_provider_schemas.render.json_form import written_out

FORMAT = 1
_WIDTH = 120


def rendered(run: CheckRun, format: str, completed: Completed = str) -> str:  # noqa: A002  # as the option is called
    """Return the run in a format: sarif, junit, github, gitlab, html, markdown, json or text. `completed` completes commands in texts."""
    write = _WRITERS.get(format)
    if write is None:
        fix = f"Name one of {', '.join(_WRITERS)}."
        raise FormatError(f"there is no format {format[:40]!r}.", code="render.unknown", fix=fix)
    return write(run, completed)


def _json(run: CheckRun, completed: Completed) -> str:
    errors = []
    for fault in run.faults:
        place = of_fault(fault, run)
        where = {"file": place.path, "line": place.line or None} if place.is_file else None
        errors.append({**fault._replace(fix=completed(fault.fix))._asdict(), "place": where})
    return written_out({
        "format": FORMAT,
        "compared": list(run.compared),
        "reports": [report_dict(report) for report in run.reports],
        "errors": errors,
        "notes": list(run.notes),
    }) + "\n"  # fmt: skip


def _text(run: CheckRun, completed: Completed) -> str:
    lines = [headline(run), *(f"compared {compared}" for compared in run.compared), *(f"note: {note}" for note in run.notes)]
    lines += [f"✖ not judged: {entry.sentence}" for entry in entries(run, completed) if entry.finding is None]
    if run.reports:
        shown = run.reports if len(run.reports) > 1 else run.reports[0]
        lines.append(completed(text(shown, width=_WIDTH, color=False, verbose=run.verbose)))
    return "\n".join(lines) + "\n"


def _html(run: CheckRun, completed: Completed) -> str:
    from airflow_provider_schemas.render.ci.html import html

    return html(run, completed)


_WRITERS: Mapping[str, Callable[[CheckRun, Completed], str]] = MappingProxyType({
    "text": _text,
    "markdown": comment,
    "html": _html,
    "json": _json,
    "sarif": sarif,
    "junit": junit,
    "github": github,
    "gitlab": gitlab,
})  # fmt: skip

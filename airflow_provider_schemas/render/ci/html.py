"""A run as one HTML file: the verdict, what could not be judged, what was compared, then each table."""

from msgspec.structs import replace

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import Completed, entries
from airflow_provider_schemas.render.ci.headline import headline, mark, verdict_of
from airflow_provider_schemas.render.html.api import links_to, rendered_document
from airflow_provider_schemas.render.html.marks import MARKS_IN_HTML
from airflow_provider_schemas.render.version_entries import NOTHING

# Written where a file was asked for and Jinja2 is missing: no page of an earlier run may stay and be taken for this one's.
_WITHOUT_JINJA = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Nothing was judged</title></head>
<body><main>
<h1>Nothing was judged</h1>
<p>HTML is rendered by jinja2, which is not installed. Install it with: <code>pip install "airflow-provider-schemas[html]"</code></p>
</main></body>
</html>
"""


def html(run: CheckRun, completed: Completed = str) -> str:
    """Return the page; without Jinja2 one that says so and that nothing was judged."""
    context = {
        "run": run,
        "headline": headline(run).removeprefix(mark(run)).strip(),
        "mark": MARKS_IN_HTML[Verdict.INVALID] if run.faults else mark(run),
        "verdict": Verdict.INVALID if run.faults else verdict_of(run),
        "was_judged": bool(run.reports or run.faults),
        "faults": [entry for entry in entries(replace(run, reports=())) if entry.finding is None],
        "links": links_to(run.docs),
        "completed": completed,
        "versions": NOTHING,
        "now": None,
    }
    try:
        return rendered_document("check_run.html", context)
    except FormatError as error:
        if error.code != "extra.missing":
            raise
        return _WITHOUT_JINJA

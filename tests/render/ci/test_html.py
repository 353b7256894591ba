"""A run as one HTML file: first what was not judged, then each table; nothing of it looks better than it is."""

from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.api import rendered
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.headline import headline, mark
from airflow_provider_schemas.render.sanitize import clean
from tests.render.ci.support.rich_run import rich_run
from tests.render.html.support.page_tree import PageTree
from tests.render.support import story


def page(run: CheckRun) -> PageTree:
    return PageTree(rendered(run, "html"))


def test_it_has_the_headline_the_faults_the_notes_the_tables_and_what_was_compared() -> None:
    run = rich_run()
    shown = page(run).text
    assert headline(run).removeprefix(mark(run)).strip() in shown
    for table in {report.table for report in run.reports}:
        assert " ".join(clean(table).split()) in shown
    for fault in run.faults:
        assert fault.code in shown
    assert len(run.faults) >= 1
    assert shown.index("Not judged") < shown.index("Findings by owner")
    for reader in ("geo_report", "tax_report", "team-geo", "#geo"):
        assert reader in shown


def test_a_run_that_judged_nothing_has_no_good_mark() -> None:
    for run in (CheckRun(), CheckRun(faults=(Fault("cli.not-ended", "", "the command did not end.", "Run it again."),))):
        shown = page(run).text
        assert "✔" not in shown
        assert "fits" not in shown
    assert "nothing was judged" in page(CheckRun()).text


def test_warnings_that_fail_the_run_are_told() -> None:
    run = CheckRun((story.gate_reports()[1],), strict=True)
    assert "fits" in page(run).text


def test_commands_are_completed() -> None:
    run = CheckRun(tuple(story.gate_reports()))
    whole = rendered(run, "html", lambda text: text.replace("schemas waive", "schemas waive --conn lake"))
    commands = [command for command in PageTree(whole).values("data-copy") if " waive " in command]
    assert commands
    assert all("--conn lake" in command for command in commands)

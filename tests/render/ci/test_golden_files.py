"""A rich run in each format, word for word; `GOLDEN=write` writes the files anew."""

import os
from pathlib import Path

import pytest

from airflow_provider_schemas.render.ci.api import rendered
from airflow_provider_schemas.render.ci.comment import STEP_SUMMARY, comment
from tests.render.ci.support.rich_run import rich_run

FOLDER = Path(__file__).parent / "golden"
FILES = {
    "sarif": "run.sarif",
    "junit": "run.junit.xml",
    "github": "run.github.txt",
    "gitlab": "run.gitlab.json",
    "markdown": "run.md",
    "json": "run.json",
    "text": "run.txt",
}


def compare(name: str, shown: str) -> None:
    """The text is that of the file."""
    path = FOLDER / name
    if os.environ.get("GOLDEN") == "write":
        path.write_text(shown, "utf-8")
    assert shown == path.read_text("utf-8"), f"if it should read so, GOLDEN=write pytest {__file__}"


@pytest.mark.parametrize("name", FILES)
def test_it_reads_well_in_each_format(name: str) -> None:
    compare(FILES[name], rendered(rich_run(), name))


def test_the_summary_of_a_step_is_the_comment_with_more_room() -> None:
    compare("run.summary.md", comment(rich_run(), limit=STEP_SUMMARY))


@pytest.mark.parametrize("name", FILES)
def test_the_same_run_is_the_same_text(name: str) -> None:
    assert rendered(rich_run(), name) == rendered(rich_run(), name)


@pytest.mark.parametrize("name", FILES)
def test_no_format_tells_a_secret(name: str) -> None:
    assert "hunter" not in rendered(rich_run(verbose=True), name)


@pytest.mark.parametrize("name", FILES)
def test_no_format_leaves_out_what_could_not_be_judged(name: str) -> None:
    shown = rendered(rich_run(), name)
    for text in ("a mapping was expected", "cannot be reached"):
        assert text in shown

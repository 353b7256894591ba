"""The story of shop.orders as people read it, word for word, at several widths; `GOLDEN=write` writes the files anew."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from airflow_provider_schemas.render import json_text, markdown, summary, text
from airflow_provider_schemas.render.api import Shown
from tests.render.support import story

FOLDER = Path(__file__).parent / "golden"
VALUES: dict[str, Callable[[], Shown]] = {
    "report": story.change_report,
    "gate": story.gate_reports,
    "plan": story.plan,
    "history": story.versions,
}


def compare(name: str, shown: str) -> None:
    """The text is that of the file."""
    path = FOLDER / name
    if os.environ.get("GOLDEN") == "write":
        path.write_text(shown + "\n" * (not shown.endswith("\n")), "utf-8")
    assert shown.rstrip("\n") == path.read_text("utf-8").rstrip("\n"), f"if it should read so, GOLDEN=write pytest {__file__}"


@pytest.mark.parametrize("width", [40, 80, 160])
@pytest.mark.parametrize("name", VALUES)
def test_it_reads_well_on_a_terminal(name: str, width: int) -> None:
    shown = text(VALUES[name](), width=width, color=False, versions={story.TABLE: story.versions()}, now=story.NOW, table=story.TABLE)
    compare(f"{name}.{width}.txt", shown)


@pytest.mark.parametrize("name", VALUES)
def test_it_reads_well_in_a_pull_request(name: str) -> None:
    shown = markdown(
        VALUES[name](), versions={story.TABLE: story.versions()}, now=story.NOW, table=story.TABLE, docs="https://docs.example/"
    )
    compare(f"{name}.md", shown)


@pytest.mark.parametrize("name", VALUES)
def test_machines_get_the_same_as_json(name: str) -> None:
    compare(f"{name}.json", json_text(VALUES[name](), table=story.TABLE))


def test_a_pager_gets_one_line() -> None:
    lines = [summary(story.change_report()), *map(summary, story.gate_reports())]
    compare("summary.txt", "\n".join(lines))

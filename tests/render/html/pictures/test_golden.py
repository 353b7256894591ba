"""The story of shop.orders as pieces of HTML, element for element; `GOLDEN=write` writes the files anew."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from airflow_provider_schemas.core.blame.column_readers import who_reads
from airflow_provider_schemas.core.blame.readers_by_version import readers_by_version
from airflow_provider_schemas.core.blame.registered_job import RegisteredJob
from airflow_provider_schemas.core.blame.trace import blame, lifelines
from airflow_provider_schemas.render.html.api import fragment
from airflow_provider_schemas.render.html.stylesheet import stylesheet
from airflow_provider_schemas.render.html.table_diff import table_diff
from tests.render.support import story

FOLDER = Path(__file__).parent / "golden"
JOBS = [RegisteredJob(contract.name, contract) for contract in story.CONTRACTS[:3]]
VALUES: dict[str, Callable[[], object]] = {
    "diff": lambda: table_diff(*story.versions()[1:], report=story.change_report()),
    "history": story.versions,
    "schema": lambda: story.versions()[-1].schema,
    "blame": lambda: blame(story.TABLE, story.versions()),
    "lifelines": lambda: lifelines(story.TABLE, story.versions()),
    "readers": lambda: who_reads(JOBS, story.versions()[-1], "cust_id", table=story.TABLE, now=story.NOW),
    "matrix": lambda: readers_by_version(JOBS, story.versions(), table=story.TABLE, now=story.NOW),
}


@pytest.mark.parametrize("name", VALUES)
def test_each_picture_is_as_it_was_looked_at(name: str) -> None:
    piece = fragment(VALUES[name](), table=story.TABLE).replace(str(stylesheet()), "")
    path = FOLDER / f"{name}.html"
    if os.environ.get("GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(piece + "\n", "utf-8")
    assert piece + "\n" == path.read_text("utf-8"), f"if it should look so, GOLDEN=write pytest {__file__}"

"""Iceberg tables are changed by DAGs: from a file in git with an approval; a rerun, a backfill and runs at once change them once."""

from typing import Any

import pytest

from tests.system.support import lakes
from tests.system.support.rest import DagRun, Rest
from tests.system.support.standalone import PASSWORDS
from tests.system.support.waiting import until

pytestmark = pytest.mark.system

APPLY = "schema_evolution.apply"


@pytest.fixture
def peer(connections: lakes.Connections) -> Any:
    """The catalog as another program opens it."""
    return lakes.iceberg_catalog(connections[lakes.ICEBERG])


def test_a_file_renames_a_column_that_a_job_reads_once_somebody_has_approved_it(airflow: Rest, peer: Any) -> None:
    run = airflow.start("mounted_file")
    run.waits("awaiting_input", "schema_evolution.ask")
    asked = run.question("schema_evolution.ask")
    assert "weekly_pages" in asked["body"]
    run.answer("schema_evolution.ask", asked["options"][0], by=airflow.as_user("ana", PASSWORDS["ana"]))
    assert set(run.ended().values()) <= {"success", "skipped"}
    table = peer.load_table("web.pages")
    assert {field.name: field.field_id for field in table.schema().fields} == {"page_id": 1, "address": 2, "seconds": 3}
    assert "ana" in table.properties["schemas.last"]
    run.clear(APPLY)
    assert set(run.ended().values()) <= {"success", "skipped"}
    assert run.attempts(APPLY) == 2
    assert peer.load_table("web.pages").metadata_location == table.metadata_location


def test_runs_at_once_and_a_backfill_change_the_table_once(airflow: Rest, peer: Any) -> None:
    both = [airflow.start("mounted_change", logical_date=f"2026-02-0{day}T00:00:00Z") for day in (1, 2)]
    for run in both:
        assert set(run.ended().values()) == {"success"}
    about = {"dag_id": "mounted_change", "from_date": "2026-03-01T00:00:00Z", "to_date": "2026-03-02T00:00:00Z"}
    airflow.ask("/api/v2/backfills", about | {"reprocess_behavior": "none", "max_active_runs": 2})

    def backfilled() -> list[DagRun]:
        return [run for run in airflow.runs("mounted_change") if "backfill" in run.run_id]

    until("the backfill has its runs", lambda: len(backfilled()) == 2, seconds=120, tell=lambda: airflow.tell_runs("mounted_change"))
    for run in backfilled():
        assert set(run.ended().values()) == {"success"}
    metadata = peer.load_table("web.visits").metadata
    assert [schema.schema_id for schema in metadata.schemas] == [0, 1]
    assert [field.name for field in metadata.schema().fields].count("device") == 1

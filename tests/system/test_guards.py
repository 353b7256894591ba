"""Guards on tasks that know nothing of them: one that waits in the triggerer, and a whole fleet by its policy."""

from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.system.support.lakes import RENAME
from tests.system.support.rest import DagRun, Rest

pytestmark = pytest.mark.system


def test_a_task_that_waits_while_its_table_breaks_goes_on_and_the_next_run_is_stopped(
    conn: str, stores: dict[str, SchemaStore], airflow: Rest, tmp_path: Path
) -> None:
    file = tmp_path / "arrived"
    run = airflow.start(f"guard_{conn}", {"path": str(file)})
    run.waits("deferred", "job")
    stores[conn].table("guarded.orders").evolve(RENAME, override="the test of a table that changes under a waiting task")
    file.touch()
    assert run.ended() == {("job", -1): "success"}
    assert run.xcom("job", "schema_verdict")["tables"]["guarded.orders"]["version"] == 0
    again = airflow.start(f"guard_{conn}", {"path": str(file)})
    assert again.ended() == {("job", -1): "failed"}


def test_a_policy_guards_every_task_with_a_table_as_inlet_mapped_or_not(
    stores: dict[str, SchemaStore], airflow: Rest, runs: dict[str, DagRun]
) -> None:
    assert set(runs["fleet"].ended().values()) == {"success"}
    stores["lake"].table("fleet.breaks").evolve(RENAME)
    assert airflow.start("fleet").ended() == {
        ("plain", -1): "success",
        ("good", -1): "success",
        ("good_mapped", 0): "success",
        ("good_mapped", 1): "success",
        ("bad", -1): "failed",
        ("bad_mapped", 0): "failed",
        ("bad_mapped", 1): "failed",
    }

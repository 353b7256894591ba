"""What a gate saw of a table that others keep: the number, the digest, and which table it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.hooks import open_store
from airflow_provider_schemas.operators import SchemaGateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.tasks.gate.baseline import find_baseline
from airflow_provider_schemas.tasks.gate.earlier_verdicts import StoreBranch
from tests.provider.tasks.gate.test_baseline import DIGEST, Airflow, verdict
from tests.store.mounts.support.remembered_source import ORDERS, RememberedSource


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    return source


@pytest.fixture(autouse=True)
def mounted(tmp_path: Path, lake: str, source: RememberedSource, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection `lake` opens a store in which the source is mounted."""
    mounts: Any = {"shop": source}
    monkeypatch.setattr(open_store, "open_store", lambda *_: SchemaStore(tmp_path / "lake", actor="gate", mounts=mounts))


class Earlier:
    """The green run of the task before this one."""

    def __init__(self, verdict: dict[str, Any] | None = None) -> None:
        self.verdict = None if verdict is None else {**verdict, "run": "before"}

    def as_ti(self) -> dict[str, Any]:
        def states(task_ids: list[str], run_ids: tuple[str, ...] = (), **_: Any) -> Any:
            return {run: dict.fromkeys(task_ids, "success") for run in run_ids}

        return {"xcom_pull": lambda key, **_: self.verdict, "get_task_states": states, "get_previous_ti": lambda **_: None}


Run = Callable[..., tuple[Any, dict[str, Any]]]


@pytest.fixture
def run(context: Any) -> Run:
    """Run the gate without a contract; return what came of it, and its verdict."""

    def once(earlier: dict[str, Any] | None = None, **about: Any) -> tuple[Any, dict[str, Any]]:
        gate = SchemaGateOperator(task_id="gate", conn_id="lake", reads=["shop.orders"], **about)
        ready = context(gate, **Earlier(earlier).as_ti())
        try:
            found: Any = gate.execute(ready)
        except SchemaError as error:
            found = error
        return found, ready["ti"].pushed[VERDICT]

    return once


def entry(verdict: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = verdict["tables"]["shop.orders"]
    return found


def rules(verdict: dict[str, Any]) -> list[str]:
    return [finding["rule"] for finding in entry(verdict)["findings"]]


def test_a_verdict_names_the_table_that_was_seen(run: Run) -> None:
    _, verdict = run()
    assert entry(verdict)["seen"]["table_id"] == entry(verdict)["table_id"] == "t-1"
    json.dumps(verdict)


def test_a_table_that_was_made_again_stops_the_task(run: Run, source: RememberedSource) -> None:
    _, first = run()
    source.create("orders", "order_id BIGINT NOT NULL, client STRING", table_id="t-2")
    found, second = run(first)
    assert isinstance(found, SchemaError)
    assert rules(second) == ["TABLE_REPLACED"]
    assert entry(second)["before"]["table_id"] == "t-1"


def test_with_the_same_columns_it_warns_once(run: Run, source: RememberedSource) -> None:
    _, first = run()
    source.create("orders", ORDERS, table_id="t-2")
    found, second = run(first)
    assert (found["fits"], rules(second), entry(second)["seen"]["table_id"]) == (True, ["TABLE_REPLACED"], "t-2")
    found, third = run(second)
    assert rules(third) == []


def test_the_registry_keeps_the_table_that_was_seen_as_well(run: Run, source: RememberedSource) -> None:
    run()
    source.create("orders", "order_id BIGINT NOT NULL, client STRING", table_id="t-2")
    found, verdict = run()  # Airflow has forgotten the first run
    assert isinstance(found, SchemaError)
    assert rules(verdict) == ["TABLE_REPLACED"]


def test_a_verdict_from_before_tables_had_ids_is_a_baseline_still(run: Run, source: RememberedSource, tmp_path: Path) -> None:
    _, first = run()
    for place in ("seen", "before"):
        entry(first).get(place, {}).pop("table_id", None)
    for record in (tmp_path / "lake").rglob("baselines/**/*.json"):
        record.unlink()
    found, second = run(first)
    assert (found["fits"], rules(second)) == (True, [])
    source.rename("orders", "amount", "total")
    found, third = run(first)
    assert rules(third) == ["FIELD_RENAMED"]


def test_a_task_that_saw_the_second_schema_is_stopped_by_a_return_to_the_first(run: Run, source: RememberedSource) -> None:
    source.rename("orders", "amount", "total")
    _, first = run()
    source.go_to("orders", 0)
    found, second = run(first)
    assert isinstance(found, SchemaError)
    assert rules(second) == ["FIELD_RENAMED"]
    assert any(note.startswith("RESTORED: back to version 0") for note in entry(second)["notes"])


def test_no_command_repeats_what_only_the_baseline_knows(run: Run, source: RememberedSource) -> None:
    _, first = run()
    source.create("orders", "order_id BIGINT NOT NULL, client STRING", table_id="t-2")
    found, _ = run(first)
    assert "--since" not in str(found)


@pytest.mark.parametrize("table_id", ["", "t-1"])
def test_what_was_seen_is_read_with_its_table_and_without(table_id: str) -> None:
    more = {"table_id": table_id} if table_id else {}
    left = verdict("r1", 3, at="2026-01-01", tables={"shop.orders": {"seen": {"version": 3, "digest": DIGEST, **more}}})
    found = find_baseline(Airflow(left), ["shop.orders"], StoreBranch("lake")).since
    assert found == {"shop.orders": (3, DIGEST, *more.values())}

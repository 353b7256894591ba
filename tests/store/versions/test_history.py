"""The history of a table in words: when, who, in which run, approved by whom, and what."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.core import TableSchema, evolve
from tests.support.stores import lake, orders


def outside(folder: Path, number: int, schema: TableSchema) -> None:
    """A version as Paimon would write it: without a word of where it comes from."""
    value = json.loads(schema.to_json())
    value.pop("schemas", None)
    (folder / f"lake/shop.db/orders/schema/schema-{number}").write_text(json.dumps(value | {"id": number}))


def test_the_newest_version_comes_first(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN a INT")
    table.evolve("ADD COLUMN b INT")
    history = table.history()
    assert [entry.number for entry in history] == [2, 1, 0]
    assert (len(history), history[0].number, [entry.number for entry in history[1:]]) == (3, 2, [1, 0])


def test_an_entry_says_who_when_in_which_run_approved_by_whom_and_what(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve(["ADD COLUMN coupon STRING", "RENAME COLUMN cust_id TO customer_id"], actor="bo", run="dag.task 1", approval="raj")
    entry = table.history()[0]
    assert (entry.actor, entry.run, entry.approval, entry.outside) == ("bo", "dag.task 1", "raj", False)
    assert set(entry.changes) == {"ADD COLUMN coupon STRING", "RENAME COLUMN cust_id TO customer_id"}
    assert entry.when is not None
    first, *rest = str(entry).splitlines()
    assert first == f"v1  {entry.when:%Y-%m-%d %H:%M} UTC  by bo (run dag.task 1, approved by raj)"
    assert sorted(rest) == ["    ADD COLUMN coupon STRING", "    RENAME COLUMN cust_id TO customer_id"]


def test_the_first_version_changed_nothing(tmp_path: Path) -> None:
    entry = orders(lake(tmp_path)).history()[-1]
    assert entry.changes == ()
    assert str(entry).endswith("by ana")


def test_a_version_by_somebody_else_is_told_as_such_with_what_it_changed(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    outside(tmp_path, 1, evolve(table.schema(), ["ADD COLUMN flink INT"]))
    entry = table.history()[0]
    assert (entry.outside, entry.actor, entry.run) == (True, "", "")
    assert "by an outside writer" in str(entry)
    assert entry.changes == ("ADD COLUMN flink INT",)


def test_a_secret_in_an_option_is_never_shown(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("SET OPTION fs.s3.secret-key = hunter2")
    assert "hunter2" not in str(table.history())
    assert "fs.s3.secret-key" in str(table.history())


def test_a_long_entry_says_how_much_more_there_is(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve([f"ADD COLUMN c{number} INT" for number in range(30)])
    assert str(table.history()[0]).splitlines()[-1] == "    ... and 10 more"
    assert len(table.history()[0].changes) == 30


@pytest.mark.parametrize("millis", [0, -5, 2**62])
def test_a_time_that_cannot_be_is_none(tmp_path: Path, millis: int) -> None:
    table = orders(lake(tmp_path))
    path = tmp_path / "lake/shop.db/orders/schema/schema-0"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"timeMillis": millis}))
    assert table.history()[0].when is None
    assert "at an unknown time" in str(table.history())


def test_a_gap_is_compared_with_the_version_before_it(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN a INT")
    table.evolve("ADD COLUMN b INT")
    (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink()
    assert set(table.history()[0].changes) == {"ADD COLUMN a INT", "ADD COLUMN b INT"}


def test_every_change_is_there_whoever_wrote_how_many(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve([f"ADD COLUMN c{number} INT" for number in range(1_100)])
    done = table.latest().provenance
    assert done is not None
    assert (done.changes, len(table.history()[0].changes)) == ((), 1_100)

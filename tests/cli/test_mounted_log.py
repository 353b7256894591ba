"""The log of a mounted table tells each schema that was current, and when."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from airflow_provider_schemas.cli import mounted_log
from airflow_provider_schemas.cli.output.result import Rows, TextLine
from airflow_provider_schemas.store.table import Table
from tests.store.mounts.support.remembered_source import RememberedSource
from tests.support.stores import lake


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0, origin="trino 470")
    return source


@pytest.fixture
def table(tmp_path: Path, source: RememberedSource) -> Table:
    return lake(tmp_path, mounts={"shop": source}).table("shop.orders")


def test_the_log_names_each_head_also_one_that_came_back(table: Table) -> None:
    log = mounted_log.answer(table, None, None)
    assert [part.cells[0][0] for part in log.parts if isinstance(part, Rows)] == ["v0", "v1", "v0"]
    rows = [part.cells[0] for part in log.parts if isinstance(part, Rows)]
    assert rows[0][1:] == ("2026-09-21 14:15 UTC", "by an outside writer (back to schema 0, says trino 470)")
    assert "RENAME COLUMN total TO amount" in [part.text for part in log.parts if isinstance(part, TextLine)]
    assert [(entry["number"], entry["back"], entry["since"]) for entry in log.data["versions"]] == [
        (0, True, 1),
        (1, False, 0),
        (0, False, None),
    ]


def test_the_log_can_be_cut_by_number_and_by_day(table: Table) -> None:
    assert len(mounted_log.answer(table, 2, None).data["versions"]) == 2
    assert not mounted_log.answer(table, None, datetime(2027, 1, 1, tzinfo=UTC)).data["versions"]


def test_what_is_not_known_stands_below(table: Table, source: RememberedSource) -> None:
    source.peer["orders"].whole = False
    source.write_data("orders")
    log = mounted_log.answer(table, None, None)
    assert "no older metadata" in str(log.parts[-1])
    assert log.data["notes"]

"""A folder of table files, some of tables that are not there yet: one line judges all of them, and hides no misspelled name."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import fine, typed

ORDERS = "table: shop.orders\ncolumns:\n  - {name: order_id, type: BIGINT NOT NULL}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    made = tmp_path / "schemas/shop"
    made.mkdir(parents=True)
    for table in ("orders", "refunds", "items"):
        (made / f"{table}.yaml").write_text(ORDERS.replace("orders", table), "utf-8")
    fine("create", "schemas/shop/orders.yaml")
    return made


@pytest.mark.parametrize(
    "new",
    [
        ["--new", "shop.refunds", "--new", "shop.items"],
        ["--new=schemas/shop/refunds.yaml", "--new=./schemas/shop/items.yaml"],
    ],
)
def test_files_of_tables_that_are_there_are_compared_and_new_ones_told_as_new(new: list[str], tmp_path: Path) -> None:
    told = " ".join(fine("check", "schemas", *new).split())
    assert f"compared schemas/shop/orders.yaml with shop.orders version 0 of {tmp_path}/lake" in told
    for table in ("refunds", "items"):
        assert f"compared schemas/shop/{table}.yaml with nothing: it is --new, and {tmp_path}/lake has no shop.{table}" in told
    assert told.endswith("3 tables: 3 ok")


def test_the_line_that_an_error_proposes_works() -> None:
    done = typed("check", "schemas")
    assert (done.code, "✔ fits   shop.orders" in done.out) == (2, True)
    proposed = [word for table in ("refunds", "items") for word in ("--new", f"shop.{table}")]
    for table in ("refunds", "items"):
        assert f"or --new shop.{table} where there is no such table yet" in done.err
    assert typed("check", "schemas", *proposed).code == 0
    bare = typed("check", "schemas", "--new")
    assert (bare.code, "name the tables that are new one by one, --new TABLE" in bare.err) == (2, True)


@pytest.mark.parametrize("name", ["shop.refnds", "schemas/shop/gone.yaml", "shop.orders"])
def test_a_name_that_is_not_that_of_a_new_table_is_refused(name: str) -> None:
    done = typed("check", "schemas", "--new", "shop.refunds", "--new", "shop.items", "--new", name)
    assert (done.code, "shop.orders is in" in done.err) == (2, name == "shop.orders")
    assert ("no table file of this line is about it" in done.err) is (name != "shop.orders")


def test_a_misspelled_table_is_neither_fine_nor_new_by_what_is_said_of_others(folder: Path) -> None:
    (folder / "orders.yaml").write_text(ORDERS.replace("orders", "order"), "utf-8")
    done = typed("check", "schemas", "--new", "shop.refunds", "--new", "shop.items")
    assert (done.code, "Did you mean shop.orders?" in done.err) == (2, True)
    for command in ("check", "plan"):
        told = " ".join(fine(command, "schemas/shop/orders.yaml", "--new").split())
        assert "has no shop.order, but shop.orders" in told
        assert "shop.orders was not looked at, whose name is nearly the same" in told
        assert "Did you mean shop.orders?" in told
        assert typed(command, "schemas/shop/orders.yaml", "--new", "--strict").code == 1
    reported = typed("check", "schemas", "--new", "--format=json").json["reports"]
    assert [report["verdict"] for report in reports_of(reported, "shop.order")] == ["warn"]


def reports_of(reports: list[dict[str, Any]], table: str) -> list[dict[str, Any]]:
    return [report for report in reports if report["table"] == table]


@pytest.mark.parametrize(
    ("new", "warned"),
    [("shop.ordrs", True), ("shp.orders", True), ("shop.payments_v2", False), ("mart.orders", False), ("shop.refunds", False)],
)
def test_a_new_table_is_warned_of_only_where_its_name_may_be_a_slip(folder: Path, new: str, warned: bool) -> None:
    fine("create", "shop.payments_v1", "id INT")
    fine("create", "mart.day", "id INT")
    (folder / "new.yaml").write_text(ORDERS.replace("shop.orders", new), "utf-8")
    told = fine("check", "schemas/shop/new.yaml", "--new")
    assert ("Did you mean" in told) is warned, told


def test_a_table_of_nearly_the_same_name_that_has_a_file_on_the_line_is_looked_at(folder: Path) -> None:
    (folder / "order.yaml").write_text(ORDERS.replace("orders", "order"), "utf-8")
    new = ["--new", "shop.order", "--new", "shop.refunds", "--new", "shop.items"]
    assert "Did you mean" not in fine("check", "schemas", *new)


def test_a_table_without_a_file_is_named_beside_new_ones(folder: Path) -> None:
    (folder / "orders.yaml").unlink()
    told = fine("check", "schemas", "--new", "shop.refunds", "--new", "shop.items")
    assert "nothing in schemas with shop.orders" in " ".join(told.split())


def test_what_stands_behind_the_option_is_judged_wherever_the_option_stands() -> None:
    refunds, orders = "schemas/shop/refunds.yaml", "schemas/shop/orders.yaml"
    for line in (["--new", refunds], [refunds, "--new"], [refunds, "--new", "shop.refunds"], ["--new", refunds, orders]):
        assert "it is --new" in fine("check", *line)
    assert typed("check", "--new", orders).code == 2
    assert typed("check", "--new", "schemas").code == 2
    assert typed("check", "schemas", "--new=").code == 2
    assert typed("check", "--new").code == 2


def test_files_that_a_branch_adds_beside_table_files_are_no_tables(folder: Path) -> None:
    (folder / "daily.yaml").write_text("job: daily\nreads:\n  shop.orders: order_id BIGINT\n", "utf-8")
    added = [f"--new=schemas/shop/{name}.yaml" for name in ("refunds", "items", "daily")]
    assert "3 tables: 3 ok" in fine("check", "schemas", *added)

"""Names become folders, so that none of them may lead elsewhere, hide, or look like another; and nothing is written on the way."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import RefusedNameError, SchemaError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.layout.identifiers import MAX_LENGTH, TableName, branch_name, checked, new_branch_name, table_name
from airflow_provider_schemas.store.layout.paths import Layout, table_folder
from airflow_provider_schemas.store.registry import policies
from tests.support import damaged
from tests.support.stores import bytes_of, lake, orders

TRICKS = [
    "",
    " ",
    "..",
    ".",
    "../x",
    "x/../y",
    "/etc",
    "a/b",
    "a\\b",
    "C:",
    "a:b",
    "a\0b",
    "a\nb",
    "a\tb",
    "%2e%2e",
    "a%2fb",
    "a?b",
    "a*b",
    "a#b",
    "a|b",
    '"a"',
    "<a>",
    ".hidden",
    "_hidden",
    " a",
    "a ",
    "a.",
    "con",
    "NUL",
    "lpt1.txt",
    "a\u202eb",
    "a\u200bb",
    "a\ufeffb",
    "a\u2028b",
    "a\u00adb",
    "a\U000e0041b",
    "a\ud800b",
    "a\ue000b",
    "a\x85b",
    "x" * (MAX_LENGTH + 1),
    "\u00e9" * 101,
]
NO_TEXT: list[Any] = [None, 5, 1.5, b"a", [], {}, object(), True]


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_no_name_of_anything(tmp_path: Path, name: str) -> None:
    table = orders(store := lake(tmp_path))
    before = bytes_of(tmp_path)
    doors: list[Callable[[], object]] = [
        lambda: store.table(f"shop.{name}"),
        lambda: store.table(f"{name}.orders"),
        lambda: store.exists(f"{name}.{name}"),
        lambda: store.table(TableName(name, "orders")),
        lambda: store.table(TableName("shop", name)),
        lambda: store.tables(name),
        lambda: store.create_database(name),
        lambda: store.create_table(f"shop.{name}", "a INT"),
        lambda: store.adopt(f"{name}.x", "/x", "a INT"),
        lambda: store.rename_table("shop.orders", f"shop.{name}"),
        lambda: store.drop_table(f"shop.{name}", if_exists=True),
        lambda: table.create_branch(name),
        lambda: judge(store, [f"shop.{name}"]),
        lambda: table.register("amount DECIMAL(10, 2)", consumer=f"x/{name}"),
        lambda: policies.save(store.registry, {}, name=f"/{name}"),
    ]
    for door in doors:
        with pytest.raises(SchemaError) as error:
            door()
        assert all(fault.fix for fault in error.value.faults)
    if name.strip():
        for door in (lambda: table.branch(name), lambda: table.register("amount DECIMAL(10, 2)", consumer="c", team=name)):
            with pytest.raises(RefusedNameError):
                door()
        with pytest.raises(RefusedNameError):
            SchemaStore(tmp_path, team=name)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_is_no_text_is_no_name(tmp_path: Path, name: Any) -> None:
    store = lake(tmp_path)
    doors: list[Callable[[], object]] = [
        lambda: store.table(name),
        lambda: store.tables(name),
        lambda: store.create_database(name),
        lambda: store.create_table(name, "a INT"),
        lambda: store.drop_table(name),
        lambda: checked(name, "team"),
        lambda: table_name(name),
    ]
    for door in doors:
        with pytest.raises(RefusedNameError) as error:
            door()
        assert error.value.fix
    assert list((tmp_path / "lake").iterdir()) == []


@pytest.mark.parametrize("name", ["orders", "a.b.c", "a..b", ".", "a.", ".b", "a.b$snapshots", "a.b$branch_x$files", "a.b "])
def test_a_table_has_a_name_in_two_parts_and_no_system_table_is_one(name: str) -> None:
    with pytest.raises(RefusedNameError) as error:
        table_name(name)
    assert all(fault.fix for fault in error.value.faults)


def test_a_database_has_no_dot_in_its_name(tmp_path: Path) -> None:
    store = lake(tmp_path, layout="mini-paimon")
    for name in ("shop.db", "a.b"):
        for door in (store.create_database, store.tables):
            with pytest.raises(RefusedNameError, match="parts a database from a table"):
                door(name)
    assert list((tmp_path / "lake").iterdir()) == []


def test_all_that_is_wrong_with_a_name_is_told_at_once() -> None:
    with pytest.raises(RefusedNameError) as error:
        table_name("a/b.c$d:e")
    assert [fault.path for fault in error.value.faults] == ["a/b", "c$d:e", "a/b.c$d:e"]


HONEST = ["orders", "Orders", "a-b", "a b", "1", "x" * MAX_LENGTH, "заказы", "注文", "a+b", "a@b", "a=b", "console", "a_", "a'b"]


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_name_is_one_folder(tmp_path: Path, name: str) -> None:
    store = lake(tmp_path)
    store.create_table(f"shop.{name}", "a INT")
    assert store.tables("shop") == (name,)
    assert os.listdir(tmp_path / "lake/shop.db") == [name]  # noqa: PTH208  # as the system says it


def test_a_job_may_be_called_as_airflow_calls_it(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert table.register("amount DECIMAL(10, 2)", consumer="dag.task group.task", team="team bi").consumer == "dag.task group.task"


def test_letters_that_look_like_dots_and_slashes_stay_inside(tmp_path: Path) -> None:
    store = lake(tmp_path)
    for number, name in enumerate(["\uff0e\uff0e", "a\u2215b", "\u2024\u2024", "a\uff0fb"]):
        store.create_table(f"shop.{name}", "a INT")
        assert len(store.tables("shop")) == number + 1
    assert {path.parts[:2] for path in map(Path, bytes_of(tmp_path))} == {("lake", "shop.db")}


LETTERS = "abcXYZ019-_ éß."
ANY_TEXT = st.text(min_size=1, max_size=30) | st.text("./\\%~$:*\0 a", min_size=1, max_size=8)


@given(name=damaged.mostly(st.text(LETTERS, min_size=1, max_size=12), ANY_TEXT))
@example("..")
@example("~")
@example("-rf")
def test_a_name_that_passes_is_one_step_down_and_comes_back_as_it_was(name: str) -> None:
    try:
        found = table_name(f"db.{name}")
    except RefusedNameError:
        return
    for layout in Layout:
        folder = table_folder(found, layout)
        path = os.path.normpath(f"/lake/{folder}")
        assert path == f"/lake/{folder}"
        assert path.split("/")[3:] == [name]
    assert str(found) == f"db.{name}"
    assert table_name(found) == found


@pytest.mark.parametrize("name", [None, "", " ", "\t", "main"])
def test_no_branch_and_a_blank_one_are_the_main_branch(name: str | None) -> None:
    assert branch_name(name) == "main"
    with pytest.raises(RefusedNameError):
        new_branch_name(name or "")


@pytest.mark.parametrize("name", ["dev", "Main", "main2", "0x"])
def test_any_other_name_is_that_branch(name: str) -> None:
    assert branch_name(name) == new_branch_name(name) == name


@pytest.mark.parametrize("name", [" main", "main ", "a/b", 7, ("main",)])
def test_what_can_be_no_name_is_no_branch(name: Any) -> None:
    with pytest.raises(RefusedNameError):
        branch_name(name)


NUMBERS = st.text("0123456789", min_size=1, max_size=20) | st.text(st.characters(categories=["Nd"]), min_size=1, max_size=5)
MAIN_BRANCH = st.sampled_from([None, "", " ", "main"])


@given(name=damaged.mostly(NUMBERS | MAIN_BRANCH, st.text(LETTERS, max_size=12) | st.text(max_size=20), 2))
def test_a_branch_is_the_main_one_or_a_checked_name(name: str | None) -> None:
    try:
        found = branch_name(name)
    except RefusedNameError:
        return
    assert found == "main" or (name == found and "/" not in found and found not in (".", ".."))
    try:
        assert new_branch_name(name or "") == found != "main"
    except RefusedNameError:
        assert found == "main" or found.isdecimal()

"""A branch of a table is a history of its own that begins where it was made."""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, NotThereError, ReadOnlyError, RefusedNameError, SchemaError
from airflow_provider_schemas.store.storage import commit_steps
from tests.support.stores import COLUMNS, at, bytes_of, columns, lake, orders

LAYOUTS = ["paimon", "mini-paimon", "registry"]


def test_a_table_has_no_branches_at_first(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert table.branches() == ()
    assert not table.branch("b1").exists()
    with pytest.raises(NotThereError, match="on branch 'b1'"):
        table.branch("b1").latest()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_branch_begins_with_all_versions_and_goes_its_own_way(tmp_path: Path, layout: str) -> None:
    store = lake(tmp_path, layout=layout)
    store.create_table("shop.orders", COLUMNS)
    table = store.table("shop.orders")
    table.evolve("ADD COLUMN coupon STRING")
    branch = table.create_branch("b1")
    assert (branch.branch_name, branch.numbers(), table.branches()) == ("b1", (0, 1), ("b1",))
    assert [one.digest for one in branch.versions()] == [one.digest for one in table.versions()]
    assert {one.branch for one in branch.versions()} == {"b1"}
    branch.evolve("DROP COLUMN coupon")
    table.evolve("ADD COLUMN note STRING")
    assert list(columns(branch)) == ["order_id", "cust_id", "amount"]
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2, "coupon": 3, "note": 4}
    assert branch.schema().highest_field_id == 3
    assert store.table("shop.orders", branch="b1").latest() == branch.latest()


def test_a_branch_lies_where_paimon_looks_for_it(tmp_path: Path) -> None:
    orders(lake(tmp_path)).create_branch("b1")
    assert (tmp_path / "lake/shop.db/orders/branch/branch-b1/schema/schema-0").is_file()


def test_a_branch_can_begin_at_an_older_version(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve(["ADD COLUMN a INT"])
    table.evolve(["ADD COLUMN b INT"])
    branch = table.create_branch("old", 1)
    assert branch.numbers() == (0, 1)
    assert branch.evolve("ADD COLUMN c INT").number == 2
    with pytest.raises(NotThereError, match="no version 9"):
        table.create_branch("other", 9)
    assert table.branches() == ("old",)


def test_a_branch_of_a_branch_is_made_of_it(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    first = table.create_branch("one")
    first.evolve("ADD COLUMN a INT")
    assert list(columns(first.create_branch("two"))) == ["order_id", "cust_id", "amount", "a"]
    assert table.branches() == ("one", "two")


def test_a_branch_that_holds_only_its_newest_schema_is_read(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN a INT")
    branch = table.create_branch("b1")
    (tmp_path / "lake/shop.db/orders/branch/branch-b1/schema/schema-0").unlink()
    assert branch.numbers() == (1,)
    assert branch.evolve("ADD COLUMN b INT").number == 2
    assert branch.inspect().notes == ("not there any more: version before 1",)


def test_a_branch_is_made_once(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.create_branch("b1")
    table.evolve("ADD COLUMN a INT")
    before = bytes_of(tmp_path)
    with pytest.raises(AlreadyThereError):
        table.create_branch("b1")
    assert bytes_of(tmp_path) == before


def test_of_two_who_make_a_branch_at_once_one_is_told(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    with at(commit_steps.TEMPORARY, lambda: other.create_branch("b1")), pytest.raises(AlreadyThereError):
        table.create_branch("b1")
    assert table.branch("b1").numbers() == (0,)


@pytest.mark.parametrize("name", ["main", "", "  ", None, "7", "../x", "a/b", "a\0b", ".hidden", "x" * 300, "con", "a\u202eb"])
def test_a_name_that_is_none_for_a_branch_is_refused(tmp_path: Path, name: str) -> None:
    table = orders(lake(tmp_path))
    before = bytes_of(tmp_path)
    with pytest.raises(RefusedNameError) as error:
        table.create_branch(name)
    assert error.value.fix
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize("number", ["0", 1.5, True, [], -1])
def test_what_is_no_number_of_a_version_makes_no_branch(tmp_path: Path, number: int) -> None:
    table = orders(lake(tmp_path))
    with pytest.raises(SchemaError):
        table.create_branch("b1", number)
    assert table.branches() == ()


def test_who_may_only_read_makes_no_branch(tmp_path: Path) -> None:
    orders(lake(tmp_path))
    before = bytes_of(tmp_path)
    with pytest.raises(ReadOnlyError):
        lake(tmp_path, read_only=True).table("shop.orders").create_branch("b1")
    assert bytes_of(tmp_path) == before


def test_the_main_branch_has_many_spellings(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    for name in (None, "", "main"):
        assert store.table("shop.orders", name).branch_name == "main"
        assert store.table("shop.orders", name).exists()

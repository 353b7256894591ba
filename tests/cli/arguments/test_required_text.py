"""Options that have to say something."""

from pathlib import Path

import pytest

from tests.support.command_line import fine, typed


@pytest.fixture
def lake(tmp_path: Path) -> str:
    fine("create", "shop.orders", "order_id BIGINT, cust_id BIGINT", "--store", str(tmp_path / "lake"))
    return str(tmp_path / "lake")


@pytest.mark.parametrize(
    "option",
    ["--override=", "--key= ", "--run=", "--approved-by=", "--team=", "--override=REASON", "--override=why", "--approved-by=NAME"],
)
def test_an_option_that_says_nothing_changes_nothing(option: str, lake: str) -> None:
    done = typed("evolve", "shop.orders", "DROP COLUMN cust_id", option, "--store", lake)
    assert done.code == 2
    assert option.partition("=")[0] in done.err
    assert "v0" in fine("log", "shop.orders", "--store", lake)
    assert "v1" not in fine("log", "shop.orders", "--store", lake)


@pytest.mark.parametrize("option", ["--location=", "--comment=", "--unchecked=", "--unchecked=REASON", "--data-format="])
def test_a_table_is_not_created_by_an_option_that_says_nothing(option: str, lake: str) -> None:
    assert typed("create", "shop.users", "id BIGINT", option, "--store", lake).code == 2
    assert typed("show", "shop.users", "--store", lake).code == 2


def test_a_plan_is_not_written_to_standard_input(lake: str) -> None:
    done = typed("plan", "shop.orders", "DROP COLUMN cust_id", "-o", "-", "--store", lake)
    assert done.code == 2
    assert "standard input" in done.err
    assert not Path("-").exists()


def test_the_line_that_does_a_plan_is_read_as_one_file(lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = fine("plan", "shop.orders", "ADD COLUMN note STRING", "-o", "p 1.json", "--store", lake)
    assert "apply --store" in told
    assert "'p 1.json'" in told


@pytest.mark.parametrize(("alias", "until", "says"), [("cust_id:cid", "2020-01-01", "over already"), ("cust_id:cust_id", "30d", "itself")])
def test_an_alias_that_would_help_nobody_is_refused(alias: str, until: str, says: str, lake: str) -> None:
    done = typed("evolve", "shop.orders", "--alias", alias, "--until", until, "--store", lake)
    assert done.code == 2
    assert says in done.err

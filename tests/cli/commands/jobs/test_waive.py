"""A line of `waive` that does not say everything gets back what it said, and nothing that it did not say."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.command_line import fine, typed


@pytest.fixture
def lake(tmp_path: Path) -> str:
    fine("create", "shop.orders", "order_id BIGINT, cust_id BIGINT", "--store", str(tmp_path / "lake"))
    return str(tmp_path / "lake")


@pytest.mark.parametrize(
    ("said", "proposed"),
    [
        ("", "RULE --until WHEN --reason WHY"),
        ("FIELD_DROPPED", "FIELD_DROPPED --until WHEN --reason WHY"),
        ("FIELD_DROPPED cust_id --until 2999-01-01", "FIELD_DROPPED cust_id --until 2999-01-01 --reason WHY"),
        ("FIELD_DROPPED 'a.*' --reason 'two words'", "FIELD_DROPPED 'a.*' --until WHEN --reason 'two words'"),
        ("--for daily --by ana --until 3d --reason INC-1", "RULE --for daily --by ana --until 3d --reason INC-1"),
    ],
)
def test_what_was_typed_comes_back_and_nothing_is_made_up(said: str, proposed: str, lake: str) -> None:
    done = typed("waive", "shop.orders", *shlex.split(said), "--store", lake)
    assert done.code == 2
    assert done.err.endswith(f"airflow-schemas waive --store {lake} shop.orders {proposed}\n")
    words = re.findall(r"\b(RULE|WHEN|WHY) is ", done.err)
    assert words == [word for word in ("RULE", "WHEN", "WHY") if word in proposed.split()]


def test_a_proposed_line_that_is_pasted_as_it_stands_lets_nothing_through(lake: str) -> None:
    for said in ("", "FIELD_DROPPED", "FIELD_DROPPED --until 3d", "FIELD_DROPPED --reason INC-1"):
        proposed = typed("waive", "shop.orders", *said.split(), "--store", lake).err.rpartition("airflow-schemas ")[2]
        assert typed(*shlex.split(proposed)).code == 2
    assert "nothing is let through" in fine("waive", "shop.orders", "--list", "--store", lake)


def test_of_a_table_that_is_not_there_that_is_told(lake: str) -> None:
    done = typed("waive", "shop.order", "--store", lake)
    assert (done.code, "Did you mean shop.orders?" in done.err, "RULE" in done.err) == (2, True, False)


@pytest.mark.parametrize("said", ["FIELD_DROPPED", "--until=3d", "--reason=x", "--for=daily", "--by=ana"])
def test_a_list_grants_nothing(said: str, lake: str) -> None:
    done = typed("waive", "shop.orders", said, "--list", "--store", lake)
    assert (done.code, "grants none" in done.err) == (2, True)


def test_a_job_of_a_team_is_the_one_that_is_spared_and_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = ["--store", str(tmp_path / "lake")]
    fine("create", "shop.orders", "id INT, a INT", *store)
    Path("job.yaml").write_text("job: daily\nreads:\n  shop.orders: id INT, a INT\n")
    fine("contract", "register", "job.yaml", "--team", "one", *store)
    Path("job.yaml").write_text("job: daily\nreads:\n  shop.orders: id INT\n")
    fine("contract", "register", "job.yaml", "--team", "two", *store)
    fine("evolve", "shop.orders", "--drop", "a", "--override", "x", *store)
    waiver = ["waive", "shop.orders", "EXPECT_FIELD_MISSING", "a", "--for", "daily", "--until", "3d", "--reason", "agreed", *store]
    refused = typed(*waiver)
    assert (refused.code, "'daily (one)' or 'daily (two)'" in " ".join(refused.err.split())) == (2, True)
    asked = {(team, at): typed("check", f"shop.orders{at}", "--for", "daily", "--team", team, *store).code
             for team in ("one", "two") for at in ("", ":1")}  # fmt: skip
    assert asked == {("one", ""): 1, ("one", ":1"): 1, ("two", ""): 0, ("two", ":1"): 0}
    assert "daily (one) only" in fine(*waiver, "--team", "one")
    assert [typed("check", f"shop.orders{at}", "--for", "daily", "--team", "one", *store).code for at in ("", ":1")] == [0, 0]

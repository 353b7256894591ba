"""`blame` tells since when a column is as it is, on each branch and of each version, and says what is not known."""

from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import fine, typed


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", "id BIGINT, amount INT, address ROW<city STRING>")
    table = store.table("shop.orders")
    table.evolve("ALTER COLUMN amount TYPE BIGINT", run="evolve_shop/manual__2026-11-18T01:12:00+00:00/evolve", approval="raj")
    table.create_branch("dev").evolve("ADD COLUMN note STRING")
    table.evolve("ALTER COLUMN address.city COMMENT 'where'")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    return tmp_path / "lake"


def told(*words: str) -> str:
    return " ".join(fine("blame", *words).split())


def test_a_column_tells_who_changed_it_in_which_run_and_who_approved(lake: Path) -> None:
    text = told("shop.orders.amount")
    assert "by ana (run evolve_shop/manual__2026-11-18T01:12:00+00:00/evolve, approved by raj)" in text
    assert "retyped: INT -> BIGINT" in text
    assert lake.is_dir()


def test_the_json_leads_to_the_dag_run_and_task(lake: Path) -> None:
    (amount,) = typed("blame", "shop.orders.amount", "--format=json").json["columns"]
    since = amount["since"]
    assert (since["dag_id"], since["run_id"], since["task_id"]) == ("evolve_shop", "manual__2026-11-18T01:12:00+00:00", "evolve")
    assert (amount["added"]["number"], amount["changes"][0]["states"]) == (0, ["retyped"])
    assert lake.is_dir()


@pytest.mark.parametrize("words", [["shop.orders@dev"], ["shop.orders", "--branch", "dev"], ["shop.orders.note@dev"]])
def test_a_branch_has_a_blame_of_its_own(words: list[str], lake: Path) -> None:
    assert "note" in told(*words)
    assert "note" not in told("shop.orders")
    assert lake.is_dir()


@pytest.mark.parametrize("words", [["shop.orders:1"], ["shop.orders", "--version", "1"], ["shop.orders:1", "--version=1"]])
def test_an_older_version_is_told_as_it_was(words: list[str], lake: Path) -> None:
    assert "shop.orders v1" in told(*words)
    assert "where" not in told(*words)
    assert lake.is_dir()


def test_a_version_that_is_gone_is_told_and_nobody_is_named(lake: Path) -> None:
    (lake / "shop.db/orders/schema/schema-1").unlink()
    text = told("shop.orders.amount")
    assert ("v1 to v2" in text, "by whom is not known" in text, "Nothing is known of v1" in text) == (True, True, True)


def test_a_version_that_cannot_be_read_is_told_and_the_code_says_so(lake: Path) -> None:
    (lake / "shop.db/orders/schema/schema-1").write_text("{")
    done = typed("blame", "shop.orders")
    assert (done.code, "v1 cannot be read: this is no JSON" in " ".join(done.out.split())) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop.orders.amuont"], "Did you mean 'amount'?"),
        (["shop.orders.address.ctiy"], "Did you mean 'city'?"),
        (["shop.order"], "Did you mean shop.orders?"),
        (["shop.orders:9"], "There are 3: 0 to 2."),
        (["shop.orders:1", "--version", "2"], "two versions"),
        (["schema-1.json"], "no such file"),
        (["orders"], "db.table.column"),
    ],
)
def test_what_is_not_there_is_refused_with_what_may_be_meant(words: list[str], said: str, lake: Path) -> None:
    done = typed("blame", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert lake.is_dir()

"""`who` names the jobs that use a table or a column, whom to call, and what the answer rests on."""

from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import fine, typed


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", "id BIGINT, cust_id BIGINT, address ROW<city STRING, zip INT>")
    table = store.table("shop.orders")
    table.register("id BIGINT, cust_id BIGINT", consumer="daily.gate", owner="team-bi", contact="#bi")
    table.register(["address.city"], consumer="cities", team="maps")
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="INC-1")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    return tmp_path / "lake"


def told(*words: str) -> str:
    return " ".join(fine("who", *words).split())


def test_a_table_has_the_jobs_that_use_it_and_those_that_do_not_fit(lake: Path) -> None:
    text = told("shop.orders")
    assert "used by 2 registered contracts" in text
    assert "✖ breaks daily.gate team-bi, #bi reads id, cust_id" in text
    assert "✔ fits cities (maps)" in text
    assert "daily.gate: cust_id is now customer_id (field id 1)." in text
    assert lake.is_dir()


@pytest.mark.parametrize("column", ["customer_id", "cust_id"])
def test_a_renamed_column_is_found_by_both_names(column: str, lake: Path) -> None:
    text = told(f"shop.orders.{column}")
    assert ("used by 1 of 2 registered contracts" in text, "daily.gate" in text, "cities" in text) == (True, True, False)
    assert lake.is_dir()


def test_an_answer_without_a_job_says_what_it_rests_on(lake: Path) -> None:
    text = told("shop.orders.address.zip")
    assert "used by 0 of 2 registered contracts" in text
    assert "of a job that has registered none nothing is known" in text
    assert lake.is_dir()


def test_a_contract_that_cannot_be_read_is_told_and_the_code_says_so(lake: Path) -> None:
    (contract,) = (lake / "_schemas/contracts/shop/orders/maps/cities").glob("contract-*")
    contract.write_text("{")
    done = typed("who", "shop.orders.customer_id")
    assert (done.code, "The contract of cities (maps) cannot be read" in done.out) == (2, True)
    assert typed("who", "shop.orders.customer_id", "--format=json").json["unreadable"] != []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop.orders.customr_id"], "Did you mean 'customer_id'?"),
        (["shop.orders.address.zpi"], "There are 'city', 'zip'."),
        (["shop.orders:0"], "newest version"),
        (["shop.order"], "Did you mean shop.orders?"),
        (["orders"], "db.table.column"),
    ],
)
def test_what_is_not_there_is_refused_with_what_may_be_meant(words: list[str], said: str, lake: Path) -> None:
    done = typed("who", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert lake.is_dir()

"""What an answer says that it asked of the storage is what a filesystem was asked."""

from collections.abc import Iterator
from typing import Any

import pytest

from airflow_provider_schemas.store import SchemaStore, judge
from tests.support.counting_storage import counting_storage

LISTS, GETS = ("ls", "find"), ("cat_file", "info", "exists", "isdir", "isfile")


Counting = counting_storage(*LISTS, *GETS)


@pytest.fixture
def store() -> Iterator[SchemaStore]:
    fs = Counting()
    made = SchemaStore("memory://counted/lake", fs=fs, layout="paimon", single_writer=True)
    for name in ("shop.orders", "shop.users"):
        made.create_table(name, "order_id BIGINT NOT NULL, cust_id BIGINT")
        made.table(name).register("cust_id BIGINT", consumer="daily")
    made.table("shop.users").evolve("ADD COLUMN x INT")
    yield SchemaStore("memory://counted/lake", fs=fs, layout="paimon", single_writer=True)
    fs.rm("/counted", recursive=True)


NEEDS: dict[str, Any] = {
    "a name": ["shop.orders"],
    "contracts": {"shop.orders": "cust_id BIGINT", "shop.users": ["order_id"]},
    "what is registered": {"shop.orders": "@registered", "shop.users": "@registered"},
    "what does not fit": {"shop.orders": "nope BIGINT"},
    "what is not there": {"shop.nope": ["a"]},
}


@pytest.mark.parametrize("name", NEEDS)
def test_a_judgement_counts_what_it_asks(name: str, store: SchemaStore) -> None:
    for _ in range(2):  # what is kept between two answers is asked once
        Counting.asked.clear()
        found = judge(store, NEEDS[name], consumer="daily")
        asked = Counting.asked
        assert (found.lists, found.gets) == (sum(asked[one] for one in LISTS), sum(asked[one] for one in GETS))
        assert found.lists > 0

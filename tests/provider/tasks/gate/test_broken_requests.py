"""A gate that was asked nothing, or with a contract that is none, never fits: what an attack from outside tried, and did not get."""

from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.operators import SchemaGateOperator
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import MakeContext

EMPTY: list[Any] = [
    None, "", " ", "\n", "None", "none", "null", "[]", "{}", "()", "['']", '[""]', "[null]", "[None]",
    [], {}, (), set(), frozenset(), iter(()), [None], [""], {"": None},
]  # fmt: skip
BROKEN: list[Any] = [
    "", " ", "nope", "a", "a BIGHINT", "a INT,", "a INT, a INT", "a INT b INT", "ROW<", "[", "{", "{}", "[]",
    [], {}, (), [None], [""], [1], 7, 1.5, True, object(), {"columns": None}, {"columns": []}, {"colums": ["a"]},
    {"columns": "a INT", "shape": "round"}, {"columns": ["a"], "shape": 3}, {"table": "shop.users", "columns": ["a"]}, b"a INT", Contract(),
]  # fmt: skip


@pytest.fixture
def orders(lake: str, tmp_path: Path) -> str:
    SchemaStore(tmp_path / "lake").create_table("shop.orders", "a INT")
    return lake


@pytest.mark.parametrize("number", range(len(EMPTY)), ids=lambda number: f"{number}: {EMPTY[number]!r}"[:40])
@pytest.mark.parametrize("argument", ["reads", "writes"])
def test_nothing_to_judge_never_fits(argument: str, number: int, orders: str, context: MakeContext) -> None:
    gate: Any = SchemaGateOperator(task_id="gate", conn_id=orders, **{argument: EMPTY[number]})
    with pytest.raises(AirflowFailException, match=argument):
        gate.execute(context(gate))


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=lambda number: f"{number}: {type(BROKEN[number]).__name__}")
@pytest.mark.parametrize("argument", ["reads", "writes"])
def test_a_contract_that_is_none_never_fits(argument: str, number: int, orders: str, context: MakeContext) -> None:
    asked: dict[str, Any] = {argument: {"shop.orders": BROKEN[number]}}
    gate: Any = SchemaGateOperator(task_id="gate", conn_id=orders, **asked)
    with pytest.raises(AirflowFailException) as caught:
        gate.execute(context(gate))
    assert "shop.orders" in str(caught.value)

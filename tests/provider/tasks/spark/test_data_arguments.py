"""The table that a task is about, by its name or as a gate saw it, and the contract that its rows are held against."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.spark.data_arguments import DataSubject, read_contract_text, read_subject
from airflow_provider_schemas.tasks.task_run import Run

RUN = Run("reports", "check", "manual__1")
SEEN = {"version": 3, "digest": "a" * 64, "branch": "main", "place": "/lake/shop.db/orders/schema", "layout": "paimon"}
VERDICT = {"outcome": "fits", "tables": {"shop.orders": SEEN}, "spark": json.dumps({"shop.orders": SEEN})}


def test_a_name_means_the_newest_version_or_the_one_that_is_named() -> None:
    assert read_subject(" shop.orders ", NOT_SAID) == DataSubject("shop.orders")
    assert read_subject("shop.orders", "audit", "41") == DataSubject("shop.orders", "audit", 41)


@pytest.mark.parametrize(
    "said",
    [VERDICT, json.dumps(VERDICT), str(VERDICT), VERDICT["tables"], VERDICT["spark"]],
    ids=["verdict", "json", "python", "its tables", "its text for Spark"],
)
def test_a_verdict_means_the_version_that_the_gate_saw(said: Any) -> None:
    assert read_subject(said, NOT_SAID) == DataSubject("shop.orders", "", 3, "a" * 64)


def test_a_verdict_that_stopped_is_no_table_to_look_at() -> None:
    with pytest.raises(SchemaError, match="the gate did not let this job through"):
        read_subject({**VERDICT, "outcome": "skip"}, NOT_SAID)


def test_a_verdict_about_several_tables_is_told_how_to_name_one() -> None:
    with pytest.raises(SchemaError, match=r"about 2 tables.*verdict\[.tables.\]"):
        read_subject({"tables": {"shop.orders": SEEN, "shop.users": SEEN}}, NOT_SAID)


@pytest.mark.parametrize("besides", [{"version": 2}, {"branch": "audit"}])
def test_a_verdict_says_the_version_itself(besides: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match="a verdict says which version"):
        read_subject(VERDICT, besides.get("branch", NOT_SAID), besides.get("version", NOT_SAID))


@pytest.mark.parametrize("said", [7, ["shop.orders"], {"tables": {}}, {"shop.orders": 3}, "orders", "shop/orders", "{"])
def test_what_is_no_table_is_refused(said: Any) -> None:
    with pytest.raises(SchemaError):
        read_subject(said, NOT_SAID)


def test_a_contract_has_the_forms_of_a_gate(tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text("columns: [order_id]\n")
    run = Run("reports", "check", "manual__1", folder=tmp_path)
    for said in ("order_id BIGINT NOT NULL", ["order_id"], "['order_id']", {"columns": ["order_id"]}, "orders.yaml"):
        found = Contract.model_validate_json(read_contract_text(said, "shop.orders", run))
        assert [one.name for one in found.columns] == ["order_id"]
    assert read_contract_text(NOT_SAID, "shop.orders", run) == ""


@pytest.mark.parametrize("said", ["@registered", [], {}, 7, "nope.yaml"])
def test_what_is_no_contract_is_refused(said: Any) -> None:
    with pytest.raises(SchemaError):
        read_contract_text(said, "shop.orders", RUN)


def test_a_contract_needs_the_name_of_a_table() -> None:
    with pytest.raises(SchemaError, match="which table the contract is about"):
        read_contract_text(["order_id"], "", RUN)

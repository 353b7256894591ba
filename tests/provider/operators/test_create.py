"""`SchemaCreateOperator`: a table is made once, however often the task runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SchemaCreateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.change.asset_events import ALIAS
from airflow_provider_schemas.tasks.not_said import NOT_SAID

COLUMNS = "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)"
pytestmark = pytest.mark.usefixtures("lake")
Context = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return SchemaStore(tmp_path / "lake")


def operator(**said: Any) -> SchemaCreateOperator:
    given: dict[str, Any] = {"task_id": "create", "conn_id": "lake", "table": "shop.orders"}
    return SchemaCreateOperator(**given | said)


def run(context: Context, **said: Any) -> dict[str, Any]:
    """What the operator returns, in a run of its own."""
    made = operator(**said)
    told: dict[str, Any] = made.execute(context(made))
    return told


def events(context: dict[str, Any]) -> list[Any]:
    found: list[Any] = context["outlet_events"][ALIAS].asset_alias_events
    return found


# ---------------------------------------------------------------- making


def test_a_table_is_made_of_sql_text_and_told_of(context: Context, store: SchemaStore) -> None:
    made = operator(columns=COLUMNS, primary_keys=["order_id"], options={"bucket": 4}, comment="orders")
    here = context(made)
    told = made.execute(here)
    schema = store.table("shop.orders").schema()
    assert (schema.names, schema.primary_keys, schema.options["bucket"], schema.comment) == (
        ("order_id", "amount"), ("order_id",), "4", "orders",
    )  # fmt: skip
    assert (told["outcome"], told["version"], told["previous"]) == ("created", 0, None)
    assert told["place"].endswith("shop.db/orders/schema/schema-0")
    assert here["ti"].pushed["schema_change"] == told
    assert [(one.dest_asset_key.uri, one.extra["version"]) for one in events(here)] == [("schemas://lake/shop/orders", 0)]


def test_the_version_says_which_run_made_it_and_for_whom(context: Context, store: SchemaStore) -> None:
    run(context, columns=COLUMNS)
    past = store.table("shop.orders").latest().provenance
    assert past is not None
    assert (past.actor, past.run) == ("sales", "reports/manual__2026-03-01/create")


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        ([{"name": "order_id", "type": "BIGINT NOT NULL"}, {"name": "amount", "type": "DECIMAL(10, 2)"}], ["order_id"]),
        ('[{"name": "order_id", "type": "BIGINT NOT NULL"}, {"name": "amount", "type": "DECIMAL(10, 2)"}]', "order_id"),
        (COLUMNS, '["order_id"]'),
    ],
)
def test_columns_and_keys_may_come_out_of_jinja(columns: Any, keys: Any, context: Context, store: SchemaStore) -> None:
    run(context, columns=columns, primary_keys=keys)
    schema = store.table("shop.orders").schema()
    assert (schema.names, schema.primary_keys, schema.partition_keys, schema.comment) == (
        ("order_id", "amount"), ("order_id",), (), None,
    )  # fmt: skip


def test_a_table_file_beside_the_dag_names_its_table(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags" / "users.yaml").write_text("table: shop.users\ncolumns:\n  - {name: user_id, type: BIGINT}\n", "utf-8")
    assert run(context, table=NOT_SAID, target="users.yaml")["table"] == "shop.users"
    assert store.exists("shop.users")


# ---------------------------------------------------------------- again


def test_a_second_run_finds_the_table_and_tells_nobody(context: Context) -> None:
    run(context, columns=COLUMNS)
    made = operator(columns=COLUMNS)
    here = context(made, run_id="another")
    assert made.execute(here)["outcome"] == "unchanged"
    assert events(here) == []


def test_a_run_of_last_spring_finds_its_definition_behind_later_versions(context: Context, store: SchemaStore) -> None:
    run(context, columns=COLUMNS)
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING")
    told = run(context, columns=COLUMNS)
    assert (told["outcome"], told["version"]) == ("unchanged", 1)
    assert told["notes"] == ["exists at version 1; this definition is its version 0: nothing to do"]


def test_another_definition_fails_and_says_what_differs_and_what_to_use(context: Context) -> None:
    run(context, columns=COLUMNS, primary_keys=["order_id"], options={"bucket": "4"})
    with pytest.raises(SchemaError) as raised:
        run(
            context,
            columns="order_id BIGINT NOT NULL, amount DECIMAL(12, 2), coupon STRING",
            primary_keys=["order_id"],
            options={"bucket": "8"},
        )
    text = str(raised.value)
    assert "exists at version 0" in text
    assert "'coupon', which is asked for as STRING and not there" in text
    assert "'amount', which is DECIMAL(10, 2) and asked for as DECIMAL(12, 2)" in text
    assert "the option bucket" in text
    assert "SchemaEvolveOperator" in text
    assert type(raised.value).__name__ == "FinalError", "another try would find the same"


def test_another_definition_is_kept_where_any_will_do(context: Context, store: SchemaStore) -> None:
    run(context, columns=COLUMNS)
    told = run(context, columns="id INT", if_exists="keep")
    assert (told["outcome"], told["notes"]) == ("unchanged", ["exists at version 0, and is kept as it is: nothing to do"])
    assert store.table("shop.orders").schema().names == ("order_id", "amount")


def test_what_differs_in_thousands_of_columns_is_told_in_few_words(context: Context) -> None:
    run(context, columns=", ".join(f"c{number} INT" for number in range(5_000)))
    with pytest.raises(SchemaError) as raised:
        run(context, columns=", ".join(f"d{number} INT" for number in range(5_000)))
    assert "and 9990 more" in str(raised.value)
    assert len(str(raised.value)) < 2_000


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "pass columns or target"),
        ({"columns": COLUMNS, "target": "a.yaml"}, "pass columns or target"),
        ({"columns": COLUMNS, "table": NOT_SAID}, "which table is meant is not said"),
        ({"columns": COLUMNS, "table": "../orders"}, "orders"),
        ({"columns": "order_id BIGNIT"}, "BIGNIT"),
        ({"columns": COLUMNS, "primary_keys": ["nope"]}, "nope"),
        ({"columns": COLUMNS, "primary_keys": 3}, "is no list of names"),
        ({"columns": COLUMNS, "options": ["bucket"]}, "is no mapping"),
        ({"columns": COLUMNS, "if_exists": "replace"}, "is none of same, keep"),
        ({"columns": "[{"}, "columns"),
        ({"columns": "[]"}, "columns: it names no columns"),
        ({"columns": []}, "columns: it names no columns"),
        ({"columns": {}}, "columns: it names no columns"),
        ({"columns": COLUMNS, "options": {"bucket": None}}, "None for 'bucket' is no value of an option"),
        ({"columns": COLUMNS, "options": {"bucket": ["x"]}}, "is no value of an option"),
        ({"columns": COLUMNS, "options": {"bucket": object()}}, "is no value of an option"),
        ({"target": "nope.yaml"}, "there is no file"),
        ({"target": "orders.sql"}, "is no path of a table file"),
        ({"columns": COLUMNS, "policy": 7}, "is no policy"),
    ],
)
def test_a_mistake_ends_the_task_at_once_and_says_what_to_do(said: dict[str, Any], words: str, context: Context, tmp_path: Path) -> None:
    with pytest.raises(SchemaError) as raised:
        run(context, **said)
    assert words in str(raised.value)
    assert "AirflowFailException" in [one.__name__ for one in type(raised.value).__mro__]
    assert not (tmp_path / "lake" / "shop.db").exists()


def test_keys_beside_a_table_file_are_refused(context: Context, tmp_path: Path) -> None:
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags" / "users.yaml").write_text("table: shop.users\ncolumns:\n  - {name: user_id, type: BIGINT}\n", "utf-8")
    with pytest.raises(SchemaError, match="primary_keys cannot be given beside a table file"):
        run(context, table=NOT_SAID, target="users.yaml", primary_keys=["user_id"])


def test_a_table_file_about_another_table_is_refused(context: Context, tmp_path: Path) -> None:
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags" / "users.yaml").write_text("table: shop.users\ncolumns:\n  - {name: user_id, type: BIGINT}\n", "utf-8")
    with pytest.raises(SchemaError, match=r"the table file is about shop\.users"):
        run(context, target="users.yaml")


def test_the_constructor_only_keeps_what_it_is_given() -> None:
    made = operator(columns="{{ params.columns }}", primary_keys="{{ params.keys }}")
    assert (made.columns, made.primary_keys) == ("{{ params.columns }}", "{{ params.keys }}")
    assert set(made.template_fields) >= {"conn_id", "table", "columns", "target", "primary_keys", "options", "key", "override"}


def test_a_description_that_data_contradict_is_refused_unless_a_reason_is_given(
    context: Context, store: SchemaStore, tmp_path: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    (tmp_path / "data").mkdir()
    pa.parquet.write_table(pa.table({"order_id": [1]}), tmp_path / "data/part-0.parquet")
    about = {"schemas.table": json.dumps({"location": str(tmp_path / "data"), "format": "parquet"})}
    with pytest.raises(SchemaError, match="foo is described as BIGINT"):
        run(context, columns="order_id BIGINT, foo BIGINT", options=about)
    run(context, columns="order_id BIGINT, foo BIGINT", options=about, unchecked="INC-7")
    assert "INC-7" in str(store.table("shop.orders").latest().provenance)
    with pytest.raises(SchemaError, match="unchecked"):
        run(context, table="shop.other", columns="order_id BIGINT", options=about, unchecked="")

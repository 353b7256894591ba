"""What OpenLineage is told: of a gate, of a change, and in the events of a DAG that really ran."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas import assets
from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.tasks.output import openlineage

COLUMNS = (
    "order_id BIGINT NOT NULL, cust_id BIGINT, address ROW<street STRING COMMENT 'with number', tags ARRAY<STRING>>, m MAP<STRING, INT>"
)


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    found = SchemaStore(tmp_path / "lake")
    found.create_table("shop.orders", COLUMNS, primary_keys=["order_id"], options={"fs.s3a.secret.key": "hunter2"})
    return found


def plain(facet: Any) -> Any:
    """A facet as it is sent, without what nothing was said of."""
    from openlineage.client.serde import Serde

    return {key: one for key, one in json.loads(Serde.to_json(facet)).items() if not key.startswith("_")}


def only(told: Any) -> Any:
    """The one dataset that is told of."""
    datasets = list(told.inputs) + list(told.outputs)
    assert len(datasets) == 1
    return datasets[0]


# ---------------------------------------------------------------- gates


def test_a_gate_tells_schema_version_and_verdict_of_what_it_looked_at(store: SchemaStore) -> None:
    judgement = judge(store, {"shop.orders": "order_id BIGINT NOT NULL, customer_id BIGINT"}, consumer="report.gate")
    told = only(openlineage.gate_lineage(judgement, alias="Lake"))
    assert (told.namespace, told.name) == ("schemas://lake", "shop.orders")
    assert plain(told.facets["version"]) == {"datasetVersion": "0"}
    overall, missing = plain(told.inputFacets["dataQualityAssertions"])["assertions"]
    assert (overall["assertion"], overall["success"]) == ("SCHEMA_FITS", False)
    about = {key: missing[key] for key in ("assertion", "success", "severity", "column", "description")}
    assert about == {
        "assertion": "EXPECT_FIELD_MISSING",
        "success": False,
        "severity": "error",
        "column": "customer_id",
        "description": "customer_id is not there.",
    }


def test_a_table_that_fits_has_one_test_that_passed(store: SchemaStore) -> None:
    told = only(openlineage.gate_lineage(judge(store, ["shop.orders"]), alias="lake"))
    (found,) = plain(told.inputFacets["dataQualityAssertions"])["assertions"]
    assert (found["assertion"], found["success"]) == ("SCHEMA_FITS", True)


def test_a_table_that_is_not_there_has_a_verdict_and_no_schema(store: SchemaStore) -> None:
    told = only(openlineage.gate_lineage(judge(store, ["shop.users"]), alias="lake"))
    assert told.facets == {}
    found = plain(told.inputFacets["dataQualityAssertions"])["assertions"]
    assert [one["success"] for one in found] == [False, False]


def test_a_table_that_is_read_and_written_is_one_dataset(store: SchemaStore) -> None:
    judgement = judge(store, {"shop.orders": "order_id BIGINT NOT NULL"}, {"shop.orders": "cust_id STRING"}, consumer="a.b")
    told = only(openlineage.gate_lineage(judgement, alias="lake"))
    found = plain(told.inputFacets["dataQualityAssertions"])["assertions"]
    assert [one["success"] for one in found][:2] == [False, False]


# ---------------------------------------------------------------- schemas


def test_columns_are_numbered_and_nested_ones_stand_below_theirs(store: SchemaStore) -> None:
    told = only(openlineage.gate_lineage(judge(store, ["shop.orders"]), alias="lake"))

    def shape(fields: Any) -> Any:
        return [(one["ordinal_position"], one["name"], one["type"], *([shape(one["fields"])] if one["fields"] else [])) for one in fields]

    fields = plain(told.facets["schema"])["fields"]
    assert shape(fields) == [
        (1, "order_id", "BIGINT NOT NULL"),
        (2, "cust_id", "BIGINT"),
        (3, "address", "ROW", [(1, "street", "STRING"), (2, "tags", "ARRAY", [(1, "_element", "STRING")])]),
        (4, "m", "MAP", [(1, "key", "STRING"), (2, "value", "INT")]),
    ]
    assert fields[2]["fields"][0]["description"] == "with number"


def test_nothing_secret_is_told(store: SchemaStore) -> None:
    table = store.table("shop.orders")
    table.evolve([{"action": "updateColumnComment", "fieldNames": ["cust_id"], "newComment": "from postgres://me:hunter3@host/db"}])
    done = table.evolve([{"action": "setOption", "key": "fs.s3a.secret.key", "value": "hunter4"}])
    seen = judge(store, ["shop.orders"], since={"shop.orders": 0})
    said = [plain(facet) for facet in only(openlineage.change_lineage(done, None, store.url, alias="lake")).facets.values()]
    told = only(openlineage.gate_lineage(seen, alias="lake"))
    said += [plain(facet) for facet in {**told.facets, **told.inputFacets}.values()]
    assert "postgres://" in json.dumps(said)
    assert "hunter" not in json.dumps(said)


def test_a_schema_too_large_for_one_message_is_left_out_whole(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("a.most", ", ".join(f"c{number} INT" for number in range(openlineage.MOST_FIELDS)))
    store.create_table("a.more", ", ".join(f"c{number} INT" for number in range(openlineage.MOST_FIELDS + 1)))
    most, more = openlineage.gate_lineage(judge(store, ["a.most", "a.more"]), alias="lake").inputs
    assert len(plain(most.facets["schema"])["fields"]) == openlineage.MOST_FIELDS
    assert "schema" not in more.facets
    assert plain(more.facets["version"]) == {"datasetVersion": "0"}


def test_a_long_comment_is_cut_and_a_deep_type_is_told(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    deep = "ARRAY<" * 90 + "INT" + ">" * 90
    store.create_table("a.b", f"x INT COMMENT '{'c' * 100_000}', y {deep}")
    told = only(openlineage.gate_lineage(judge(store, ["a.b"]), alias="lake"))
    x, y = plain(told.facets["schema"])["fields"]
    assert len(x["description"]) == 1_000
    assert json.dumps(y).count("_element") == 90


def test_of_very_many_findings_the_first_hundred_are_told(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("a.b", "x INT")
    judgement = judge(store, {"a.b": [f"d{number}" for number in range(300)]}, consumer="a.b")
    told = only(openlineage.gate_lineage(judgement, alias="lake"))
    assert len(plain(told.inputFacets["dataQualityAssertions"])["assertions"]) == 101


def test_the_owner_of_a_table_owns_its_dataset(tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text("table: shop.orders\nowner: team-orders\ncontact: '#orders'\ncolumns: [{name: x, type: INT}]\n")
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.orders", str(file))
    told = only(openlineage.gate_lineage(judge(store, ["shop.orders"]), alias="lake"))
    assert [one["name"] for one in plain(told.facets["ownership"])["owners"]] == ["team-orders"]


# ---------------------------------------------------------------- changes


def test_a_change_says_that_the_table_was_created_or_altered(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    made = store.create_table("shop.orders", "x INT")
    created = only(openlineage.change_lineage(made, None, store.url, alias="lake"))
    assert plain(created.facets["lifecycleStateChange"])["lifecycleStateChange"] == "CREATE"
    done = store.table("shop.orders").evolve(["ADD COLUMN y INT"])
    told = only(openlineage.change_lineage(done, made.schema, store.url, alias="lake"))
    assert plain(told.facets["lifecycleStateChange"])["lifecycleStateChange"] == "ALTER"
    assert plain(told.facets["version"]) == {"datasetVersion": "1"}
    assert [one["name"] for one in plain(told.facets["schema"])["fields"]] == ["x", "y"]


def test_what_was_not_written_has_not_changed(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "x INT")
    again = store.create_table("shop.orders", "x INT")
    told = only(openlineage.change_lineage(again, None, store.url, alias="lake"))
    assert "lifecycleStateChange" not in told.facets
    assert (told.namespace, told.name) == ("schemas://lake", "shop.orders")


def test_a_branch_is_a_dataset_of_its_own(store: SchemaStore) -> None:
    branch = store.table("shop.orders").create_branch("audit")
    done = branch.evolve(["ADD COLUMN y INT"])
    told = only(openlineage.change_lineage(done, branch.schema(0), store.url, alias="lake"))
    assert told.name == assets.dataset_of("lake", "shop.orders", "audit")[1] == "shop.orders$branch_audit"


# ---------------------------------------------------------------- where the data lie


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("s3://acme/lake/shop.db/orders", ("s3://acme", "lake/shop.db/orders")),
        ("s3a://acme/lake/", ("s3://acme", "lake")),
        ("gcs://acme/x", ("gs://acme", "x")),
        ("file:///tmp/lake/x", ("file", "/tmp/lake/x")),
        ("/tmp/lake/x", ("file", "/tmp/lake/x")),
        ("hdfs://nn:8020/lake/x", ("hdfs://nn:8020", "/lake/x")),
        ("abfss://box@acme.dfs.core.windows.net/lake", ("abfss://box@acme.dfs.core.windows.net", "lake")),
        ("s3://key:secret@acme/x", ("s3://acme", "x")),
        ("s3://acme", ("s3://acme", "/")),
    ],
)
def test_files_are_called_as_spark_calls_them(address: str, found: tuple[str, str]) -> None:
    assert openlineage.split_address(address) == found


def symlink(told: Any) -> Any:
    return plain(told.facets["symlinks"])["identifiers"] if "symlinks" in told.facets else None


@pytest.mark.parametrize(("layout", "folder"), [("paimon", "shop.db/orders"), ("mini-paimon", "shop/orders")])
def test_data_beside_their_schemas_are_found_by_a_symlink(tmp_path: Path, layout: str, folder: str) -> None:
    store = SchemaStore(tmp_path, layout=layout)
    done = store.create_table("shop.orders", "x INT")
    expected = [{"namespace": "file", "name": str(tmp_path / folder), "type": "LOCATION"}]
    assert symlink(only(openlineage.change_lineage(done, None, store.url, alias="lake"))) == expected
    assert symlink(only(openlineage.gate_lineage(judge(store, ["shop.orders"]), alias="lake"))) == expected


def test_data_that_lie_elsewhere_are_found_there(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry", layout="registry")
    done = store.adopt("shop.orders", "s3a://raw/orders", TableSchema.create("x INT"))
    assert symlink(only(openlineage.change_lineage(done, None, store.url, alias="lake"))) == [
        {"namespace": "s3://raw", "name": "orders", "type": "LOCATION"}
    ]


def test_an_address_that_is_none_costs_nothing_but_the_symlink(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    done = store.create_table("shop.orders", "x INT", options={"schemas.table": '{"location": "s3://[x", "owner": 3}'})
    told = only(openlineage.change_lineage(done, None, store.url, alias="lake"))
    assert set(told.facets) == {"schema", "version", "lifecycleStateChange"}


def test_of_data_that_lie_nobody_knows_where_nothing_is_said(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry", layout="registry")
    done = store.create_table("shop.orders", "x INT")
    assert symlink(only(openlineage.change_lineage(done, None, store.url, alias="lake"))) is None


# ---------------------------------------------------------------- a DAG that ran

DAG = """
from airflow.sdk import DAG, task
from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.operators.create import SchemaCreateOperator
from airflow_provider_schemas.operators.evolve import SchemaEvolveOperator
from airflow_provider_schemas.operators.gate import SchemaGateOperator

with DAG("lineage", schedule=None, default_args={"conn_id": "lake"}):
    create = SchemaCreateOperator(task_id="create", table="shop.orders", columns="order_id BIGINT NOT NULL, cust_id BIGINT")
    rename = SchemaEvolveOperator(task_id="rename", table="shop.orders", changes=["RENAME COLUMN cust_id TO customer_id"])
    gate = SchemaGateOperator(task_id="gate", reads={"shop.orders": "order_id BIGINT NOT NULL"})

    @task
    def by_hook():
        return SchemaStoreHook("lake").get_table_schema("shop.orders")

    breaks = SchemaGateOperator(task_id="breaks", reads={"shop.orders": "cust_id BIGINT"})
    create >> rename >> gate >> by_hook() >> breaks
"""


def test_the_events_of_a_real_run_name_one_dataset_and_tell_of_the_gate_that_broke(airflow_home: Any, tmp_path: Path) -> None:
    file = tmp_path / "events.json"
    airflow_home.connect("lake", host=(tmp_path / "lake").as_uri(), extra=json.dumps({"alias": "Acme"}))
    transport = {"type": "file", "log_file_path": str(file), "append": True}
    airflow_home.environment["AIRFLOW__OPENLINEAGE__TRANSPORT"] = json.dumps(transport)
    (airflow_home.dags / "lineage.py").write_text(DAG)
    airflow_home.test_dag("lineage", ends=1)
    events = [json.loads(line) for line in file.read_text().splitlines()]
    ended = {one["job"]["name"].partition(".")[2]: one for one in events if one["eventType"] != "START" and "." in one["job"]["name"]}
    assert {name: one["eventType"] for name, one in ended.items()} == {
        **dict.fromkeys(("create", "rename", "gate", "by_hook"), "COMPLETE"),
        "breaks": "FAIL",
    }
    datasets = [(name, side, one) for name, event in ended.items() for side in ("inputs", "outputs") for one in event.get(side, ())]
    assert {(one["namespace"], one["name"]) for _, _, one in datasets} == {("schemas://acme", "shop.orders")}
    sides = {(name, side): one for name, side, one in datasets}
    assert set(sides) == {("create", "outputs"), ("rename", "outputs"), ("gate", "inputs"), ("by_hook", "inputs"), ("breaks", "inputs")}
    assert sides["create", "outputs"]["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    assert sides["rename", "outputs"]["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "ALTER"
    assert sides["rename", "outputs"]["facets"]["version"]["datasetVersion"] == "1"
    found = sides["breaks", "inputs"]["inputFacets"]["dataQualityAssertions"]["assertions"]
    assert [(one["assertion"], one["success"], one.get("column")) for one in found] == [
        ("SCHEMA_FITS", False, None),
        ("EXPECT_FIELD_RENAMED", False, "cust_id"),
    ]
    assert found[1]["actual"] == "customer_id"

"""`SparkValidateDataOperator` in a real Airflow: rows that fit go on, rows that do not stop the task, wherever Spark runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.provider.conftest import AirflowHome
from tests.provider.support.spark_dag_runs import Lake, states

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.fixture
def many(tmp_path: Path, airflow_home: AirflowHome) -> Lake:
    return Lake(tmp_path, airflow_home)


def look(task_id: str, **said: Any) -> str:
    arguments = "".join(f", {name}={value!r}" for name, value in said.items())
    return f"SparkValidateDataOperator(task_id={task_id!r}, retries=2{arguments})"


def test_rows_are_looked_at_in_the_task_and_by_a_submitted_job_alike(many: Lake) -> None:
    orders: dict[str, Any] = {"table": "shop.orders", "conf": {"spark.master": "local[1]", "spark.sql.shuffle.partitions": 1}}
    bad = orders | {"path": many.bad}
    kept = f"file://{many.folder}/kept"
    columns = "order_id BIGINT NOT NULL, cust_id BIGINT, coupon VARCHAR(6), card_token STRING"
    many.store.adopt("shop.plain", f"file://{many.bad}", columns)
    many.store.table("shop.plain").bind(f"file://{many.bad}", 0)
    verdict = "{{ ti.xcom_pull(task_ids='gate') }}"
    told, log = many.looks(
        "SchemaGateOperator(task_id='gate', reads={'shop.orders': ['order_id']})",
        look("fits", **orders | {"path": many.good, "table": verdict}),
        look("warns", **bad, on_incompatible="warn", quarantine=kept, samples="2"),
        look("stops", **bad),
        look("skips", **bad, on_incompatible="skip", samples=0),
        look("query", **orders, sql=f"SELECT * FROM parquet.`{many.bad}` WHERE order_id IS NOT NULL AND coupon IS NULL"),
        look("contract", **orders | {"table": "shop.elsewhere", "path": many.bad, "contract": "order_id BIGINT, cust_id BIGINT NOT NULL"}),
        look("own", **orders | {"table": "shop.plain"}, on_incompatible="warn", samples=2),
        look("empty", **orders, sql=f"SELECT * FROM parquet.`{many.good}` WHERE false"),
        look("few", **orders | {"path": many.good}, min_rows="4"),
        look("few_submitted", table="shop.orders", path=many.good, spark_conn_id="cluster", on_incompatible="warn", min_rows=4),
        look("submitted", table="shop.orders", path=many.bad, spark_conn_id="cluster", on_incompatible="warn", samples="2"),
    )
    ends = states(log)
    assert {one: ends[one] for one in told} == {
        "gate": "success",
        "fits": "success",
        "warns": "success",
        "stops": "failed",
        "skips": "skipped",
        "query": "success",
        "contract": "success",
        "own": "success",
        "empty": "success",
        "few": "failed",
        "few_submitted": "success",
        "submitted": "success",
    }
    empty = told["empty"]
    assert (empty["fits"], empty["rows"]) == (True, 0)
    assert empty["notes"][0].startswith("no row was seen: the data is empty")
    assert "shop.orders v0 fits: no row was seen" in log
    for few in (told["few"], told["few_submitted"]):
        assert (few["fits"], few["rows"], [one["rule"] for one in few["findings"]]) == (False, 3, ["DATA_TOO_FEW_ROWS"])
    assert "the data has 3 rows, and min_rows asks for 4" in log
    fits, warns = told["fits"], told["warns"]
    assert (fits["fits"], fits["outcome"], fits["rows"], fits["findings"], fits["spark"]) == (True, "fits", 3, [], "local")
    assert fits["digest"] == many.store.table("shop.orders").latest().digest
    assert (warns["verdict"], warns["outcome"], warns["rows"]) == ("break", "warn", 4)
    assert {one["path"]: one["count"] for one in warns["findings"]} == {"order_id": 2, "coupon": 1}
    assert all(1 <= len(one["samples"]) <= 2 for one in warns["findings"])
    assert told["stops"]["outcome"] == "fail"
    assert told["skips"]["outcome"] == "skip"
    assert all(not one["samples"] for one in told["skips"]["findings"])
    assert (told["query"]["fits"], told["query"]["rows"]) == (True, 1)
    assert (told["contract"]["fits"], told["contract"]["version"], told["contract"]["store"]) == (True, None, "")
    alike = ("table", "version", "digest", "verdict", "outcome", "rows", "checks", "counts", "findings")
    assert {key: told["submitted"][key] for key in alike} == {key: warns[key] for key in alike}
    assert told["submitted"]["spark"] == "submit"
    assert [(one["path"], one["count"]) for one in told["own"]["findings"]] == [("order_id", 2), ("coupon", 1)]
    assert "tok-" not in json.dumps(told)
    assert "SCHEMA DATA" in log
    assert "The task has failed and is not tried again." in log
    assert_kept(warns["quarantine"], 2)


def assert_kept(where: str, rows: int) -> None:
    import pyarrow.parquet

    files = list(Path(where.removeprefix("file://")).glob("*.parquet"))
    assert sum(pyarrow.parquet.read_table(file).num_rows for file in files) == rows

"""`SparkInferSchemaOperator` in a real Airflow: what it says of rows makes a table, and changes one."""

from pathlib import Path

from tests.provider.conftest import AirflowHome
from tests.provider.support.spark_dag_runs import Lake, states

LOCAL = '{"spark.master": "local[1]", "spark.sql.shuffle.partitions": 1}'


def test_what_is_inferred_makes_a_table_and_changes_one_and_stops_at_what_breaks_a_job(tmp_path: Path, airflow_home: AirflowHome) -> None:
    lake = Lake(tmp_path, airflow_home)
    lake.store.create_table("shop.old", "order_id BIGINT, cust_id BIGINT, dropped STRING")
    (tmp_path / "typed").mkdir()
    (tmp_path / "typed" / "a.json").write_text('{"order_id": "one"}\n')
    told, log = lake.looks(
        f"SparkInferSchemaOperator(task_id='alone', path={lake.good!r}, conf={LOCAL})",
        "SchemaCreateOperator(task_id='create', table='shop.made', columns=\"{{ ti.xcom_pull(task_ids='alone')['columns'] }}\")",
        f"SparkInferSchemaOperator(task_id='merged', path={lake.good!r}, table='shop.old', save='true', conf={LOCAL})",
        "SchemaEvolveOperator(task_id='evolve', plan=\"{{ ti.xcom_pull(task_ids='merged') }}\")",
        f"SparkInferSchemaOperator(task_id='again', path={lake.good!r}, table='shop.old', save=True, conf={LOCAL})",
        f"SparkInferSchemaOperator(task_id='unfit', path={str(tmp_path / 'typed')!r}, table='shop.old', retries=2, conf={LOCAL})",
        "SparkInferSchemaOperator(task_id='submitted', sql=\"SELECT 1 AS id, 'a' AS name\", spark_conn_id='cluster', evidence=False)",
    )
    ends = states(log)
    assert [ends[one] for one in ("alone", "create", "merged", "evolve", "again", "unfit", "submitted")] == [
        *["success"] * 5,
        "failed",
        "success",
    ]
    alone = told["alone"]
    assert (alone["rows"], alone["spark"], alone["partition_keys"]) == (3, "local", [])
    assert {one["path"]: one["nulls"] for one in alone["evidence"]} == {"order_id": 0, "cust_id": 1, "coupon": 1, "card_token": 0}
    assert next(one for one in alone["evidence"] if one["path"] == "card_token")["low"] in ("****", "")
    made = [str(one.type) for one in lake.store.table("shop.made").schema().fields]
    assert made == ["BIGINT", "BIGINT", "STRING", "STRING"]
    merged = told["merged"]
    assert (merged["outcome"], merged["saved"], merged["verdict"]) == ("planned", True, "ok")
    names = lake.store.table("shop.old").schema().names
    assert names == ("order_id", "cust_id", "dropped", "coupon", "card_token"), "what the rows lack stays"
    assert (told["again"]["outcome"], told["again"]["saved"]) == ("unchanged", False)
    assert told["submitted"]["columns"].count("INT") == 1

"""`SparkSchemaAuditOperator` in a real Airflow: a warehouse with something wrong in it, looked through in the task and when submitted."""

import json
from pathlib import Path

from tests.provider.conftest import AirflowHome
from tests.provider.support.spark_dag_runs import Lake, states

LOCAL = '{"spark.master": "local[1]", "spark.sql.shuffle.partitions": 1}'


def test_a_table_that_cannot_be_read_is_told_and_stops_the_task(tmp_path: Path, airflow_home: AirflowHome) -> None:
    lake = Lake(tmp_path, airflow_home)
    lake.store.create_table("mart.broken", "id BIGINT")
    (tmp_path / "lake" / "mart.db" / "broken" / "schema" / "schema-0").write_text("{")
    kept, answers = (tmp_path / "kept").as_uri(), (tmp_path / "answers").as_uri()
    told, log = lake.looks(
        f"SparkSchemaAuditOperator(task_id='whole', on_incompatible='warn', save={kept!r}, conf={LOCAL})",
        f"SparkSchemaAuditOperator(task_id='stops', databases='mart', retries=2, conf={LOCAL})",
        f"SparkSchemaAuditOperator(task_id='fine', databases=['shop'], tables='shop.o*', data=False, conf={LOCAL})",
        f"SparkSchemaAuditOperator(task_id='nothing', databases=['nope*'], retries=2, conf={LOCAL})",
        f"SparkSchemaAuditOperator(task_id='submitted', spark_conn_id='cluster', on_incompatible='warn', result_path={answers!r})",
    )
    ends = states(log)
    assert {one: ends[one] for one in told} == {
        "whole": "success",
        "stops": "failed",
        "fine": "success",
        "nothing": "failed",
        "submitted": "success",
    }
    whole = told["whole"]
    assert (whole["outcome"], whole["fits"], whole["unread"]) == ("warn", False, 1)
    assert [one["table"] for one in whole["worst"]] == ["mart.broken"]
    assert (told["stops"]["outcome"], told["fine"]["fits"], told["fine"]["tables"]) == ("fail", True, 1)
    assert told["nothing"] is None
    assert "there is no table in" in log
    alike = ("verdict", "tables", "versions", "unread", "rules")
    assert {key: told["submitted"][key] for key in alike} == {key: whole[key] for key in alike}
    assert len(json.dumps(whole)) < 20_000
    assert list(Path(whole["saved"].removeprefix("file://")).glob("*.parquet"))

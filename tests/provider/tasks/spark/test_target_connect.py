"""The Spark operators over Spark Connect, with a real server: the rows never come to the task."""

from pathlib import Path
from urllib.parse import urlsplit

from tests.provider.conftest import AirflowHome
from tests.provider.support.spark_dag_runs import Lake, states


def test_the_jobs_run_on_the_server(tmp_path: Path, airflow_home: AirflowHome, connect_server: str) -> None:
    lake, server = Lake(tmp_path, airflow_home), urlsplit(connect_server)
    about = {"host": server.hostname, "port": server.port, "login": "ana", "extra": {"use_ssl": False, "spark.sql.ansi.enabled": "true"}}
    airflow_home.connect("server", conn_type="spark_connect", **about)
    on = "spark_conn_id='server', on_incompatible='warn'"
    told, log = lake.looks(
        f"SparkValidateDataOperator(task_id='rows', table='shop.orders', path={lake.bad!r}, {on})",
        f"SparkInferSchemaOperator(task_id='infer', path={lake.good!r}, table='shop.orders', {on})",
        f"SparkSchemaAuditOperator(task_id='audit', {on})",
    )
    assert {one: states(log)[one] for one in told} == dict.fromkeys(told, "success")
    assert {one["spark"] for one in told.values()} == {"connect"}
    assert {one["path"]: one["count"] for one in told["rows"]["findings"]} == {"order_id": 2, "coupon": 1}
    assert (told["infer"]["rows"], told["infer"]["base"]["version"]) == (3, 0)
    assert (told["audit"]["tables"], told["audit"]["unread"]) == (1, 0)

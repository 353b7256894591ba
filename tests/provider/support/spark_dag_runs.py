"""Real runs of the Spark operators: rows that fit and rows that do not, a DAG of many looks at them, and what its tasks told."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import AirflowHome

_HEAD = """
import json
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import *

KEYS = ("schema_data", "schema_inferred", "schema_audit")

with DAG("looks", schedule=None, default_args={"conn_id": "lake"}):
    looks = [
"""
_FOOT = """
    ]

    @task(trigger_rule="all_done")
    def tell(ids, ti=None, dag_run=None):
        found = {one: next((said for key in KEYS if (said := ti.xcom_pull(task_ids=one, key=key))), None) for one in ids}
        print("TOLD " + json.dumps(found))

    last = tell([one.task_id for one in looks])
    for one, other in zip(looks, looks[1:]):
        other.trigger_rule = "all_done"
        one >> other
    looks[-1] >> last
"""


class Lake:
    """A warehouse with a table, and files beside it."""

    def __init__(self, folder: Path, home: AirflowHome) -> None:
        self.home, self.folder = home, folder
        self.store = SchemaStore(folder / "lake", actor="ana")
        columns = "order_id BIGINT NOT NULL, cust_id BIGINT, coupon VARCHAR(6), card_token STRING"
        self.store.create_table("shop.orders", columns)
        home.connect("lake", host=(folder / "lake").as_uri())
        home.connect("cluster", conn_type="spark", host="local[1]")
        home.environment |= {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        self.good = self.land("good", [1, 2, 3], [7, 7, None], ["spring", None, "may"], ["tok-1", "tok-2", "tok-3"])
        self.bad = self.land(
            "bad", [1, None, 3, None], [7, 7, 9, 9], ["spring", "summer!", None, None], ["tok-1", "tok-2", "tok-3", "tok-4"]
        )

    def land(self, name: str, *columns: list[Any]) -> str:
        """A folder with a file of these values."""
        import pyarrow
        import pyarrow.parquet

        types = (pyarrow.int64(), pyarrow.int64(), pyarrow.string(), pyarrow.string())
        arrays = [pyarrow.array(values, kind) for values, kind in zip(columns, types, strict=True)]
        (place := self.folder / name).mkdir()
        pyarrow.parquet.write_table(pyarrow.table(arrays, ["order_id", "cust_id", "coupon", "card_token"]), place / "part-0.parquet")
        return str(place)

    def looks(self, *tasks: str) -> tuple[dict[str, Any], str]:
        """What each task told, and the log of all."""
        (self.home.dags / "looks.py").write_text(_HEAD + "".join(f"        {one},\n" for one in tasks) + _FOOT)
        log = self.home.test_dag("looks")
        line = next(one for one in log.splitlines() if "TOLD {" in one)
        told: dict[str, Any] = json.JSONDecoder().raw_decode(line[line.index("TOLD ") + 5 :])[0]
        return told, log


def states(log: str) -> dict[str, str]:
    """How each task of a run has ended, by its log."""
    found: dict[str, str] = {}
    running = ""
    for line in log.splitlines():
        if "[DAG TEST] starting task_id=" in line:
            running = line.partition("task_id=")[2].split()[0]
        if "new_state=" in line and running:
            found[running] = line.partition("new_state=")[2].split()[0]
    return found

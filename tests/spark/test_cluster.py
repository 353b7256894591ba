"""One run on a real cluster: master, worker and driver are processes of their own, and rows go through executors."""

import json
from pathlib import Path

from airflow_provider_schemas.store import SchemaStore
from tests.spark.support.cluster import standalone, submitted


def test_a_job_on_a_cluster_asserts_writes_reads_and_validates(tmp_path: Path) -> None:
    lake, registry, data = (str(tmp_path / name) for name in ("lake", "registry", "data"))
    store = SchemaStore(lake, registry=registry)
    store.adopt("shop.orders", data, "order_id BIGINT NOT NULL, cust_id BIGINT")
    table = store.table("shop.orders")
    head, place = table.latest(), f"{table.place.files.url}/{table.place.folder}/schema"
    verdict = {"shop.orders": {"version": head.number, "digest": head.digest, "branch": "main", "place": place, "layout": "registry"}}
    with standalone(tmp_path) as master:
        printed = submitted(master, Path(__file__).parent / "support" / "cluster_job.py", lake, registry, json.dumps(verdict))
    said = json.loads(printed.partition("SAID ")[2].splitlines()[0])
    assert said == {"master": master, "checked": {"shop.orders": 0}, "rows": [1010, 1010, 10, 1009], "fits": True, "executors": 1}

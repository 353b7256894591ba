"""Evidence from tables that pypaimon writes: its files bear no ids, and its manifests say which of them are live."""

from typing import Any

import pytest

from airflow_provider_schemas.spark import prove
from airflow_provider_schemas.store import SchemaStore
from tests.interop.support.evolved_tables import evolved, rows, table_of
from tests.support.companion import Warehouse

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

FREE = {"alter-column-null-to-not-null.disabled": "false"}
CHANGES = [
    {"action": "updateColumnType", "fieldNames": ["number"], "newDataType": "SMALLINT"},
    {"action": "updateColumnNullability", "fieldNames": ["number"], "newNullability": False},
]


@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_the_files_of_the_newest_snapshot_are_proven(paimon: Warehouse, store: SchemaStore, classic_spark: Any, kind: str) -> None:
    table_of(
        paimon, "k BIGINT, a INT", rows({"a": [1, 2]}), "RENAME COLUMN a TO number", rows({"number": [300]}, 10),
        options={**FREE, "file.format": kind},
    )  # fmt: skip
    table = store.table("db.t")
    found = prove(table, CHANGES, spark=classic_spark)
    assert {(one.path, one.not_null, one.fits, one.files) for one in found} == {("number", True, None, 2), ("number", False, "SMALLINT", 2)}
    how = "footers" if kind == "parquet" else "a scan"
    assert all(one.found.endswith(f"{how} of snapshot 2") for one in found)
    assert all(one.proven for one in table.plan(CHANGES, evidence=found).report.findings)
    evolved(paimon, rows({"number": [70_000, None]}, 20))
    assert prove(table, CHANGES, spark=classic_spark) == ()

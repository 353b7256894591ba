"""A view with both names of a column over a Paimon table, whose files are read by field id: old ones have their values."""

from typing import Any

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from tests.interop.support.evolved_tables import evolved, table_of
from tests.support.companion import Warehouse

ALIAS = """SET OPTION schemas.field.1 = '{"alias": {"cust_id": "2999-12-31"}}'"""


def test_a_job_that_reads_a_view_with_both_names_has_its_rows_where_paimon_reads(
    paimon: Warehouse, store: SchemaStore, classic_spark: Any
) -> None:
    table_of(paimon, "k BIGINT, cust_id BIGINT", [{"k": 1, "cust_id": 7}])
    table = store.table("db.t")
    table.register({"columns": "cust_id BIGINT", "read_with": "view"}, consumer="job")
    done = table.evolve(["RENAME COLUMN cust_id TO customer_id", ALIAS])
    assert [one.rule for one in done.report.findings] == ["FIELD_RENAMED_ALIASED"]
    evolved(paimon, [{"k": 2, "customer_id": 8}])
    classic_spark.createDataFrame(paimon.ask("read", "db.t"), "k BIGINT, customer_id BIGINT").createOrReplaceTempView("read_by_paimon")
    classic_spark.sql("CREATE OR REPLACE TEMP VIEW both_names AS SELECT *, customer_id AS cust_id FROM read_by_paimon")
    assert sorted(row["cust_id"] for row in classic_spark.sql("SELECT cust_id FROM both_names").collect()) == [7, 8]
    assert judge(store, {"db.t": "@registered"}, consumer="job").fits

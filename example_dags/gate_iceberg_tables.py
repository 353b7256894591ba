"""One gate over tables of three kinds: Iceberg where it is, Paimon, and plain Parquet. A change in any of them stops the job.

What it shows
    The database web is mounted: its tables are those of an Iceberg catalog, which others write, and whose connection is Airflow's own
    type iceberg. Their schemas are read from Iceberg's metadata: nothing is adopted, described or copied.
    Contracts of all three tables lie in one registry, and the verdict says of each by what it was judged.
    The catalog here is SQLite on this disk; a REST catalog or Glue is another connection, and nothing else changes.

Run it
    pip install 'airflow-provider-schemas[iceberg,arrow]' 'pyiceberg[sql-sqlite]' apache-airflow-providers-apache-iceberg
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/schemas_lake", "extra":
        {"mounts": {"web": {"source": "iceberg", "conn_id": "iceberg_local", "namespace": "prod.web"}}}}'
    export AIRFLOW_CONN_ICEBERG_LOCAL='{"conn_type": "iceberg", "host": "sqlite:////tmp/schemas_iceberg.db", "extra":
        {"type": "sql", "warehouse": "file:///tmp/schemas_iceberg"}}'
    airflow dags test gate_iceberg_tables

What you should see
    Three tables made, the gate fits, the job runs: web.visits by metadata, shop.orders by schema files, raw.clicks by a footer.
    Then somebody renames a column with another program:
    airflow dags test gate_iceberg_tables --conf '{"rename": "page"}'
    and the gate fails: EXPECT_FIELD_RENAMED. The job does not run.
"""

from pathlib import Path
from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaGateOperator

CLICKS = "/tmp/schemas_clicks"  # noqa: S108  # an example that is run on one machine
READS = {
    "web.visits": "visit_id BIGINT NOT NULL, page STRING",
    "shop.orders": "order_id BIGINT NOT NULL, amount DECIMAL(12, 2)",
    "raw.clicks": "click_id BIGINT, url STRING",
}


@dag(schedule=None, params={"rename": None}, tags=["schemas"])
def gate_iceberg_tables() -> None:
    """A gate over three kinds of tables, and the job behind it."""

    @task
    def others_write(params: dict[str, Any]) -> None:
        """Make the Iceberg table, or rename one of its columns: what another program does at any time."""
        from airflow.providers.apache.iceberg.hooks.iceberg import IcebergHook
        from pyiceberg.schema import Schema
        from pyiceberg.types import LongType, NestedField, StringType

        catalog = IcebergHook("iceberg_local").catalog
        for namespace in ("prod", "prod.web"):
            catalog.create_namespace_if_not_exists(namespace)
        visit_id = NestedField(1, "visit_id", LongType(), required=True)
        table = catalog.create_table_if_not_exists("prod.web.visits", Schema(visit_id, NestedField(2, "page", StringType())))
        if params["rename"]:
            table.update_schema().rename_column(params["rename"], f"{params['rename']}_name").commit()

    create = SchemaCreateOperator(
        task_id="create", conn_id="lake", table="shop.orders", columns="order_id BIGINT NOT NULL, amount DECIMAL(12, 2)"
    )

    @task
    def land_clicks() -> None:
        """Write a Parquet file, and keep the schema of its folder in the registry."""
        import pyarrow as pa
        from pyarrow import parquet

        from airflow_provider_schemas.hooks import SchemaStoreHook

        Path(CLICKS).mkdir(exist_ok=True)
        columns = {"click_id": pa.array([1, 2], pa.int64()), "url": pa.array(["/", "/cart"])}
        parquet.write_table(pa.table(columns), f"{CLICKS}/part-0.parquet")
        SchemaStoreHook("lake").get_conn().adopt("raw.clicks", CLICKS, "click_id BIGINT, url STRING", format="parquet")

    gate = SchemaGateOperator(task_id="gate", conn_id="lake", reads=READS)

    @task
    def job(verdict: dict[str, Any]) -> None:
        for name, table in verdict["tables"].items():
            print(f"{name} fits, judged by {table['judged_by']}")

    create >> land_clicks() >> gate
    others_write() >> gate >> job(gate.output)


gate_iceberg_tables()

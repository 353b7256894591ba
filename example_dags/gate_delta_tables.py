"""One gate over four kinds of tables: Delta, Delta that maps its columns, Iceberg, and Paimon. A change in any of them stops the job.

What it shows
    The database raw is mounted: its tables are the Delta tables of a folder, which others write. Their schemas are read from Delta's log:
    nothing is adopted, described or copied. payments finds its columns by name; clicks maps them, so that a rename is told from a drop.
    The database web is an Iceberg catalog, and shop a warehouse of Paimon. Contracts of all four tables lie in one registry.
    The folder here is on this disk; s3://lake/raw is another address, reached with the storage of the connection.

Run it
    pip install 'airflow-provider-schemas[iceberg,arrow]' 'pyiceberg[sql-sqlite]' apache-airflow-providers-apache-iceberg deltalake
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/schemas_lake", "extra": {"mounts":
        {"raw": {"source": "delta", "url": "file:///tmp/schemas_delta"},
         "web": {"source": "iceberg", "conn_id": "iceberg_local", "namespace": "prod.web"}}}}'
    export AIRFLOW_CONN_ICEBERG_LOCAL='{"conn_type": "iceberg", "host": "sqlite:////tmp/schemas_iceberg.db", "extra":
        {"type": "sql", "warehouse": "file:///tmp/schemas_iceberg"}}'
    airflow dags test gate_delta_tables

What you should see
    Four tables made, the gate fits, the job runs: three tables by metadata, shop.orders by schema files.
    Then another program changes one of them:
    airflow dags test gate_delta_tables --conf '{"change": "raw.clicks"}'
    and the gate fails: EXPECT_FIELD_RENAMED. The job does not run. raw.payments and web.visits can be changed, too.
"""

from pathlib import Path
from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaGateOperator

FOLDER = Path("/tmp/schemas_delta")  # noqa: S108  # an example that is run on one machine
READS = {
    "raw.payments": "payment_id BIGINT, amount DECIMAL(10, 2)",
    "raw.clicks": "click_id BIGINT, url STRING",
    "web.visits": "visit_id BIGINT NOT NULL, page STRING",
    "shop.orders": "order_id BIGINT NOT NULL, amount DECIMAL(12, 2)",
}


def make_delta(name: str, columns: dict[str, str], **properties: str) -> None:
    """Make a Delta table, unless it is there."""
    from deltalake import DeltaTable, Field, Schema
    from deltalake.schema import PrimitiveType

    fields = [Field(column, PrimitiveType(kind)) for column, kind in columns.items()]
    DeltaTable.create(str(FOLDER / name), Schema(fields), mode="ignore", configuration=properties)


def drop_amount() -> None:
    """Write the table anew without a column, which is how a table that maps no columns loses one."""
    import pyarrow as pa
    from deltalake import write_deltalake

    rows = pa.table({"payment_id": pa.array([1], pa.int64())})
    write_deltalake(str(FOLDER / "payments"), rows, mode="overwrite", schema_mode="overwrite")


def rename_url() -> None:
    """Write the commit that Spark writes for ALTER TABLE clicks RENAME COLUMN url TO page, which deltalake does not."""
    log = FOLDER / "clicks" / "_delta_log"
    first = (log / f"{0:020d}.json").read_text("utf-8").splitlines()
    metadata = next(line for line in first if line.startswith('{"metaData"'))
    (log / f"{1:020d}.json").write_text(metadata.replace('\\"name\\":\\"url\\"', '\\"name\\":\\"page\\"') + "\n", "utf-8")


def visits() -> Any:
    """Return the Iceberg table, made unless it is there."""
    from airflow.providers.apache.iceberg.hooks.iceberg import IcebergHook
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField, StringType

    catalog = IcebergHook("iceberg_local").catalog
    for namespace in ("prod", "prod.web"):
        catalog.create_namespace_if_not_exists(namespace)
    visit_id = NestedField(1, "visit_id", LongType(), required=True)
    return catalog.create_table_if_not_exists("prod.web.visits", Schema(visit_id, NestedField(2, "page", StringType())))


def rename_page() -> None:
    """Rename a column of the Iceberg table."""
    visits().update_schema().rename_column("page", "path").commit()


CHANGES = {"raw.payments": drop_amount, "raw.clicks": rename_url, "web.visits": rename_page}


@dag(schedule=None, params={"change": None}, tags=["schemas"])
def gate_delta_tables() -> None:
    """A gate over four kinds of tables, and the job behind it."""

    @task
    def others_write(params: dict[str, Any]) -> None:
        """Make the tables, or change one: what other programs do at any time."""
        make_delta("payments", {"payment_id": "long", "amount": "decimal(10,2)"})
        make_delta("clicks", {"click_id": "long", "url": "string"}, **{"delta.columnMapping.mode": "name"})
        visits()
        if params["change"]:
            CHANGES[params["change"]]()

    create = SchemaCreateOperator(
        task_id="create", conn_id="lake", table="shop.orders", columns="order_id BIGINT NOT NULL, amount DECIMAL(12, 2)"
    )
    gate = SchemaGateOperator(task_id="gate", conn_id="lake", reads=READS)

    @task
    def job(verdict: dict[str, Any]) -> None:
        for name, table in verdict["tables"].items():
            print(f"{name} fits, judged by {table['judged_by']}")

    [create, others_write()] >> gate >> job(gate.output)


gate_delta_tables()

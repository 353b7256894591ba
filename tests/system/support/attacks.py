"""Tables and jobs as each attack leaves them: what a gate that looks at too little takes for green."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore

Connections = dict[str, dict[str, Any]]
COLUMNS = "order_id BIGINT, cust_id BIGINT"
ALIAS = """SET OPTION schemas.field.1 = '{"alias": {"cust_id": "2099-12-31"}}'"""
RENAME = "RENAME COLUMN cust_id TO customer_id"


def connections(folder: Path) -> Connections:
    """Return the connections of the attacked warehouse, and of tables whose registry lies on a disk of its own."""
    held = {"registry": (folder / "registry").as_uri(), "layout": "registry"}
    return {
        "attacked": {"conn_type": "schema_store", "host": (folder / "lake").as_uri()},
        "unmounted": {"conn_type": "schema_store", "host": (folder / "held").as_uri(), "extra": held},
    }


def alias(store: SchemaStore) -> None:
    """Rename a column and give the new one the old name as alias, which Spark does not resolve."""
    store.create_table("attacks.alias", COLUMNS)
    store.table("attacks.alias").evolve([RENAME, ALIAS])


def described(store: SchemaStore, folder: Path) -> None:
    """Describe a folder as an Iceberg table, whose own metadata nobody reads."""
    store.adopt("attacks.described", str(folder / "described"), COLUMNS, format="iceberg")


def footer(store: SchemaStore, folder: Path) -> None:
    """Describe a folder of Parquet files, and have somebody write a file in which a needed column has another name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = folder / "footer"
    data.mkdir(parents=True)
    pq.write_table(pa.table({"order_id": [1], "cust_id": [1]}), data / "part-0.parquet")
    store.adopt("attacks.footer", str(data), COLUMNS, format="parquet")
    (data / "day=2").mkdir()
    pq.write_table(pa.table({"order_id": [2], "customer_id": [2]}), data / "day=2" / "part-1.parquet")


def ambiguous(store: SchemaStore, folder: Path) -> None:
    """Write a file without ids that two versions explain, each with another meaning of a column."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = folder / "ambiguous"
    data.mkdir(parents=True)
    store.adopt("attacks.ambiguous", str(data), "id BIGINT, a STRING", format="parquet")
    table = store.table("attacks.ambiguous")
    table.evolve("RENAME COLUMN a TO b", override="an attack")
    table.evolve(["RENAME COLUMN b TO c", "ADD COLUMN a STRING"], override="an attack")
    pq.write_table(pa.table({"id": [1], "a": ["NEW"]}), data / "part-0.parquet")


def stale(store: SchemaStore, folder: Path) -> None:
    """Register a contract that was last seen before 91 days, and drop the column."""
    store.create_table("attacks.stale", COLUMNS)
    store.table("attacks.stale").register("cust_id BIGINT", consumer="attack_stale.gate")
    (record,) = (folder / "lake" / "_schemas" / "contracts" / "attacks" / "stale").rglob("contract-0")
    said = json.loads(record.read_text("utf-8"))
    said["at"] = (datetime.now(UTC) - timedelta(days=91)).isoformat(timespec="seconds")
    record.write_text(json.dumps(said), "utf-8")
    store.table("attacks.stale").evolve("DROP COLUMN cust_id", override="an attack")


def struct(store: SchemaStore) -> None:
    """Add a nullable field inside a struct that a job writes whole."""
    store.create_table("attacks.struct", "id INT, r ROW<a INT>")
    store.table("attacks.struct").evolve("ADD COLUMN r.b STRING")


def order(store: SchemaStore) -> None:
    """Keep a struct whose fields a job writes in another order."""
    store.create_table("attacks.order", "id INT, r ROW<a STRING, b STRING>")


def renamed(store: SchemaStore) -> None:
    """Keep a table that a job reads."""
    store.create_table("attacks.rename", COLUMNS)
    store.table("attacks.rename").register("cust_id BIGINT", consumer="nightly", owner="team-bi")


def held(folder: Path) -> None:
    """Keep a table in the registry that goes away."""
    (folder / "held").mkdir(parents=True)
    (folder / "registry").mkdir()
    store = SchemaStore(folder / "held", registry=str(folder / "registry"), layout="registry", actor="flink")
    store.create_table("attacks.held", COLUMNS)
    store.table("attacks.held").register("cust_id BIGINT", consumer="daily_report")


def two_files(folder: Path) -> dict[str, str]:
    """Write two table files of one table, between which a column is renamed."""
    text = "table: attacks.files\ncolumns:\n  - {name: order_id, type: BIGINT}\n  - {name: %s}\n"
    files = {"old": folder / "old.yaml", "new": folder / "new.yaml"}
    files["old"].write_text(text % "cust_id, type: BIGINT")
    files["new"].write_text(text % "customer_id, type: BIGINT, was: cust_id")
    return {name: str(path) for name, path in files.items()}

"""Tables that are only described, with data files beside a warehouse, and the verdict about them."""

from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
from pyarrow import orc, parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.store import SchemaStore, judge

NAME = "shop.orders"
COLUMNS = "order_id BIGINT, cust_id BIGINT, at TIMESTAMP(6) WITH LOCAL TIME ZONE"
NEED = {NAME: "order_id BIGINT, cust_id BIGINT"}
MOMENT = pa.array([0], pa.timestamp("us", "UTC"))


def lake(folder: Path) -> Path:
    """Make the folder of a warehouse, and return it."""
    (folder / "lake").mkdir(exist_ok=True)
    return folder / "lake"


def written(path: Path, kind: str = "parquet", **columns: Any) -> None:
    """Write a data file with one row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({name: value if isinstance(value, pa.Array) else [value] for name, value in columns.items()})
    {"parquet": parquet.write_table, "orc": orc.write_table}[kind](table, path)


def adopted(folder: Path, kind: str = "parquet", columns: str = COLUMNS, **options: Any) -> SchemaStore:
    """Return a store with a table that describes the data beside it."""
    store = SchemaStore(folder / "lake", **options)
    store.adopt(NAME, str(folder / "data"), columns, format=kind)
    return store


def the(store: SchemaStore, needs: Any = NEED, **about: Any) -> Any:
    """Return the answer about the first table that is needed."""
    return judge(store, needs, **about).tables[0]


def rules(answer: Any) -> list[tuple[str, str, str]]:
    """Return rule, path and verdict of each finding."""
    return [(finding.rule, finding.path, finding.verdict.value) for finding in answer.report.findings]


def stamped(path: Path, ids: dict[str, int], **columns: Any) -> None:
    """Write a data file whose columns have ids."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fields = [pa.field(name, values.type, metadata={"PARQUET:field_id": str(ids[name])}) for name, values in columns.items()]
    parquet.write_table(pa.table(list(columns.values()), schema=pa.schema(fields)), path)

"""What a change of an Iceberg table costs, beside pyiceberg's own `update_schema`: `python -m tests.benchmarks.iceberg_commits`.

Both add a column to the same tables: through SQLite and files, and through a REST catalog on this machine, which counts the requests. Ours
also judges the change, against contracts and every earlier schema, and compares what pyiceberg stages with what was judged.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.store import IcebergMount, SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.servers.iceberg_rest import iceberg_rest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, sql_catalog

ROUNDS = 15
COLUMNS = (5, 100, 500)


class Cost(NamedTuple):
    """The median wall time of a change, in milliseconds, and its requests, where they are counted."""

    millis: float
    requests: float


def measured(change: Callable[[str], object], asked: list[Any], rounds: int = ROUNDS) -> Cost:
    """Return what a change costs that adds a column of a name; the first one warms up."""
    change("warm")
    asked.clear()
    times = []
    for number in range(rounds):
        begun = time.perf_counter()
        change(f"c_{number}")
        times.append((time.perf_counter() - begun) * 1000)
    return Cost(statistics.median(times), len(asked) / rounds)


def with_pyiceberg(catalog: Any, name: str) -> Callable[[str], object]:
    """Return what adds a column by pyiceberg alone."""
    from pyiceberg.types import LongType

    def change(column: str) -> None:
        with catalog.load_table((NAMESPACE, name)).update_schema() as update:
            update.add_column(f"theirs_{column}", LongType())

    return change


def with_ours(table: Table) -> Callable[[str], object]:
    """Return what adds a column through a store."""
    return lambda column: table.evolve([f"ADD COLUMN ours_{column} BIGINT"])


def _created(catalog: Any, name: str, columns: int) -> None:
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField

    catalog.create_table((NAMESPACE, name), Schema(*(NestedField(number + 1, f"f{number}", LongType()) for number in range(columns))))


def compared(catalog: Any, columns: int, registry: Path, asked: list[Any], rounds: int = ROUNDS) -> tuple[Cost, Cost]:
    """Return what pyiceberg and we need for a change of a table with so many columns, on a table for each."""
    for name in ("theirs", "ours"):
        _created(catalog, f"{name}_{columns}", columns)
    store = SchemaStore(registry, mounts={"shop": IcebergMount(catalog, NAMESPACE, evolve=True)})
    theirs = measured(with_pyiceberg(catalog, f"theirs_{columns}"), asked, rounds)
    return theirs, measured(with_ours(store.table(f"shop.ours_{columns}")), asked, rounds)


def main() -> None:
    """Measure, and print a table."""
    print("| catalog | columns | pyiceberg | requests | through the store | requests | ratio |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "registry").mkdir()
        with iceberg_rest(here / "rest") as server:
            client = server.client()
            client.create_namespace((NAMESPACE,))
            for kind, catalog, asked in (("SQL", sql_catalog(here / "sql"), []), ("REST", client, server.asked)):
                for columns in COLUMNS:
                    print(_row(kind, columns, *compared(catalog, columns, here / "registry", asked)))


def _row(kind: str, columns: int, theirs: Cost, ours: Cost) -> str:
    ratio = ours.millis / theirs.millis
    requests = [f"{cost.requests:g}" if kind == "REST" else "" for cost in (theirs, ours)]
    return f"| {kind} | {columns} | {theirs.millis:.1f} ms | {requests[0]} | {ours.millis:.1f} ms | {requests[1]} | {ratio:.2f} |"


if __name__ == "__main__":
    main()

"""What gates over mounted Iceberg tables cost: `python -m tests.benchmarks.iceberg_mounts`.

Beside ours stands pyiceberg's `load_table` of the same tables, which only finds them and reads their metadata. The tables lie on a local
disk, in a SQL catalog, and behind the REST catalog of the tests; a gate is cold where its store has just been opened, and warm where it
has looked before. Opening a catalog is not counted.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import IcebergMount, SchemaStore, judge
from tests.servers.iceberg_rest import iceberg_rest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, append, create

ROUNDS = 7
NEED = "order_id BIGINT NOT NULL, cust STRING, amount DECIMAL(10, 2)"


def least(call: Callable[[], Any]) -> float:
    """The least milliseconds of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def measured(catalog: Any, folder: Path, tables: int) -> tuple[float, float, float]:
    """A gate that looks for the first time, one that has looked before, and pyiceberg."""
    needs = {f"{NAMESPACE}.t{number}": NEED for number in range(tables)}

    def opened() -> SchemaStore:
        return SchemaStore(folder, actor="bench", mounts={NAMESPACE: IcebergMount(catalog, NAMESPACE)})

    def gate(store: SchemaStore) -> None:
        assert judge(store, needs).fits

    warm = opened()
    gate(warm)
    peer = least(lambda: [catalog.load_table(name) for name in needs])
    return least(lambda: gate(opened())), least(lambda: gate(warm)), peer


def main() -> None:
    """Measure, and print a line for each case."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lake").mkdir()
        with iceberg_rest(folder) as rest:
            rest.behind.create_namespace(NAMESPACE)
            table = create(rest.behind, "t0")
            for _ in range(50):
                append(table)
            location = rest.behind.load_table((NAMESPACE, "t0")).metadata_location
            for number in range(1, 64):
                rest.behind.register_table((NAMESPACE, f"t{number}"), location)
            print(f"{'catalog':8} {'tables':>6} {'cold':>8} {'warm':>8} {'pyiceberg':>10}   milliseconds")
            for kind, catalog in (("sql", rest.behind), ("rest", rest.client())):
                for tables in (1, 5, 64):
                    cold, warm, peer = measured(catalog, folder / "lake", tables)
                    print(f"{kind:8} {tables:6} {cold:8.1f} {warm:8.1f} {peer:10.1f}")


if __name__ == "__main__":
    main()

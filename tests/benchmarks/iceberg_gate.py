"""What a gate over mounted Iceberg tables costs: `python -m tests.benchmarks.iceberg_gate`. It is a part of `make bench`.

Requests are exact: those of a first look and of a poke that finds nothing, for each kind of catalog, with the budget of each. Beside the
time of a gate of five tables stands pyiceberg, which loads the same five and compares no columns; a warm gate has seen the tables before.
What importing the provider's operators brings of mounts is counted in modules.
"""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.store import IcebergMount, SchemaStore, judge
from tests.benchmarks.iceberg_metadata import Table, best, metadata
from tests.servers.iceberg_rest import iceberg_rest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create, sql_catalog


class Five(NamedTuple):
    """Five tables of a kind, and what the job needs of each."""

    title: str
    names: tuple[str, ...]
    need: str


SMALL: Final = Five("3 columns", tuple(f"t{number}" for number in range(5)), "order_id BIGINT NOT NULL, cust STRING, amount DECIMAL(10, 2)")
LARGE: Final = Five("100 columns, 10 schemas, 1,000 snapshots", tuple(f"w{number}" for number in range(5)), "c2 DECIMAL(10, 2), c9 STRING")
TABLES: Final = SMALL.names
GOAL_MILLISECONDS: Final = 10
_MODULES: Final = """
import sys
import airflow.sdk
before = set(sys.modules)
import airflow_provider_schemas.operators, airflow_provider_schemas.sensors, airflow_provider_schemas.assets
heavy = ("pyiceberg", "pyarrow", "boto3", "airflow_provider_schemas.store", "airflow_provider_schemas.formats")
print(sum(name.startswith(heavy) for name in set(sys.modules) - before))
"""


class Asked(NamedTuple):
    """Requests to the catalog and reads of files, of a first look and of a poke that finds nothing."""

    first: tuple[int, int]
    poke: tuple[int, int]


# A REST catalog that is opened by the mount is asked for its configuration as well, once a process.
BUDGETS: Final = {
    "REST": Asked((2, 0), (1, 0)),
    "SQL": Asked((1, 1), (1, 0)),
    "Glue": Asked((1, 1), (1, 0)),
    "folder": Asked((1, 1), (1, 0)),
}


def asked(mount: IcebergMount) -> Asked:
    """Look twice, and count."""
    known = mount.look(TABLES[0])
    first = mount.count.snapshot()[:2]
    if mount.look(TABLES[0], known) is not known:
        raise AssertionError("nothing has changed")
    lists, gets = mount.count.snapshot()[:2]
    return Asked(first, (lists - first[0], gets - first[1]))


@contextlib.contextmanager
def mounts(folder: Path) -> Iterator[dict[str, IcebergMount]]:
    """Five tables behind each kind of catalog."""
    catalog = sql_catalog(folder)
    for table in TABLES:
        create(catalog, table)
    with iceberg_rest(folder / "rest") as rest, _glue() as glue:
        rest.behind.create_namespace(NAMESPACE)
        for writer in (rest.behind, glue()):
            for table in TABLES:
                create(writer, table)
        yield {
            "REST": IcebergMount(rest.client, NAMESPACE, name="rest"),
            "SQL": IcebergMount(catalog, NAMESPACE),
            "Glue": IcebergMount(glue, NAMESPACE, name="glue"),
            "folder": IcebergMount((folder / "warehouse" / NAMESPACE).as_uri()),
        }


@contextlib.contextmanager
def _glue() -> Iterator[Callable[[], Any]]:
    """Opens a catalog of Glue in moto."""
    from pyiceberg.catalog.glue import GlueCatalog

    from tests.servers.process import HOST
    from tests.servers.s3 import REGION, s3

    with s3() as server:
        bucket = server.bucket()
        endpoint = f"http://{HOST}:{bucket.port}"
        keys = {"client.region": REGION, "client.access-key-id": "testing", "client.secret-access-key": "testing"}
        properties = {**keys, "glue.endpoint": endpoint, "s3.endpoint": endpoint, "warehouse": bucket.url("warehouse")}
        GlueCatalog("glue", **properties).create_namespace(NAMESPACE)
        yield lambda: GlueCatalog("glue", **properties)


def modules_of_a_dag_file() -> int:
    """Return how many modules of stores, formats and peers a DAG file imports with our operators and sensors."""
    done = subprocess.run([sys.executable, "-c", _MODULES], capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1])


def register_large(catalog: Any, folder: Path) -> None:
    """Add tables with a past, by metadata files as a writer leaves them."""
    for name in LARGE.names:
        file = folder / "warehouse" / NAMESPACE / name / "metadata" / "00000-9c12d441-03fe-4693-9a96-a0705ddf69c1.metadata.json"
        file.parent.mkdir(parents=True)
        file.write_bytes(metadata(Table(100, 10, 1_000)))
        catalog.register_table((NAMESPACE, name), file.as_uri())


def gate(mount: IcebergMount, five: Five, folder: Path) -> Callable[[], None]:
    """Return a judgement of five tables."""
    store = SchemaStore(folder, actor="bench", mounts={NAMESPACE: mount})
    needs = {f"{NAMESPACE}.{table}": five.need for table in five.names}

    def call() -> None:
        if not judge(store, needs, consumer="bench").fits:
            raise AssertionError("the tables fit")

    return call


def times(five: Five, folder: Path) -> str:
    """Return the line of five tables in a SQL catalog on this disk."""
    catalog = sql_catalog(folder)
    theirs = best(lambda: [catalog.load_table((NAMESPACE, table)).schema() for table in five.names], 15)
    cold = min(best(gate(IcebergMount(catalog, NAMESPACE), five, folder / "lake"), 1) for _ in range(15))
    known = gate(IcebergMount(catalog, NAMESPACE), five, folder / "lake")
    known()
    warm = best(known, 25)
    line = f"gate of five tables of {five.title}: warm {warm:.1f} ms ({warm / GOAL_MILLISECONDS:.2f} times the goal), first {cold:.1f} ms"
    return f"{line}; pyiceberg loads them in {theirs:.1f} ms: {theirs / warm:.1f} and {theirs / cold:.1f} times"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lake").mkdir()
        with mounts(folder) as kinds:
            for kind, mount in kinds.items():
                found = asked(mount)
                verdict = "kept" if found <= BUDGETS[kind] else "MISSED"
                print(f"{kind}: first look {_counted(found.first)}, poke {_counted(found.poke)}; budget {verdict}")
        register_large(sql_catalog(folder), folder)
        for five in (SMALL, LARGE):
            print(times(five, folder))
    print(f"modules of stores, formats and peers that a DAG file imports: {modules_of_a_dag_file()}")


def _counted(requests: tuple[int, int]) -> str:
    return f"{requests[0]} + {requests[1]} reads of files"


if __name__ == "__main__":
    main()

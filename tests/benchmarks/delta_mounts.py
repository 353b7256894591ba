"""What a look at a Delta table on S3 costs: `python -m tests.benchmarks.delta_mounts`.

Beside ours stands deltalake, which opens the same table. The table lies in the S3 server of the tests, behind a
proxy that counts requests: 11 commits, a checkpoint, and as many commits after it as the line says. A first look knows nothing, a poll
finds nothing new; opening the storage is not counted. Requests are exact; milliseconds are those of a server on this machine, the least
of some rounds.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deltalake import DeltaTable, write_deltalake

from airflow_provider_schemas.store import DeltaMount
from tests.servers.bucket import Bucket
from tests.servers.faulty import Proxy, faulty
from tests.servers.s3 import s3
from tests.support import delta_tables

ROUNDS = 5
COMMITS = (0, 19, 79)
"""The commits after the checkpoint."""


def made(folder: Path, commits: int) -> None:
    """Write a table with deltalake, on this disk."""
    import pyarrow as pa

    rows = pa.table({"order_id": pa.array([1], pa.int64()), "cust": ["a"]})
    for number in range(11 + commits):
        write_deltalake(str(folder / "orders"), rows, mode="append")
        if number == 10:
            DeltaTable(str(folder / "orders")).create_checkpoint()


def sent(folder: Path, bucket: Bucket, prefix: str) -> None:
    """Put the log where deltalake and ours look for it."""
    files = bucket.filesystem()
    for file in sorted((folder / "orders" / "_delta_log").iterdir()):
        files.pipe_file(f"{bucket.name}/{prefix}/orders/_delta_log/{file.name}", file.read_bytes())


def measured(call: Callable[[], Any], proxy: Proxy) -> tuple[int, float]:
    """The requests of a call, and the least of its milliseconds."""
    times = []
    asked = 0
    for _ in range(ROUNDS):
        before = len(proxy.seen)
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
        asked = len(proxy.seen) - before
    return asked, min(times) * 1000


def main() -> None:
    """Measure, and print a line for each case."""
    with s3() as server:
        direct = server.bucket()
        with faulty(direct.port) as proxy:
            bucket = direct.through(proxy.port)
            print(f"{'commits':>7} {'first look':>16} {'poll':>12} {'deltalake':>16}   requests, milliseconds")
            for commits in COMMITS:
                line(direct, bucket, proxy, commits)


def line(direct: Bucket, bucket: Bucket, proxy: Proxy, commits: int) -> None:
    """Print what a look costs after so many commits."""
    prefix = f"c{commits}"
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder), commits)
        sent(Path(folder), direct, prefix)
    opened = bucket.filesystem()
    known = DeltaMount(bucket.url(prefix), fs=opened)
    look = known.look("orders")
    options = delta_tables.on_s3(bucket.port)
    first = measured(lambda: DeltaMount(bucket.url(prefix), fs=opened).look("orders"), proxy)
    poll = measured(lambda: known.look("orders", look), proxy)
    theirs = measured(lambda: DeltaTable(bucket.url(f"{prefix}/orders"), storage_options=options), proxy)
    print(f"{commits:7}" + "".join(f" {asked:6} {taken:6.0f} ms" for asked, taken in (first, poll, theirs)))


if __name__ == "__main__":
    main()

"""The memory that a store of many tables takes: for the names of all, and for the versions that it keeps."""

import gc
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from airflow_provider_schemas.store import SchemaStore
from tests.benchmarks.store import many, scenes
from tests.benchmarks.store.subject import opened


def kept(tables: int) -> dict[str, tuple[int, int]]:
    """For each, the bytes that are held afterwards, and the most that were held on the way."""
    with tempfile.TemporaryDirectory(prefix="bench-store-") as folder:
        scenes.many(Path(folder), tables)
        jobs: dict[str, Callable[[SchemaStore], object]] = {"databases and tables": many.names, "the newest version of each": many.newest}
        return {job: _bytes(opened(Path(folder)), ask) for job, ask in jobs.items()}


def _bytes(store: SchemaStore, ask: Callable[[SchemaStore], object]) -> tuple[int, int]:
    gc.collect()
    tracemalloc.start()
    answer = ask(store)
    gc.collect()
    counts = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del answer
    return counts

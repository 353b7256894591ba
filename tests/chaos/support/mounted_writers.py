"""Writers of one mounted Iceberg table, each in a process of its own: ours through a store, and pyiceberg's without one."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import IcebergMount, SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create, sql_catalog

_FORK = multiprocessing.get_context("fork")
_TRIES = 50


class Acknowledged(NamedTuple):
    """A change that a writer was told of, and when it asked and was answered."""

    column: str
    number: int
    asked: int
    answered: int


def prepared(folder: Path) -> None:
    """Make the table, and a registry beside it."""
    catalog = sql_catalog(folder)
    create(catalog)
    catalog.close()
    (folder / "registry").mkdir()


def open_table(folder: Path, catalog: Any = None) -> Table:
    """Return the table through a store that knows nothing yet."""
    source = partial(sql_catalog, folder) if catalog is None else catalog
    store = SchemaStore(folder / "registry", mounts={"shop": IcebergMount(source, NAMESPACE, evolve=True)}, actor="ana")
    return store.table("shop.orders")


def add_through_store(folder: Path, column: str) -> int:
    """Add a column through a store; what is unclear is tried again with the same key, as Airflow tries a task again."""
    for _ in range(_TRIES):
        try:
            return open_table(folder).evolve([f"ADD COLUMN {column} INT"], key=column).number
        except StorageError:
            time.sleep(0.05)
    raise AssertionError(f"{column} was never added")


def add_by_pyiceberg(folder: Path, column: str) -> int:
    """Add a column by pyiceberg alone; again where somebody else was first."""
    from pyiceberg.exceptions import CommitFailedException
    from pyiceberg.types import IntegerType
    from sqlalchemy.exc import OperationalError

    catalog = sql_catalog(folder)
    for _ in range(_TRIES):
        table = catalog.load_table((NAMESPACE, "orders"))
        if column in table.schema().column_names:
            return int(table.metadata.current_schema_id)
        try:
            with table.update_schema() as update:
                update.add_column(column, IntegerType())
        except (CommitFailedException, OperationalError):
            time.sleep(0.02)
            continue
        return int(table.metadata.current_schema_id)
    raise AssertionError(f"{column} was never added")


def raced(folder: Path, ours: int, theirs: int, changes: int) -> list[Acknowledged]:
    """Return what writers were told that each add so many columns at the same time."""
    answers: multiprocessing.Queue[Acknowledged] = _FORK.Queue()
    gate = _FORK.Barrier(ours + theirs)
    writers = [(f"o{number}", add_through_store) for number in range(ours)]
    writers += [(f"p{number}", add_by_pyiceberg) for number in range(theirs)]
    processes = [_FORK.Process(target=_write, args=(partial(add, folder), name, changes, gate, answers)) for name, add in writers]
    for process in processes:
        process.start()
    told = [answers.get(timeout=300) for _ in range(len(processes) * changes)]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)
    return told


def _write(add: Callable[[str], int], name: str, changes: int, gate: Any, answers: Any) -> None:
    gate.wait(timeout=60)
    for number in range(changes):
        column = f"{name}_{number}"
        asked = time.monotonic_ns()
        made = add(column)
        answers.put(Acknowledged(column, made, asked, time.monotonic_ns()))


def killed_at(folder: Path, step: str) -> int | None:
    """Return how a writer ended that was killed at a step of its commit."""
    process = _FORK.Process(target=_die_at, args=(folder, step))
    process.start()
    process.join(timeout=120)
    return process.exitcode


def _die_at(folder: Path, step: str) -> None:
    if step in ("arriving", "made"):
        _die_in_catalog(folder, step)
    commit_steps.listen(lambda reached: _die() if reached == step else None)
    open_table(folder).evolve(["ADD COLUMN a INT"], key="k")


def _die_in_catalog(folder: Path, step: str) -> None:
    from tests.store.mounts.iceberg.evolution.support.changed_lake import FaultyCatalog

    faulty = FaultyCatalog(sql_catalog(folder))
    (faulty.before if step == "arriving" else faulty.after).append(_die)
    open_table(folder, faulty).evolve(["ADD COLUMN a INT"], key="k")


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def columns_in_order(folder: Path) -> list[list[str]]:
    """Return the columns of each schema that was current, oldest first, out of the metadata log."""
    table = open_table(folder)
    return [list(entry.version.schema.names) for entry in reversed(table.history())]


def all_ids(folder: Path) -> Sequence[int]:
    """Return the ids of the columns of all schemas, each with its name: one id of two names stands twice."""
    table = sql_catalog(folder).load_table((NAMESPACE, "orders"))
    named = {(field.field_id, field.name) for schema in table.metadata.schemas for field in schema.fields}
    return sorted(number for number, _ in named)

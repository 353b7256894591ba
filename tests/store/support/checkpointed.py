"""A table that has checkpoints, each version written by a store that knows nothing yet."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.store.table import Table

FIRST = "id BIGINT NOT NULL, a INT, b STRING, r ROW<x INT, y STRING>"


def store(folder: Path, **more: Any) -> SchemaStore:
    """A store that knows nothing yet."""
    return SchemaStore(folder, **{"layout": "paimon", **more})


def table(folder: Path, **more: Any) -> Table:
    return store(folder, **more).table("shop.orders")


def again(found: Table, number: int) -> Committed:
    """The change that made a version, asked for with its key."""
    return found.evolve(f"ALTER COLUMN a COMMENT 'v{number}'", key=f"key {number}")


def grown(folder: Path, versions: int) -> Path:
    """A table with so many versions, each written by a process of its own."""
    store(folder).create_table("shop.orders", FIRST)
    for number in range(1, versions):
        again(table(folder), number)
    return folder


def kept(folder: Path, branch: str = "main") -> list[Path]:
    """The checkpoints that lie there."""
    return sorted((folder / f"_schemas/checkpoints/shop/orders/{branch}").glob("*"))


def named(folder: Path, number: int | None = None) -> str | None:
    """The checkpoint that a version names, the newest one if no number is given."""
    past = (table(folder).latest() if number is None else table(folder).version(number)).provenance
    assert past is not None
    return past.checkpoint


def name_of(path: Path) -> str:
    """The name by which versions know what lies in a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def used(folder: Path) -> Path:
    """The file of the one that the newest version names."""
    return next(path for path in kept(folder) if name_of(path) == named(folder))


def version_file(folder: Path, number: int) -> Path:
    return folder / f"shop.db/orders/schema/schema-{number}"


def reads(folder: Path, call: Callable[[Table], Any], **more: Any) -> int:
    """How many files of the table a call reads that knows nothing yet."""
    asked = table(folder, **more)
    before = asked.place.files.count.gets
    call(asked)
    return asked.place.files.count.gets - before


def without_moment(value: Any) -> Any:
    """A plan or a version without what is another at each moment."""
    if isinstance(value, dict):
        moments = ("timeMillis", "commit", "checkpoint", "digest", "seal", "result_digest")
        return {key: without_moment(one) for key, one in value.items() if key not in moments}
    return [without_moment(one) for one in value] if isinstance(value, list) else value

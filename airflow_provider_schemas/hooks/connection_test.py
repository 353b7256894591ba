"""The proof of a connection: the storage lists, reads, and lets one of two writers win. What is written for it is taken away again.

Each mounted database is listed as well. All of those that do not answer are named, and none hides another.

A file of its own is created twice, because only that shows the right to write: a disk refuses a link onto a file that is
there before it asks who wants it.
"""

import uuid
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from airflow_provider_schemas.errors import NotThereError, SchemaError, SchemaFileError, StorageError
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage import exclusive_create
from airflow_provider_schemas.store.storage.errors import library_message
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.local import LocalFiles

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

# A warehouse of thousands of tables is not gone through to find one that can be read.
_MAX_TABLES: Final = 5
_NO_VERSION: Final = "There is no version to read yet."
_SQL_CATALOG: Final = "A SQL catalog keeps its tables by its name, which is the id of the connection."
_CONTENT: Final = b"written by a test of the connection; it can be deleted\n"


def run_test(open_store: "Callable[[], SchemaStore]") -> tuple[bool, str]:
    """Return whether the store works, and sentences about it. Never raises."""
    try:
        store = open_store()
        sentences = [_test_listing(store), _test_reading(store), *_test_writing(store)]
        mounts = [_test_mount(store, database) for database in store.mounts]
        return all(mount.works for mount in mounts), " ".join([*sentences, *(mount.sentence for mount in mounts)])
    except SchemaError as error:
        return False, str(error)
    except Exception as error:  # noqa: BLE001  # the form shows what is returned, and nothing of what is raised
        return False, f"{library_message(error)}. Look up what that means, mend it, and try again."


def _test_listing(store: "SchemaStore") -> str:
    if _is_new(store):
        return f"{store.url} is not there yet: the first table makes it."
    databases = _own_databases(store)
    if store.expects_registry:
        store.check_registry()
    return f"{store.url} was listed: {_count(len(databases), 'database')}."


class _MountTest(NamedTuple):
    """Whether the tables of a mounted database were listed, and a sentence about it."""

    works: bool
    sentence: str


def _test_mount(store: "SchemaStore", database: str) -> _MountTest:
    mount = store.mounts[database]
    try:
        tables = store.tables(database)
        unaddressable = store.unaddressable(database)
    except NotThereError as error:
        return _MountTest(False, f"The mount {database} cannot be listed: {error} {_SQL_CATALOG}")
    except SchemaError as error:
        return _MountTest(False, f"The mount {database} cannot be listed: {error}")
    sentence = f"The mount {database} ({mount.kind}, {mount.url}) was listed: {_count(len(tables), 'table')}"
    if unaddressable:
        sentence += f", and {_count(len(unaddressable), 'table')} with names that cannot be asked for"
    if not tables:
        return _MountTest(True, f"{sentence}. Check the namespace. {_SQL_CATALOG}")
    return _MountTest(True, f"{sentence}.")


def _is_new(store: "SchemaStore") -> bool:
    """Return whether the folder of the warehouse is still to be made; raise where the first table may not make it."""
    if not isinstance(store.warehouse, LocalFiles):
        return False
    root = Path(store.warehouse.root)
    if root.is_dir():
        return False
    if root.exists():
        raise StorageError(f"{store.url} is a file.", code="storage.no-folder", fix="Name a folder.")
    if store.expects_registry or root.is_symlink():
        store.warehouse.check_root()
    return True


def _test_reading(store: "SchemaStore") -> str:
    """Read one version, if there is one; a fault of that version is not one of the connection."""
    if _is_new(store):
        return _NO_VERSION
    for name in islice(_table_names(store), _MAX_TABLES):
        try:
            return f"Version {store.table(name).latest().number} of {name} was read."
        except SchemaFileError:
            return f"A version of {name} was read, which is no schema file."
        except NotThereError:
            continue
    return _NO_VERSION


def _own_databases(store: "SchemaStore") -> list[str]:
    """Return the databases that are not mounted."""
    return [database for database in store.databases() if database not in store.mounts]


def _table_names(store: "SchemaStore") -> Iterator[str]:
    for database in _own_databases(store):
        yield from (f"{database}.{table}" for table in store.tables(database))


def _test_writing(store: "SchemaStore") -> Iterator[str]:
    """Write a file to each folder that tables are written to, and say what two writers at once are promised."""
    if store.read_only:
        yield "The connection is read only: nothing was written."
        return
    writes_tables = not store.guarantee().startswith("read only")
    if not writes_tables:
        yield f"Tables are {store.guarantee()}."
    roots = [store.registry]
    if writes_tables and store.layout is not Layout.REGISTRY:
        roots.insert(0, store.warehouse)
    for files in roots:
        yield _write_probe(_nearest_folder(files), files.url, alone=store.single_writer)


def _write_probe(files: Files, url: str, *, alone: bool) -> str:
    path = f".airflow-schemas-{uuid.uuid4().hex}.probe"
    try:
        promise = exclusive_create.create(files, path, _CONTENT, alone=alone)
    except SchemaError:
        _delete(files, path)
        raise
    left = _delete(files, path)
    return f"{url} can be written: {promise}.{left}"


def _delete(files: Files, path: str) -> str:
    """Delete a file, and return a sentence if that is not allowed."""
    try:
        files.delete(path)
    except SchemaError:
        return f" The file {path}, which was written for this test, could not be deleted."
    return ""


def _nearest_folder(files: Files) -> Files:
    """Return the files; on a disk, those of the nearest folder that is there, so that none has to be made."""
    if not isinstance(files, LocalFiles):
        return files
    folder = Path(files.root)
    return LocalFiles(next(parent for parent in (folder, *folder.parents) if parent.is_dir()))


def _count(number: int, noun: str) -> str:
    plural = "" if number == 1 else "s"
    return f"{number:,} {noun}{plural}"

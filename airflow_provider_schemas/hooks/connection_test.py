"""The proof of a connection: the storage lists, reads, and lets one of two writers win. What is written for it is taken away again.

A file of its own is created twice, because only that shows the right to write: a disk refuses a link onto a file that is
there before it asks who wants it.
"""

import uuid
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.errors import NotThereError, SchemaError, SchemaFileError, StorageError
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage import exclusive_create
from airflow_provider_schemas.store.storage.errors import said
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.local import LocalFiles

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

# A warehouse of thousands of tables is not gone through to find one that can be read.
_TABLES: Final = 5
_NO_VERSION: Final = "There is no version to read yet."
_CONTENT: Final = b"written by a test of the connection; it can be deleted\n"


def tried(open_store: "Callable[[], SchemaStore]") -> tuple[bool, str]:
    """Whether it works, and sentences about it. Never raises."""
    try:
        store = open_store()
        return True, " ".join([_listed(store), _read(store), *_written(store)])
    except SchemaError as error:
        return False, str(error)
    except Exception as error:  # noqa: BLE001  # the form shows what is returned, and nothing of what is raised
        return False, f"{said(error)}. Look up what that means, mend it, and try again."


def _listed(store: "SchemaStore") -> str:
    if _is_new(store):
        return f"{store.url} is not there yet: the first table makes it."
    databases = store.databases()
    if store.expects_registry:
        store.check_registry()
    return f"{store.url} was listed: {_count(len(databases), 'database')}."


def _is_new(store: "SchemaStore") -> bool:
    """Whether the folder of the warehouse is still to be made. An error where a table may not make it."""
    if not isinstance(store.warehouse, LocalFiles) or (root := Path(store.warehouse.root)).is_dir():
        return False
    if root.exists():
        raise StorageError(f"{store.url} is a file.", code="storage.no-folder", fix="Name a folder.")
    if store.expects_registry or root.is_symlink():
        store.warehouse.check_root()
    return True


def _read(store: "SchemaStore") -> str:
    """One version is read, if there is one; what is wrong with it does not concern the connection."""
    if _is_new(store):
        return _NO_VERSION
    for name in islice(_tables(store), _TABLES):
        try:
            return f"Version {store.table(name).latest().number} of {name} was read."
        except SchemaFileError:
            return f"A version of {name} was read, which is no schema file."
        except NotThereError:
            continue
    return _NO_VERSION


def _tables(store: "SchemaStore") -> Iterator[str]:
    return (f"{database}.{table}" for database in store.databases() for table in store.tables(database))


def _written(store: "SchemaStore") -> Iterator[str]:
    """What may be written, and what is promised to those who come at once."""
    if store.read_only:
        yield "The connection is read only: nothing was written."
        return
    own = not store.guarantee().startswith("read only")
    if not own:
        yield f"Tables are {store.guarantee()}."
    roots = [store.warehouse] if own and store.layout is not Layout.REGISTRY else []
    for files in [*roots, store.registry]:
        yield _proven(_nearest(files), files.url, alone=store.single_writer)


def _proven(files: Files, url: str, *, alone: bool) -> str:
    path = f".airflow-schemas-{uuid.uuid4().hex}.probe"
    try:
        promise = exclusive_create.create(files, path, _CONTENT, alone=alone)
    except SchemaError:
        _deleted(files, path)
        raise
    left = _deleted(files, path)
    return f"{url} can be written: {promise}.{left}"


def _deleted(files: Files, path: str) -> str:
    """Take the file away; a sentence if that is not allowed."""
    try:
        files.delete(path)
    except SchemaError:
        return f" The file {path}, which was written for this test, could not be deleted."
    return ""


def _nearest(files: Files) -> Files:
    """The files; on a disk, those of the nearest folder that is there, so that none has to be made."""
    if not isinstance(files, LocalFiles):
        return files
    folder = Path(files.root)
    return LocalFiles(next(one for one in (folder, *folder.parents) if one.is_dir()))


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

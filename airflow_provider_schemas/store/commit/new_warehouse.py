"""The first table of a warehouse makes the folders that are missing, and notes it. Any other table needs them to be there."""

from collections.abc import Iterator
from contextlib import contextmanager

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import table_location
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import registry_id
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.files_snapshot import live
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.rehearsal_files import RehearsalFiles, beneath


@contextmanager
def begun(roots: Roots, *, registered: bool = False) -> Iterator[tuple[str, ...]]:
    """Let the first write make roots that are missing, and yield the notes about it.

    StorageError where they were there before, or have to be there. Registered is for a table whose schemas lie in the registry.
    """
    missing = _missing_roots(roots, registered=registered)
    try:
        _let_make(missing, allowed=True)
        yield (f"new warehouse at {roots.warehouse.url}",) if missing else ()
        # The first table may lie in a registry of its own: the next look for tables has to find the folder of the warehouse.
        warehouse = live(roots.warehouse)
        if warehouse in missing and isinstance(warehouse, LocalFiles):
            warehouse.make_root()
    finally:
        _let_make(missing, allowed=False)


def _let_make(missing: list[Files], *, allowed: bool) -> None:
    """Allow the first write to make roots, or forbid it again."""
    for files in missing:
        if isinstance(files, LocalFiles):
            files.may_be_new = allowed
        elif isinstance(files, RehearsalFiles) and allowed:
            files.make_root()


def _missing_roots(roots: Roots, *, registered: bool) -> list[Files]:
    """Return the roots that are missing and may be made."""
    missing = [files for files in (live(roots.warehouse), live(roots.registry)) if _is_missing(files)]
    if not missing:
        if not registered:
            check_begun(roots)
        return []
    blocked = any(isinstance(files, LocalFiles) and files.is_taken() for files in map(beneath, missing))
    if blocked or roots.registry_id or roots.known.met_registry or not _is_new(roots, missing):
        for files in missing:
            files.check_root()
    return missing


def check_begun(roots: Roots) -> None:
    """Raise StorageError if nothing at all is there, and the connection says that there is: an empty mount point is no warehouse.

    A registry in the warehouse shows that by itself.
    """
    if not (roots.registry_id and roots.registry_named) or roots.warehouse.list("") or table_location.holds_tables(roots.registry):
        return
    url = roots.warehouse.url
    message = f"nothing is in {url}, and the connection names the registry {roots.registry_id}, which belongs to tables."
    fix = "Mount the disk, or correct the address. For a new warehouse, leave registry_id out until it has its first table."
    raise StorageError(message, code="storage.no-root", path=url, fix=fix)


def check_not_empty(roots: Roots, registry: str) -> None:
    """Raise StorageError if a registry that was named holds nothing, and nothing else does: an empty mount point looks like a new one.

    Asked where a table is missing, with the id of the registry; a caller that makes the first table gets a note that it is new.
    """
    if not _is_named(roots) or registry or roots.registry_id or roots.open_location is None or roots.registry.list(""):
        return
    if table_location.keeps_schemas(roots.warehouse) or (not roots.registry_named and roots.warehouse.list("")):
        return
    url = roots.registry.url
    message = f"the registry {url} is empty, and there is no table beside it: it is new, or its disk is not mounted."
    fix = (
        "Mount the disk, or correct the address. If it is new, create its first table, and write the registry_id that is printed then "
        "into the connection: from then on an empty folder is not taken for a registry."
    )
    raise StorageError(message, code="storage.no-root", path=url, fix=fix)


def begun_registry(roots: Roots, made: str) -> tuple[str, ...]:
    """Return a note about a registry that was named, and that got its id just now."""
    if not made or roots.registry_id or not _is_named(roots):
        return ()
    url = roots.registry.url
    return (f"new registry at {url}: if there was one, its disk is not mounted. Name it in the connection: registry_id={made}",)


def _is_named(roots: Roots) -> bool:
    """Return whether the caller said that there is a registry of its own."""
    return roots.registry_named or roots.said is Layout.REGISTRY


def _is_missing(files: Files) -> bool:
    try:
        files.check_root()
    except StorageError:
        return True
    return False


def _is_new(roots: Roots, missing: list[Files]) -> bool:
    """Return whether nothing shows that there ever was a table."""
    if live(roots.registry) not in missing:
        return not registry_id.read(roots.registry)
    return live(roots.warehouse) in missing or not table_location.keeps_schemas(roots.warehouse)

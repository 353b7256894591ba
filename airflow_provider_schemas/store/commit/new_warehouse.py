"""The first table of a warehouse makes the folders that are missing, and says so. Any other table needs them to be there."""

from collections.abc import Iterator
from contextlib import contextmanager

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import table_location
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import registry_id
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.local import LocalFiles


@contextmanager
def begun(roots: Roots, *, registered: bool = False) -> Iterator[tuple[str, ...]]:
    """Let the first write make roots that are missing; what has to be said of it.

    StorageError where they were there before, or have to be there. Registered is for a table whose schemas lie in the registry.
    """
    missing = _begin(roots, registered=registered)
    try:
        _let_make(missing, allowed=True)
        yield (f"new warehouse at {roots.warehouse.url}",) if missing else ()
        _make_warehouse(roots.warehouse, missing)
    finally:
        _let_make(missing, allowed=False)


def _make_warehouse(warehouse: Files, missing: list[Files]) -> None:
    """Make the folder of a warehouse whose first table lies in a registry of its own: whoever looks for tables next has to find it."""
    if warehouse in missing and isinstance(warehouse, LocalFiles):
        warehouse.make_root()


def _let_make(missing: list[Files], *, allowed: bool) -> None:
    for files in missing:
        if isinstance(files, LocalFiles):
            files.may_be_new = allowed


def _begin(roots: Roots, *, registered: bool) -> list[Files]:
    """The roots that are missing, and may be made."""
    missing = [files for files in (roots.warehouse, roots.registry) if _is_missing(files)]
    if not missing:
        if not registered:
            check_begun(roots)
        return []
    blocked = any(isinstance(files, LocalFiles) and files.is_taken() for files in missing)
    if blocked or roots.registry_id or roots.met_registry or not _is_new(roots, missing):
        for files in missing:
            files.check_root()
    return missing


def check_begun(roots: Roots) -> None:
    """StorageError if nothing at all is there, and the connection says that there is: an empty mount point is no warehouse.

    A registry in the warehouse tells by itself.
    """
    if not (roots.registry_id and roots.registry_named) or roots.warehouse.list("") or table_location.holds_tables(roots.registry):
        return
    url = roots.warehouse.url
    message = f"nothing is in {url}, and the connection names the registry {roots.registry_id}, which belongs to tables."
    fix = "Mount the disk, or correct the address. For a new warehouse, leave registry_id out until it has its first table."
    raise StorageError(message, code="storage.no-root", path=url, fix=fix)


def check_not_empty(roots: Roots, there: str) -> None:
    """StorageError if a registry that was named holds nothing, and nothing else does: an empty mount point looks like a new registry.

    There is the id of the registry. Asked by whoever misses a table; who makes the first one is told that the registry is new.
    """
    named = roots.registry_named or roots.said is Layout.REGISTRY
    if not named or there or roots.registry_id or roots.open_location is None or roots.registry.list(""):
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
    """What has to be said of a registry that was named, and that got its id just now."""
    if not made or roots.registry_id or not (roots.registry_named or roots.said is Layout.REGISTRY):
        return ()
    url = roots.registry.url
    return (f"new registry at {url}: if there was one, its disk is not mounted. Name it in the connection: registry_id={made}",)


def _is_missing(files: Files) -> bool:
    try:
        files.check_root()
    except StorageError:
        return True
    return False


def _is_new(roots: Roots, missing: list[Files]) -> bool:
    """Whether nothing shows that there ever was a table."""
    if roots.registry not in missing:
        return not registry_id.read(roots.registry)
    return roots.warehouse in missing or not table_location.keeps_schemas(roots.warehouse)

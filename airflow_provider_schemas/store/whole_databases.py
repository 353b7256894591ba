"""The schema folders of a whole database out of the pages of all that lies in it, while that is cheaper than a listing for each table.

A page has a thousand names. A page with more tables than would be listed at once saves requests and time. The data of a table
are listed with it: where they fill the pages, each table that is left is listed by itself, and one page was asked in vain.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from airflow_provider_schemas.store.layout.paths import joined, schema_folder
from airflow_provider_schemas.store.storage.files import ListingEntry, Page
from airflow_provider_schemas.store.storage.files_snapshot import SnapshotFiles

# Keys of these buckets come in no order.
_UNORDERED = "--x-s3/"


def learn(files: SnapshotFiles, database: str, tables: Iterable[str], branches: Sequence[str]) -> None:
    """Take the schema folders of tables from pages of their database, as long as each page tells of many of them."""
    folders = {table: [schema_folder(joined(database, table), branch) for branch in branches] for table in tables}
    waiting = sorted(folders, key=lambda table: _key(database, table))
    if len(waiting) <= files.at_once or _UNORDERED in f"{files.url}/":
        return
    found: dict[str, dict[str, ListingEntry]] = defaultdict(dict)
    last = b""
    following = ""
    while page := files.page(database, joined(database, waiting[0]), following):
        if not _is_ordered(page, last):
            return
        _sort(page, database, folders, found)
        last = page.files[-1][0].encode() if page.files else last
        passed = [table for table in waiting if not page.following or _key(database, table) + b"\xff" < last]
        for table in passed:
            for folder in folders[table]:
                files.learn(folder, found.pop(folder, {}).values())
        waiting = waiting[len(passed) :]
        following = page.following
        if not waiting or len(passed) < min(len(waiting), files.at_once):
            return


def _key(database: str, table: str) -> bytes:
    """Return what the keys of a table begin with, as the storage sorts them."""
    return f"{joined(database, table)}/".encode()


def _is_ordered(page: Page, last: bytes) -> bool:
    """Return whether the page is sorted, so that what was not met up to its end is not there."""
    keys = [path.encode() for path, _ in page.files]
    return all(key < following for key, following in zip([last, *keys], keys, strict=False))


def _sort(page: Page, database: str, folders: dict[str, list[str]], found: dict[str, dict[str, ListingEntry]]) -> None:
    """Add the entries of schema folders in a page to their folders."""
    start = len(database) + 1
    for path, entry in page.files:
        for folder in folders.get(path[start:].partition("/")[0], ()):
            if path.startswith(f"{folder}/"):
                name, below, _ = path[len(folder) + 1 :].partition("/")
                found[folder][name] = ListingEntry(name, folder=True) if below else entry

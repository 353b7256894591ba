"""A mounted database as the files of a root, so that those who read schema files need not know who keeps a table.

One look at a table answers everything about it. A judgement looks once; the next one hands the look of the last to the source, which
returns it again if nothing changed.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, Self

from airflow_provider_schemas.errors import NotThereError, ReadOnlyError, RefusedNameError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName, checked, table_name
from airflow_provider_schemas.store.layout.paths import BRANCH, SCHEMA_FILE, Layout, database_folder, schema_folder, table_folder
from airflow_provider_schemas.store.mounts.source import TableLook, TableSource
from airflow_provider_schemas.store.storage.errors import check_size
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Count, FileFacts, ListingEntry, Parent, tried
from airflow_provider_schemas.store.storage.files_snapshot import Snapshot

READ_ONLY = "mount.read-only"


class KnownLooks:
    """The newest look at each table, for as long as the store lives."""

    def __init__(self) -> None:
        self._looks: dict[str, TableLook] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type["KnownLooks"], tuple[()]]:
        return KnownLooks, ()  # another process looks for itself

    def renew(self, table: str, ask: Callable[[TableLook | None], TableLook | None]) -> TableLook | None:
        """Ask for a look with the one that is known, and remember the answer."""
        look = ask(self._looks.get(table))
        with self._lock:
            if look is None:
                self._looks.pop(table, None)
            else:
                self._looks[table] = look
        return look


class MountedFiles:
    """The tables of one mounted database, as a root in which nothing can be written."""

    def __init__(self, source: TableSource, database: str, known: KnownLooks | None = None, snapshot: Snapshot | None = None) -> None:
        self.source = source
        self.database = database
        self._known = KnownLooks() if known is None else known
        self._snapshot = snapshot

    def __repr__(self) -> str:
        return f"MountedFiles({self.url!r}, {self.database!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_snapshot": None}

    def within(self, snapshot: Snapshot) -> Self:
        """Return the same database as one judgement sees it: each table is looked at once."""
        return type(self)(self.source, self.database, self._known, snapshot)

    @property
    def url(self) -> str:
        return self.source.url

    @property
    def identity(self) -> str:
        return self.source.identity

    @property
    def protocol(self) -> str:
        return self.source.kind

    @property
    def count(self) -> Count:
        return self.source.count

    @property
    def at_once(self) -> int:
        return self.source.at_once

    def check_root(self) -> None:
        """Check nothing: each look raises where the source cannot be reached."""

    # ------------------------------------------------------------ looking

    def look(self, table: str) -> TableLook | None:
        """Return what is known of a table now; in a judgement, what was known when it was looked at first."""
        if self._snapshot is None or self._snapshot.ended:
            return self._ask(table)
        look: TableLook | None = self._snapshot.answer((id(self.source), f"look {self.database}", table), lambda: self._ask(table))
        return look

    def _ask(self, table: str) -> TableLook | None:
        return self._known.renew(table, lambda known: self.source.look(table, known))

    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables, as the source has them."""
        if self._snapshot is None or self._snapshot.ended:
            return tuple(self.source.tables())
        key = (id(self.source), f"tables {self.database}", "")
        names: tuple[str, ...] = self._snapshot.answer(key, lambda: tuple(self.source.tables()))
        return names

    def addressable(self) -> tuple[str, ...]:
        """Return the names of the tables that can be asked for."""
        return tuple(sorted(name for name in self.tables() if is_addressable(self.database, name)))

    def unaddressable(self) -> tuple[str, ...]:
        """Return the names of the tables that our names cannot hold."""
        return tuple(sorted(name for name in self.tables() if not is_addressable(self.database, name)))

    def numbers(self, table: str, branch: str = MAIN) -> tuple[int, ...]:
        """Return the numbers of the schemas of a table. A branch is read with the schemas of its table."""
        look = self.look(table)
        if look is None or branch not in (MAIN, *look.branches):
            return ()
        return look.numbers

    def list(self, folder: str) -> list[ListingEntry]:
        """Return what lies in the folder, as if the schemas were files."""
        parts = folder.split("/") if folder else []
        if not parts:
            return [ListingEntry(database_folder(self.database, Layout.MOUNTED), folder=True)]
        if parts[0] != database_folder(self.database, Layout.MOUNTED):
            return []
        if len(parts) == 1:
            return [ListingEntry(name, folder=True) for name in self.addressable()]
        return [*self._list_in_table(parts[1], "/".join(parts[2:]))]

    def _list_in_table(self, table: str, inside: str) -> Sequence[ListingEntry]:
        look = self.look(table)
        if look is None:
            return []
        if not inside:
            return [ListingEntry("schema", folder=True)]
        if inside == "branch":
            return [ListingEntry(f"{BRANCH}{name}", folder=True) for name in look.branches]
        if inside in (schema_folder("", name) for name in (MAIN, *look.branches)):
            return [_entry(look, number) for number in look.numbers]
        return []

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        for entry in self.list(folder):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.folder:
                yield from self.walk(path)
            else:
                yield path, entry

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        folder, _, file = path.rpartition("/")
        parts = folder.split("/")
        known = self.list(folder) if len(parts) > 2 else []
        if all(entry.folder or entry.name != file for entry in known):
            raise NotThereError(f"{self.url} has no {path}.", path=path, fix="Look what is there with `log`.")
        look = self.look(parts[1])
        if look is None:
            raise NotThereError(f"{self.url} has no table {parts[1]} any more.", path=path, fix="Look again.")
        data = look.version(int(file.removeprefix(SCHEMA_FILE))).schema.to_json().encode()
        return check_size(data, limit, path, self.url)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        return self.read(path)[start:end]

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        return {path: tried(self, path, limit) for path in dict.fromkeys(paths)}

    def exists(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return not path or any(entry.name == name for entry in self.list(folder))

    # ------------------------------------------------------------ writing

    def _refused(self, path: str) -> NoReturn:
        message = f"{path} was not written: {self.source.kind} keeps the tables of {self.database}, at {self.url}."
        raise ReadOnlyError(message, code=READ_ONLY, path=path, fix="Change the table through an engine that writes it.")

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:  # nothing is written
        self._refused(path)

    def refuses(self, path: str, data: bytes) -> bool:
        self._refused(path)

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:  # nothing is written
        self._refused(path)

    def delete(self, path: str) -> None:
        self._refused(path)

    def delete_folder(self, folder: str) -> bool:
        self._refused(folder)

    def move_folder(self, source: str, target: str) -> None:
        self._refused(source)

    def make_folder(self, folder: str) -> None:
        self._refused(folder)

    def sweep(self, folder: str) -> None:
        """Nothing is written, so nothing is left behind."""


def _entry(look: TableLook, number: int) -> ListingEntry:
    """Return a schema as a listing shows it. Its mark says which table it is of: a number alone may be another schema after a drop."""
    return ListingEntry(f"{SCHEMA_FILE}{number}", folder=False, facts=FileFacts(mark=f"{look.table_id} {look.mark}"))


def is_addressable(database: str, table: str) -> bool:
    """Return whether a table can be asked for as `db.table`."""
    try:
        return table_name(f"{database}.{table}") == TableName(database, table)
    except RefusedNameError:
        return False


def checked_mounts(mounts: Mapping[str, TableSource] | None) -> dict[str, MountedFiles]:
    """Return each mounted database as files. Nothing is asked of the sources."""
    return {checked(database, "database"): MountedFiles(source, database) for database, source in (mounts or {}).items()}


def name_at_source(folder: str) -> str:
    """Return the name of a table at its source, by its folder."""
    return folder.partition("/")[2]


def mounted_folder(name: TableName) -> str:
    """Return the folder of a mounted table."""
    return table_folder(name, Layout.MOUNTED)

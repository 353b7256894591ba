"""Which registry a table goes with: asked before the absence of a record counts, and named by each version.

| the registry | the versions of the table | |
|---|---|---|
| has the id | name it | it counts |
| has none, or another one | name one | StorageError, unless the connection names the registry that is there |
| has an id | name none | it counts: what is written from now on names it |
| has none | name none | it counts, unless other tables name one, and the first writer gives it an id |

A table that has no version yet goes with the registry that other tables name. The id that counts is the one that the newest
version names. Engines drop it when they write a version of their own, so a few versions before the head are asked, and the oldest.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice

import msgspec

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.commit import new_warehouse
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout, database_of
from airflow_provider_schemas.store.registry import registry_id
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.files_snapshot import live
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions import codec
from airflow_provider_schemas.store.versions.facts import provenance_of

# How many versions before a head that names no registry are asked, beside the oldest.
_NEAR = 4
# How many tables are asked which registry they name, where one is read or written that names none.
_NEIGHBOURS = 20
# And how many before a registry gets an id, which happens once, or before something is deleted.
_ALL_NEIGHBOURS = 1000


def read_id(roots: Roots, registry: Files | None = None) -> str:
    """Return the id of the registry; empty if it has none. Raise StorageError if it is missing, or not the one that is meant.

    The registry is read through other files than those of the roots where a snapshot must not answer.
    """
    found = registry_id.read(roots.registry if registry is None else registry)
    if not found:
        roots.registry.check_root()
    if roots.registry_id:
        registry_id.check_connected(roots.registry, found, roots.registry_id)
    else:
        registry_id.check_remembered(roots.registry, found, roots.known.met_registry)
    roots.known.met_registry = found
    return found


def check(subject: Subject, head: Version | None, registry: str) -> None:
    """Raise StorageError if the versions of a table name another registry than the one with this id.

    The id is read once more then: the registry may have been given it just now.
    """
    if subject.roots.registry_id:
        return  # a caller that names a registry means it
    named = named_by(subject, head)
    if named and named != registry:
        files = subject.roots.registry
        registry_id.check_named(files, registry_id.read(live(files)), named, str(subject.name))


def check_for_commit(subject: Subject, head: Version | None) -> str:
    """Return the id of the registry for a commit after the head; raise StorageError if the table belongs to another registry."""
    registry = read_id(subject.roots)
    check(subject, head, registry)
    if head is None or not registry:
        check_neighbours(subject.roots, registry, subject.name.database)
    return registry


def check_table(subject: Subject, *, deletes: bool = False) -> str:
    """Return the id of the registry; raise StorageError if it is not the one of the table.

    A caller that deletes something has more tables asked, where this one names no registry.
    """
    registry = read_id(subject.roots)
    if subject.roots.registry_id:
        return registry
    head = _head(subject)
    check(subject, head, registry)
    if not registry or head is None:
        limit = _ALL_NEIGHBOURS if deletes else _NEIGHBOURS
        check_neighbours(subject.roots, registry, subject.name.database, limit)
    return registry


def check_for_records(subject: Subject) -> None:
    """Check the registry for a caller that writes a record about a table: a registry without an id gets one first."""
    if not check_table(subject):
        give_id(subject.roots, subject.name.database)


def check_store(roots: Roots, database: str = "") -> None:
    """Raise StorageError if the registry is not there, or if the tables of the warehouse name another one."""
    check_neighbours(roots, read_id(roots), database)


def named_by(subject: Subject, head: Version | None) -> str:
    """Return the id that the versions of a table name; empty if none is named, as in all that others keep."""
    if head is None or subject.place.layout is Layout.MOUNTED:
        return ""
    named = _id_in(head)
    if named:
        return named
    for version in _earlier(subject, head):
        named = _id_in(version)
        if named:
            return named
    return ""


def _earlier(subject: Subject, head: Version) -> Iterator[Version]:
    """Yield some versions before the head, the newest first. A version that cannot be read names nothing."""
    versions = subject.versions
    before = versions.listed_before(head)
    numbers = list(before)
    wanted = {number: before[number] for number in (*numbers[:1], *numbers[-_NEAR:])}
    try:
        yield from reversed(versions.all(wanted))
    except StorageError:
        raise
    except SchemaError:
        for number in sorted(wanted, reverse=True):
            try:
                yield versions.read(number, wanted[number])
            except StorageError:
                raise
            except SchemaError:
                continue


def _head(subject: Subject) -> Version | None:
    """Return the newest version that can be read."""
    try:
        return subject.latest()
    except StorageError:
        raise
    except SchemaError:
        numbers = sorted(subject.versions.entries(), reverse=True)[1 : 1 + _NEAR]
        for number in numbers:
            try:
                return subject.versions.read(number)
            except StorageError:
                raise
            except SchemaError:
                continue
    return None


def _id_in(version: Version) -> str:
    """Return the id that a version names; empty for a version by an outside writer, or by an older release."""
    provenance = provenance_of(version)
    if provenance is None:
        return ""
    return provenance.registry or ""


# ---------------------------------------------------------------- writing


def name_registry(subject: Subject, head: Version | None, schema: TableSchema, registry: str) -> tuple[TableSchema, tuple[str, ...]]:
    """Return the schema that is to be written, naming the registry of the table, and notes. A registry without an id gets one now."""
    roots = subject.roots
    notes: tuple[str, ...] = ()
    if not registry:
        codec.encode(schema, mini=subject.versions.mini)  # what cannot be written leaves nothing behind
        registry = give_id(roots, subject.name.database)
        notes = new_warehouse.begun_registry(roots, registry)
    elif guarantee(roots.registry.protocol).means is Means.LINK:
        read_id(roots, live(roots.registry))  # a disk may have gone while contracts were read from it, and then there were none
    provenance = Provenance.of(schema)
    named = named_by(subject, head) or registry  # a second registry for the same tables does not take the place of the first
    if provenance is None or not named:
        return schema, notes
    return msgspec.structs.replace(provenance, registry=named).on(schema), notes


def give_id(roots: Roots, database: str = "") -> str:
    """Give the registry an id; empty where nothing may be written. Raise StorageError if a table names one: then it is not there."""
    if not roots.may_write:
        return ""
    if check_neighbours(roots, "", database, _ALL_NEIGHBOURS):
        return read_id(roots, live(roots.registry))  # somebody else was first
    made = registry_id.make(roots.registry, alone=roots.single_writer)
    roots.known.met_registry = made
    return made


# ---------------------------------------------------------------- the other tables of the warehouse


def check_neighbours(roots: Roots, registry: str, database: str = "", limit: int = _NEIGHBOURS) -> bool:
    """Raise StorageError if tables of the warehouse name another registry, and none of those that are asked this one.

    Return whether a table names the registry. A registry that had no id just now may have got it by now.
    """
    if roots.registry_id or (registry and roots.known.named_registry == registry):
        return True
    others: list[tuple[str, str]] = []
    neighbours = islice(_neighbours(roots, database), limit)
    # Where the registry has an id, the first neighbour nearly always names it.
    many = 1 if registry else _at_once(roots)
    while some := list(islice(neighbours, many)):
        named = _ids_named_by(some, registry)
        pairs = [(name, str(subject.name)) for name, subject in zip(named, some, strict=False) if name]
        if registry and registry in dict(pairs):
            roots.known.named_registry = registry
            return True
        others += pairs
        if others and not registry:
            break
        many = _at_once(roots)
    for other, table in others[:1]:
        registry_id.check_named(roots.registry, registry_id.read(live(roots.registry)), other, table)
    return bool(others)


def _at_once(roots: Roots) -> int:
    """Return how many tables are asked at once: on a disk nobody waits for an answer."""
    files = roots.root_of(roots.known_layout)
    return 1 if files.protocol == "file" else files.at_once


def _ids_named_by(subjects: list[Subject], registry: str) -> list[str]:
    """Return the ids that tables name, in their order, up to the first that settles whether the registry is theirs."""
    if len(subjects) == 1:
        return [_id_named_by(subjects[0])]
    named: list[str] = []
    with ThreadPoolExecutor(len(subjects), "schemas-neighbours") as pool:
        answers = [pool.submit(_id_named_by, subject) for subject in subjects]
        for answer in answers:
            name = answer.result()
            named.append(name)
            if name and registry in ("", name):
                break
        for answer in answers:
            answer.cancel()
    return named


def _id_named_by(subject: Subject) -> str:
    """Return the id that another table names; empty where it cannot be read: a fault of another table stops nobody."""
    try:
        return named_by(subject, _head(subject))
    except StorageError as error:
        _check_passing(error)
        return ""
    except SchemaError:
        return ""


def _check_passing(error: StorageError) -> None:
    """Raise an error that a retry may fix: what could not be read may name a registry. What is forbidden stays so."""
    if error.code != ErrorKind.FORBIDDEN:
        raise error


def _neighbours(roots: Roots, database: str) -> Iterator[Subject]:
    """Yield tables of the warehouse, those of this database first."""
    names = {*_databases(roots), *filter(None, [database])}
    databases = sorted(names - roots.mounted.keys(), key=lambda name: (name != database, name))
    with_tables = iter(databases)
    yield from _of_databases(roots, list(islice(with_tables, 1)))
    while some := list(islice(with_tables, _at_once(roots))):
        yield from _of_databases(roots, some)


def _of_databases(roots: Roots, databases: list[str]) -> Iterator[Subject]:
    """Yield the tables of some databases, which are listed at once."""
    if len(databases) < 2:
        names = [_tables(roots, database) for database in databases]
    else:
        with ThreadPoolExecutor(len(databases), "schemas-neighbours") as pool:
            names = list(pool.map(partial(_tables, roots), databases))
    for name in chain.from_iterable(names):
        yield Subject(roots, name, place=roots.beside(name))


def _databases(roots: Roots) -> list[str]:
    """Return the names of the databases of the warehouse."""
    layout = roots.layout
    names = (database_of(folder.name, layout) for folder in _folders(roots.root_of(layout), ""))
    return [name for name in names if name is not None]


def _tables(roots: Roots, database: str) -> list[TableName]:
    """Return the names of the tables of a database."""
    place = roots.beside(TableName(database, "t"))
    folders = [folder.name for folder in _folders(place.files, place.folder.rpartition("/")[0])]
    return [TableName(database, name) for name in sorted(folders) if not name.startswith((".", "_"))]


def _folders(files: Files, folder: str) -> list[ListingEntry]:
    """Return the folders in a folder; none, where nobody may look."""
    try:
        return [entry for entry in files.list(folder) if entry.folder]
    except StorageError as error:
        _check_passing(error)
        return []

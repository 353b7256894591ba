"""Which registry a table goes with: asked before anybody relies on what it does not say, and named by each version.

| the registry | the versions of the table | |
|---|---|---|
| has the id | name it | it counts |
| has none, or another one | name one | StorageError, unless the connection names the registry that is there |
| has an id | name none | it counts: what is written from now on names it |
| has none | name none | it counts, unless other tables name one, and whoever writes first gives it an id |

A table that has no version yet goes with the registry that other tables name. The id that counts is the one that the
newest version names. Engines drop it when they write a version of their own, so a few versions before the head are asked,
and the oldest.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice

import msgspec

from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.commit import new_warehouse
from airflow_provider_schemas.store.commit.commit import Next
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

# How many versions before a head that names no registry are asked, beside the oldest.
_NEAR = 4
# How many tables are asked which registry they name, where one is read or written that names none.
_NEIGHBOURS = 20
# And how many before a registry gets an id, which happens once, or before something is deleted.
_ALL_NEIGHBOURS = 1000


def met(roots: Roots) -> str:
    """Return the id of the registry; empty if it has none. StorageError if it is not there, or not the one that is meant."""
    return _met(roots, roots.registry)


def _met(roots: Roots, registry: Files) -> str:
    there = registry_id.read(registry)
    if not there:
        roots.registry.check_root()
    if roots.registry_id:
        registry_id.check_connected(roots.registry, there, roots.registry_id)
    else:
        registry_id.check_remembered(roots.registry, there, roots.met_registry)
    roots.met_registry = there
    return there


def check(subject: Subject, head: Version | None, there: str) -> None:
    """StorageError if the versions of a table name another registry than the one that is there."""
    if subject.roots.registry_id:
        return  # whoever names a registry means it
    if there and head is not None and _named(head) == there:
        return
    _check_named(subject, head, there)


def _check_named(subject: Subject, head: Version | None, there: str) -> str:
    """Return the id that the versions name; StorageError if the registry has another one, also when it is asked again."""
    named, registry = named_by(subject, head), subject.roots.registry
    if named and named != there:  # it may have been given its id just now
        registry_id.check_named(registry, registry_id.read(live(registry)), named, str(subject.name))
    return named


def check_table(subject: Subject, *, deletes: bool = False) -> str:
    """Look for the registry, and whether it is the one of the table; return its id.

    Deletes is for whoever takes something away: more tables are asked, where this one names no registry.
    """
    there = met(subject.roots)
    if subject.roots.registry_id:
        return there
    head = _head(subject)
    check(subject, head, there)
    if not there or head is None:
        _is_named(subject.roots, there, subject.name.database, _ALL_NEIGHBOURS if deletes else _NEIGHBOURS)
    return there


def check_for_records(subject: Subject) -> None:
    """The same for whoever writes a record about a table: a registry without an id gets one first."""
    if not check_table(subject):
        give_id(subject.roots, subject.name.database)


def check_neighbours(roots: Roots, there: str, database: str) -> None:
    """StorageError if the tables of the warehouse name another registry than the one that takes a first version, or a policy."""
    _is_named(roots, there, database)


def named_by(subject: Subject, head: Version | None) -> str:
    """Return the id that the versions of a table name; empty if none is named."""
    if head is None:
        return ""
    own = _named(head)
    return own or next(filter(None, map(_named, _earlier(subject, head))), "")


def _earlier(subject: Subject, head: Version) -> Iterator[Version]:
    """Some versions before the head, the newest first. What cannot be read names nothing."""
    versions = subject.versions
    before = versions.listed_before(head)
    wanted = {number: before[number] for number in (*list(before)[:1], *list(before)[-_NEAR:])}
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
    """The newest version that can be read."""
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


def _named(version: Version) -> str:
    """The id that a version names; empty on one by an outside writer, or of an older release."""
    try:
        past = version.provenance
    except SchemaError:
        return ""
    return past.registry or "" if past is not None else ""


# ---------------------------------------------------------------- writing


def naming(subject: Subject, head: Version | None, proposal: Next, there: str) -> Next:
    """The version that is to be written, naming the registry of the table. One without an id gets one now."""
    roots = subject.roots
    if there and guarantee(roots.registry.protocol).means is Means.LINK:
        _met(roots, live(roots.registry))  # a disk may have gone while contracts were read from it, and then there were none
    if not there:
        codec.encode(proposal.schema, mini=subject.versions.mini)  # what cannot be written leaves nothing behind
    found = there or give_id(roots, subject.name.database)
    if not there:
        proposal = msgspec.structs.replace(proposal, notes=(*proposal.notes, *new_warehouse.begun_registry(roots, found)))
    past = Provenance.of(proposal.schema)
    named = named_by(subject, head) or found  # a second registry for the same tables does not take the place of the first
    if past is None or not named:
        return proposal
    return msgspec.structs.replace(proposal, schema=msgspec.structs.replace(past, registry=named).on(proposal.schema))


def give_id(roots: Roots, database: str = "") -> str:
    """Give the registry an id; empty where nothing may be written. StorageError if a table names one: then it is not there."""
    if not roots.may_write:
        return ""
    if _is_named(roots, "", database, _ALL_NEIGHBOURS):
        return _met(roots, live(roots.registry))  # somebody else was first
    made = roots.met_registry = registry_id.make(roots.registry, alone=roots.single_writer)
    return made


def check_store(roots: Roots, database: str = "") -> None:
    """StorageError if the registry is not there, or if the tables of the warehouse name another one."""
    _is_named(roots, met(roots), database)


def _is_named(roots: Roots, there: str, database: str = "", limit: int = _NEIGHBOURS) -> bool:
    """Whether tables name the registry; StorageError if none does of those that are asked, and some name another one.

    A registry that had no id just now may have got it by now.
    """
    if roots.registry_id or (there and roots.named_registry == there):
        return True
    others: list[tuple[str, str]] = []
    neighbours = islice(_neighbours(roots, database), limit)
    # Where the registry has an id, the first neighbour nearly always names it.
    many = 1 if there else _at_once(roots)
    while some := list(islice(neighbours, many)):
        found = [(named, str(subject.name)) for named, subject in zip(_named_beside_all(some, there), some, strict=False) if named]
        if there and there in dict(found):
            roots.named_registry = there
            return True
        others += found
        if others and not there:
            break
        many = _at_once(roots)
    for named, table in others[:1]:
        registry_id.check_named(roots.registry, registry_id.read(live(roots.registry)), named, table)
    return bool(others)


def _at_once(roots: Roots) -> int:
    """How many tables are asked at once: on a disk nobody waits for an answer."""
    files = roots.registry if roots.known_layout is Layout.REGISTRY else roots.warehouse
    return 1 if files.protocol == "file" else files.at_once


def _named_beside_all(subjects: list[Subject], there: str) -> list[str]:
    """The ids that tables name, in their order, up to the first that settles whether the registry is theirs."""
    if len(subjects) == 1:
        return [_named_beside(subjects[0])]
    named: list[str] = []
    with ThreadPoolExecutor(len(subjects), "schemas-neighbours") as pool:
        answers = [pool.submit(_named_beside, subject) for subject in subjects]
        for answer in answers:
            named.append(answer.result())
            if named[-1] == there if there else named[-1]:
                break
        for answer in answers:
            answer.cancel()
    return named


def _named_beside(subject: Subject) -> str:
    """The id that a table names which is nobody's business here: what is wrong with it, or may not be read, stops nobody."""
    try:
        return named_by(subject, _head(subject))
    except StorageError as error:
        _check_passing(error)
        return ""
    except SchemaError:
        return ""


def _check_passing(error: StorageError) -> None:
    """Raise an error that another try may mend: what could not be read may name a registry. What is forbidden stays so."""
    if error.code != ErrorKind.FORBIDDEN:
        raise error


def _neighbours(roots: Roots, database: str) -> Iterator[Subject]:
    """Tables of the warehouse, those of this database first."""
    databases = sorted({*_databases(roots), *filter(None, [database])}, key=lambda name: (name != database, name))
    with_tables = iter(databases)
    yield from _of_databases(roots, list(islice(with_tables, 1)))
    while some := list(islice(with_tables, _at_once(roots))):
        yield from _of_databases(roots, some)


def _of_databases(roots: Roots, databases: list[str]) -> Iterator[Subject]:
    """The tables of some databases, which are listed at once."""
    if len(databases) < 2:
        names = [_tables(roots, database) for database in databases]
    else:
        with ThreadPoolExecutor(len(databases), "schemas-neighbours") as pool:
            names = list(pool.map(partial(_tables, roots), databases))
    for name in chain.from_iterable(names):
        yield Subject(roots, name, place=roots.beside(name))


def _databases(roots: Roots) -> list[str]:
    layout = roots.layout
    files = roots.registry if layout is Layout.REGISTRY else roots.warehouse
    return [name for one in _listed(files, "") if (name := database_of(one.name, layout)) is not None]


def _tables(roots: Roots, database: str) -> list[TableName]:
    place = roots.beside(TableName(database, "t"))
    folders = [folder.name for folder in _listed(place.files, place.folder.rpartition("/")[0])]
    return [TableName(database, name) for name in sorted(folders) if not name.startswith((".", "_"))]


def _listed(files: Files, folder: str) -> list[ListingEntry]:
    """The folders in a folder; none, where nobody may look."""
    try:
        return [one for one in files.list(folder) if one.folder]
    except StorageError as error:
        _check_passing(error)
        return []

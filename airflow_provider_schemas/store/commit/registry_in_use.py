"""Which registry a table goes with: asked before anybody relies on what it does not say, and named by each version.

| the registry | the versions of the table | |
|---|---|---|
| has the id | name it | it counts |
| has none, or another one | name one | StorageError, unless the connection names the registry that is there |
| has an id | name none | it counts: what is written from now on names it |
| has none | name none | it counts, and whoever writes first gives it an id |

The id that counts is the one that the newest version names. Engines drop it when they write a version of their own, so
a few versions before the head are asked, and the oldest.
"""

from collections.abc import Iterator
from itertools import islice

import msgspec

from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.commit.commit import Next
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout, database_of
from airflow_provider_schemas.store.registry import registry_id
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions import codec

# How many versions before a head that names no registry are asked, beside the oldest.
_NEAR = 4
# How many tables are asked whether they name a registry, before one without an id gets one.
_NEIGHBOURS = 20


def met(roots: Roots) -> str:
    """Return the id of the registry; empty if it has none. StorageError if it is not there, or not the one that is meant."""
    there = registry_id.read(roots.registry)
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
        registry_id.check_named(registry, registry_id.read(registry), named, str(subject.name))
    return named


def check_table(subject: Subject) -> str:
    """Look for the registry, and whether it is the one of the table; return its id."""
    there = met(subject.roots)
    if not subject.roots.registry_id:
        check(subject, _head(subject), there)
    return there


def check_for_records(subject: Subject) -> None:
    """The same for whoever writes a record about a table: a registry without an id gets one first."""
    if not check_table(subject):
        give_id(subject.roots, subject.name.database)


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
        met(roots)  # a disk may have gone while contracts were read from it, and then there were none
    if not there:
        codec.encoded(proposal.schema, mini=subject.versions.mini)  # what cannot be written leaves nothing behind
    found = there or give_id(roots, subject.name.database)
    past = Provenance.of(proposal.schema)
    named = named_by(subject, head) or found  # a second registry for the same tables does not take the place of the first
    if past is None or not named:
        return proposal
    return msgspec.structs.replace(proposal, schema=msgspec.structs.replace(past, registry=named).on(proposal.schema))


def give_id(roots: Roots, database: str = "") -> str:
    """Give the registry an id; empty where nothing may be written. StorageError if a table names one: then it is not there."""
    if not roots.may_write:
        return ""
    if _is_named(roots, database):
        return met(roots)  # somebody else was first
    made = roots.met_registry = registry_id.make(roots.registry, alone=roots.single_writer)
    return made


def check_store(roots: Roots) -> None:
    """StorageError if the registry is not there, or if tables of the warehouse name one and this has no id."""
    if not met(roots):
        _is_named(roots)


def _is_named(roots: Roots, database: str = "") -> bool:
    """Whether tables name the registry that had no id just now, and has it by now; StorageError if they name another one."""
    return any(_check_named(subject, _readable_head(subject), "") for subject in _neighbours(roots, database))


def _readable_head(subject: Subject) -> Version | None:
    """The same of a table that is nobody's business here: what is wrong with it stops nobody."""
    try:
        return _head(subject)
    except SchemaError:
        return None


def _neighbours(roots: Roots, database: str) -> Iterator[Subject]:
    """Tables of the warehouse, those of this database first: some of very many."""
    databases = sorted(_databases(roots), key=lambda name: (name != database, name))
    yield from islice((table for one in databases for table in _tables(roots, one)), _NEIGHBOURS)


def _databases(roots: Roots) -> list[str]:
    layout = roots.layout
    files = roots.registry if layout is Layout.REGISTRY else roots.warehouse
    return [name for one in files.list("") if one.folder and (name := database_of(one.name, layout)) is not None]


def _tables(roots: Roots, database: str) -> Iterator[Subject]:
    place = roots.beside(TableName(database, "t"))
    for one in sorted(place.files.list(place.folder.rpartition("/")[0]), key=lambda entry: entry.name):
        if one.folder and not one.name.startswith((".", "_")):
            name = TableName(database, one.name)
            yield Subject(roots, name, place=roots.beside(name))

"""The tables that a line names: those of databases, single ones, and all that patterns match. Nothing else is listed.

shop            all tables of a database
shop.orders     one table
'shop.ord*'     those of a database whose names match; * ? and [...] as in a shell, with the dot between both names
'*.orders'      those of all databases that match
'sh*'           all tables of the databases that match
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import translate
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_MAX_THREADS = 32
_NAMED = 10
# Of a longer word nothing is near.
_LONGEST = 200
_SPECIAL = re.compile(r"[*?\[]")
_EVERYTHING = "*"


class _Pattern(NamedTuple):
    """A word of the line, taken apart."""

    word: str
    database: str
    table: str

    @classmethod
    def of(cls, word: str) -> "_Pattern":
        database, dot, table = word.partition(".")
        return cls(word, database, table if dot else _EVERYTHING)

    @property
    def is_one_table(self) -> bool:
        return not _SPECIAL.search(self.word) and "." in self.word


class Matches(Struct, frozen=True):
    """What the words of a line match."""

    tables: tuple[str, ...] = ()
    """The tables, sorted, each once."""
    databases: frozenset[str] = frozenset()
    """The databases that were looked into."""
    unaddressable: Mapping[str, tuple[str, ...]] = {}
    """Tables of mounted databases whose names cannot be written as db.table."""
    unlisted: Mapping[str, SchemaError] = {}
    """Databases that match a pattern, and cannot be listed."""


def matches(store: "SchemaStore", words: Sequence[str]) -> Matches:
    """Return what the words match; raise an error for a word that matches nothing."""
    return _joined([_matched(store, _Pattern.of(word)) for word in dict.fromkeys(words)])


def _joined(parts: Sequence[Matches]) -> Matches:
    tables: set[str] = set()
    databases: set[str] = set()
    unaddressable: dict[str, tuple[str, ...]] = {}
    unlisted: dict[str, SchemaError] = {}
    for part in parts:
        tables.update(part.tables)
        databases |= part.databases
        unlisted |= part.unlisted
        for database, names in part.unaddressable.items():
            unaddressable[database] = tuple(dict.fromkeys((*unaddressable.get(database, ()), *names)))
    return Matches(tuple(sorted(tables)), frozenset(databases), unaddressable, unlisted)


def _matched(store: "SchemaStore", pattern: _Pattern) -> Matches:
    if pattern.is_one_table:
        return _one_table(store, pattern)
    if not _SPECIAL.search(pattern.database):
        return _of_database(store, pattern)
    return _of_databases(store, pattern)


def _one_table(store: "SchemaStore", pattern: _Pattern) -> Matches:
    """Look at one table; its database is listed only where there is none of this name."""
    if store.table(pattern.word).exists():
        return Matches((pattern.word,), frozenset({pattern.database}))
    tables = _tables(store, pattern.database)
    if pattern.table in tables:  # a folder without a schema, which a listing shows as well
        return Matches((pattern.word,), frozenset({pattern.database}))
    raise _nothing(f"there is no table {pattern.word!r} in {store.url}.", pattern.word, _full(pattern.database, tables))


def _of_database(store: "SchemaStore", pattern: _Pattern) -> Matches:
    tables = _tables(store, pattern.database)
    found = _filtered(pattern, tables, _unaddressable(store, pattern.database))
    if pattern.table == _EVERYTHING or found.tables or found.unaddressable:
        return found
    raise _nothing(f"no table of {pattern.database} matches {pattern.word!r}.", pattern.word, _full(pattern.database, tables))


def _of_databases(store: "SchemaStore", pattern: _Pattern) -> Matches:
    """Look into all databases that match. One that cannot be listed hides no other."""
    known = store.databases()
    matching = [*filter(_matcher(pattern.database), known)]
    if not matching:
        raise _nothing(f"no database in {store.url} matches {pattern.database!r}.", pattern.word, known)
    with ThreadPoolExecutor(_MAX_THREADS) as pool:
        parts = [*pool.map(partial(_listed, store, pattern), matching)]
    found = _joined(parts)
    if pattern.table == _EVERYTHING or found.tables or found.unaddressable or found.unlisted:
        return found
    message = f"no table in {counted(len(matching), 'database')} matches {pattern.word!r}."
    raise _nothing(message, pattern.word, matching)


def _listed(store: "SchemaStore", pattern: _Pattern, database: str) -> Matches:
    try:
        return _filtered(pattern._replace(database=database), store.tables(database), _unaddressable(store, database))
    except SchemaError as error:
        if database not in store.mounts:
            raise
        return Matches(databases=frozenset({database}), unlisted={database: error})


def _filtered(pattern: _Pattern, tables: Iterable[str], unaddressable: Iterable[str]) -> Matches:
    """Return the tables of one database whose names match."""
    is_match = _matcher(pattern.table)
    names = tuple(filter(is_match, unaddressable))
    return Matches(
        tuple(_full(pattern.database, filter(is_match, tables))),
        frozenset({pattern.database}),
        {pattern.database: names} if names else {},
    )


def _matcher(pattern: str) -> Callable[[str], object]:
    return re.compile(translate(pattern)).match


def _full(database: str, tables: Iterable[str]) -> list[str]:
    return [f"{database}.{table}" for table in tables]


# ---------------------------------------------------------------- listings, and what is not there


def _unaddressable(store: "SchemaStore", database: str) -> Sequence[str]:
    return store.unaddressable(database) if database in store.mounts else ()


def _tables(store: "SchemaStore", database: str) -> Sequence[str]:
    """Return the tables of a database; raise an error for a database that is not there."""
    tables = store.tables(database)
    if tables:
        return tables
    known = store.databases()
    if database not in known:
        message = f"there is no database {database!r} in {store.url}."
        raise _nothing(message, database, known, code="cli.no-database", none="There is none yet.")
    return ()


def _nothing(message: str, word: str, known: Sequence[str], *, code: str = "cli.no-match", none: str = "There is none.") -> NotThereError:
    """Return the error for a word that matches nothing, with the names that are near it, else with some that are there."""
    from difflib import get_close_matches  # which only a mistake needs

    last_parts = {name.rpartition(".")[2].lower(): name for name in known}
    near = get_close_matches(word[:_LONGEST].rpartition(".")[2].lower(), last_parts, n=3)
    if near:
        fix = f"Did you mean {' or '.join(last_parts[part] for part in near)}?"
    elif known:
        fix = f"There are: {listed(known, _NAMED)}."
    else:
        fix = none
    return NotThereError(message, code=code, path=word, fix=fix)

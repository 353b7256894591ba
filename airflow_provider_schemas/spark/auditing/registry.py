"""What a registry keeps about the tables of a warehouse, listed once for all of them: who asks about a table for which nothing is kept,
pays for it a thousand times."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.spark.auditing.rows import Row, unread
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import POLICIES, Layout
from airflow_provider_schemas.store.registry import contracts, fulfilled_contracts, policies, waived_jobs, waivers
from airflow_provider_schemas.store.registry.json_records import Unreadable
from airflow_provider_schemas.store.storage.files import Files

_SHELVES: Final = ("contracts", "waivers", "bindings")


class Kept(Struct, frozen=True):
    """For which tables a registry keeps what."""

    policies: bool = False
    contracts: frozenset[str] = frozenset()
    waivers: frozenset[str] = frozenset()
    bindings: frozenset[str] = frozenset()


def kept(registry: Files) -> tuple[Kept, tuple[Row, ...]]:
    """The same, and what could not be listed: then each table is asked."""
    lacking: list[Row] = []
    shelves = {}
    for shelf in _SHELVES:
        try:
            shelves[shelf] = frozenset(_tables(registry, shelf))
        except SchemaError as error:
            lacking += [unread(f"{shelf} in {registry.url}", fault) for fault in error.faults]
    return Kept(policies=bool(_some(registry, POLICIES, lacking)), **shelves), tuple(lacking)


def _tables(registry: Files, shelf: str) -> Iterator[str]:
    for database in registry.list(shelf):
        if database.folder:
            yield from (f"{database.name}.{one.name}" for one in registry.list(f"{shelf}/{database.name}") if one.folder)


def _some(registry: Files, folder: str, lacking: list[Row]) -> bool:
    try:
        return bool(registry.list(folder))
    except SchemaError as error:
        lacking += [unread(f"{folder} in {registry.url}", fault) for fault in error.faults]
        return True


@cache
def _plain(readers: tuple[str, ...]) -> Policy:
    """The policy of tables for which nobody wrote one."""
    return policies.with_readers(Policy(name=policies.DEFAULT), readers)


class Asked:
    """What the registry says about one table; what cannot be read of it is noted."""

    def __init__(self, registry: Files, known: Kept, name: TableName) -> None:
        self.registry, self.known, self.name = registry, known, name
        self.unread: list[Row] = []

    def policy(self, schema: TableSchema, layout: Layout) -> Policy:
        """The policy of the table, with its waivers; the default for its readers, where it cannot be read."""
        plain = _plain(policies.readers_of(schema, layout))
        if not self.known.policies and POLICY_OPTION not in schema.options:
            return self._excused(plain)
        try:
            return self._excused(policies.found(self.registry, self.name, schema, layout=layout))
        except SchemaError as error:
            self._note(error)
            return self._excused(plain)

    def _excused(self, policy: Policy) -> Policy:
        if str(self.name) not in self.known.waivers:
            return policy
        try:
            found = waivers.active(self.registry, self.name, may_write=False)
            excused = waived_jobs.for_jobs(policy.excused(found.waivers), self.registry, self.name)
        except SchemaError as error:
            self._note(error)
            return policy
        self._unreadable(found.unreadable)
        return excused

    def contracts(self, versions: Callable[[], Iterable[Version]]) -> tuple[Contract, ...]:
        """What jobs need that count and do not wait for what is to come; versions are asked for where some have waited."""
        if str(self.name) not in self.known.contracts:
            return ()
        try:
            found = fulfilled_contracts.settled(contracts.listed(self.registry, self.name), versions)
        except SchemaError as error:
            self._note(error)
            return ()
        self._unreadable(found.unreadable)
        stale = {(one.team, one.consumer) for one in contracts.active(found).stale}
        return tuple(one.contract for one in found if not one.pending and (one.team, one.consumer) not in stale)

    def _unreadable(self, found: Iterable[Unreadable]) -> None:
        for one in found:
            self._note(one.error)

    def _note(self, error: SchemaError) -> None:
        self.unread += [unread(str(self.name), fault) for fault in error.faults]

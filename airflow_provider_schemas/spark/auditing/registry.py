"""What a registry keeps about the tables of a warehouse, listed once for all of them: a request for each table for which nothing is kept
would be paid a thousand times."""

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
from airflow_provider_schemas.spark.auditing.rows import Row, unread_row
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import POLICIES, Layout
from airflow_provider_schemas.store.registry import contracts, fulfilled_contracts, policies, waived_jobs, waivers
from airflow_provider_schemas.store.registry.json_records import Unreadable
from airflow_provider_schemas.store.storage.files import Files

_SHELVES: Final = ("contracts", "waivers", "bindings")


class RegistryListing(Struct, frozen=True):
    """For which tables a registry keeps what."""

    policies: bool = False
    contracts: frozenset[str] = frozenset()
    waivers: frozenset[str] = frozenset()
    bindings: frozenset[str] = frozenset()


def list_registry(registry: Files) -> tuple[RegistryListing, tuple[Row, ...]]:
    """List what a registry keeps for which tables; and tell what could not be listed."""
    unread: list[Row] = []
    shelves = {}
    for shelf in _SHELVES:
        try:
            shelves[shelf] = frozenset(_list_tables(registry, shelf))
        except SchemaError as error:
            unread += [unread_row(f"{shelf} in {registry.url}", fault) for fault in error.faults]
    listing = RegistryListing(policies=_has_policies(registry, unread), **shelves)
    return listing, tuple(unread)


def _list_tables(registry: Files, shelf: str) -> Iterator[str]:
    for database in registry.list(shelf):
        if database.folder:
            tables = registry.list(f"{shelf}/{database.name}")
            yield from (f"{database.name}.{table.name}" for table in tables if table.folder)


def _has_policies(registry: Files, unread: list[Row]) -> bool:
    """Return whether there are policies; where that is not known, each table has to look."""
    try:
        return bool(registry.list(POLICIES))
    except SchemaError as error:
        unread += [unread_row(f"{POLICIES} in {registry.url}", fault) for fault in error.faults]
        return True


@cache
def _default_policy(readers: tuple[str, ...]) -> Policy:
    """Return the policy of tables for which nobody wrote one."""
    return policies.with_readers(Policy(name=policies.DEFAULT), readers)


class TableRegistry:
    """What a registry keeps about one table; what cannot be read of it becomes a row in `unread`."""

    def __init__(self, registry: Files, listing: RegistryListing, name: TableName) -> None:
        self.registry = registry
        self.listing = listing
        self.name = name
        self.unread: list[Row] = []

    def policy(self, schema: TableSchema, layout: Layout) -> Policy:
        """Return the policy of the table, with its waivers; the default for its readers, where it cannot be read."""
        default = _default_policy(policies.readers_of(schema, layout))
        if not self.listing.policies and POLICY_OPTION not in schema.options:
            return self._with_waivers(default)
        try:
            return self._with_waivers(policies.found(self.registry, self.name, schema, layout=layout))
        except SchemaError as error:
            self._note(error)
            return self._with_waivers(default)

    def _with_waivers(self, policy: Policy) -> Policy:
        if str(self.name) not in self.listing.waivers:
            return policy
        try:
            active = waivers.active(self.registry, self.name, may_write=False)
            excused = waived_jobs.for_jobs(policy.excused(active.waivers), self.registry, self.name)
        except SchemaError as error:
            self._note(error)
            return policy
        self._note_unreadable(active.unreadable)
        return excused

    def contracts(self, versions: Callable[[], Iterable[Version]]) -> tuple[Contract, ...]:
        """Return the contracts that count now. `versions` is called where some have waited for a version."""
        if str(self.name) not in self.listing.contracts:
            return ()
        try:
            settled = fulfilled_contracts.settled(contracts.listed(self.registry, self.name), versions)
        except SchemaError as error:
            self._note(error)
            return ()
        self._note_unreadable(settled.unreadable)
        stale = {(record.team, record.consumer) for record in contracts.active(settled).stale}
        return tuple(record.contract for record in settled if not record.pending and (record.team, record.consumer) not in stale)

    def _note_unreadable(self, records: Iterable[Unreadable]) -> None:
        for record in records:
            self._note(record.error)

    def _note(self, error: SchemaError) -> None:
        self.unread += [unread_row(str(self.name), fault) for fault in error.faults]

"""A contract as it lies in the registry: what the job said, the fields that it was pinned to, who registered it and when.

What a job needs is pinned to the ids of the version it was registered against, so that a column is found again under another name,
and a rename is reported as one.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, Field

from airflow_provider_schemas.core.common.deadlines import begins
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.contracts.contract import Contract, Need
from airflow_provider_schemas.core.contracts.inner_pins import by_column, inner_pins
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.foreign_attributes import has_ids
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version, file_digest
from airflow_provider_schemas.core.types.nested import Field as NestedField
from airflow_provider_schemas.errors import ContractError, SchemaError
from airflow_provider_schemas.store.registry.json_records import Record, at

PREFIX = "contract-"
SEEN = "seen"
NO_TEAM = "default"
MAX_AGE = 90
_LONGEST = 36_500
_Number = Annotated[int, Field(ge=0, strict=True)]
_Flag = Annotated[bool, Field(strict=True)]


class SeenAt(BaseModel):
    """The version of the table that a contract was registered against."""

    number: _Number
    digest: str
    table_id: str | None = None
    """The peer's id of the table, where others keep it."""

    @classmethod
    def of(cls, version: Version) -> Self:
        """Return a version as the record of a contract names it."""
        return cls(number=version.number, digest=version.digest, table_id=version.table_id or None)


def of_another_table(seen: SeenAt | None, head: Version) -> bool:
    """Return whether the table was dropped and made again since a contract was registered, so that its pins mean other fields."""
    return seen is not None and bool(seen.table_id and head.table_id) and seen.table_id != head.table_id


class ContractRecord(Record):
    """A contract in its file."""

    refusal: ClassVar[type[SchemaError]] = ContractError
    noun: ClassVar = "record of a contract"

    contract: Contract
    pins: Mapping[str, _Number] = {}
    seen: SeenAt | None = None
    pending: _Flag = False
    removed: _Flag = False
    max_age_days: Annotated[int, Field(ge=1, le=_LONGEST, strict=True)] = MAX_AGE

    @property
    def content(self) -> tuple[Any, ...]:
        """The values of which any that differs makes another contract."""
        table_id = None if self.seen is None else self.seen.table_id
        return (self.contract.model_dump(mode="json"), dict(self.pins), self.pending, self.removed, self.max_age_days, table_id)

    @property
    def pinned(self) -> Contract:
        """The contract, pinned to the fields that it means."""
        return pinned(self.contract, self.pins)


class SeenRecord(Record):
    """The file that says when a job was last seen."""

    refusal: ClassVar[type[SchemaError]] = ContractError


class Registered(ShortRepr, Struct, frozen=True):
    """A contract as the registry has it."""

    contract: Contract
    """Pinned to the fields that it means, and with the time at which its job was last seen: by this it is judged."""
    given: Contract
    """As the job wrote it."""
    team: str
    consumer: str
    number: int
    digest: str
    by: str
    at: str
    seen: tuple[int, str] | None = None
    """Number and digest of the version of the table that it was registered against."""
    pending: bool = False
    removed: bool = False
    max_age: timedelta = timedelta(days=MAX_AGE)
    last_seen: str = ""
    """Empty where it is not known; then the job counts as seen."""
    fulfilled: int | None = None
    """The version that fulfilled it first, where it had to wait for one."""
    table_id: str = ""
    """The peer's id of the table that it was registered against, where others keep the table."""

    def _short_text(self) -> str:
        names = [need.name for need in self.given.columns]
        waits = "waits for the table" if self.pending else ""
        removed = "removed" if self.removed else ""
        columns = f"{counted(len(names), 'column')} ({listed(names)})"
        return f"{named(self.consumer)}: {joined(f'contract {self.number}', columns, waits, removed)}"

    def stale(self, now: datetime) -> bool:
        """Return whether its job has not been seen for so long that it only warns."""
        return bool(self.last_seen) and at(now) - begins(self.last_seen) > self.max_age

    def of_team(self) -> Self:
        """Return the same contract with the team in the name of the job."""
        return replace(self, contract=self.contract.model_copy(update={"name": f"{self.consumer} ({self.team})"}))

    def __str__(self) -> str:
        return self.consumer if self.team == NO_TEAM else f"{self.consumer} ({self.team})"


def pinned(contract: Contract, pins: Mapping[str, int]) -> Contract:
    """Return the contract with these ids, where it names none itself."""
    inner = by_column(pins)
    columns = tuple(_pin_need(need, pins, inner.get(need.name)) for need in contract.columns)
    return contract.model_copy(update={"columns": columns})


def _pin_need(need: Need, pins: Mapping[str, int], inner: Mapping[str, int] | None) -> Need:
    """Return the need of one column with its id, and the ids inside it."""
    update: dict[str, Any] = {}
    if need.id is None and need.name in pins:
        update["id"] = pins[need.name]
    if inner and not need.inner:
        update["inner"] = inner
    return need.model_copy(update=update) if update else need


def pins_for(contract: Contract, schema: TableSchema | None, known: Mapping[str, int]) -> dict[str, int]:
    """Return the fields that a contract means: those that it was pinned to before, and for the rest those with the name today.

    A table whose ids are made of names pins nothing: once it maps its columns, they have other ids.
    """
    if schema is not None and not has_ids(schema):
        return {}
    lookup = None if schema is None else Lookup(schema)
    pins: dict[str, int] = {}
    for need in contract.columns:
        column = _column_of(need, lookup, known)
        if need.id is None and need.name in known:
            pins[need.name] = known[need.name]
        elif need.id is None and column is not None:
            pins[need.name] = column.id
        if need.is_nested and need.kind is not None:
            pins.update(inner_pins(need.name, need.kind, None if column is None else column.type, known))
    return pins


def _column_of(need: Need, lookup: Lookup | None, known: Mapping[str, int]) -> NestedField | None:
    """Return the field of a schema that a job means: by its id, if one is known, else by its name."""
    if lookup is None:
        return None
    number = known.get(need.name) if need.id is None else need.id
    found = lookup.called(lookup.path(need.name)) if number is None else lookup.by_id(number)
    return None if found is None else found.field


def registered(record: ContractRecord, number: int, data: bytes, *, team: str, consumer: str, table: str, last_seen: str) -> Registered:
    """Return the contract of a record; the folder in which it lies says whose it is."""
    whose = {"name": consumer, "table": table, "last_seen": last_seen}
    seen = None
    table_id = ""
    if record.seen is not None:
        seen = (record.seen.number, record.seen.digest)
        table_id = record.seen.table_id or ""
    return Registered(
        record.pinned.model_copy(update=whose),
        record.contract,
        team,
        consumer,
        number,
        file_digest(data),
        record.by,
        record.at,
        seen,
        record.pending,
        record.removed,
        timedelta(days=record.max_age_days),
        last_seen,
        table_id=table_id,
    )

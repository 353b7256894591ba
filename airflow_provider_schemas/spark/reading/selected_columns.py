"""The columns that are asked for by name, or by a contract; of a name that is no longer one, what became of it is told.

Names are looked for as Spark does it, in any case, and the exact spelling goes first. An earlier name that is kept as an alias is a name
as well until it ends. The column comes under the name that was asked for.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field
from airflow_provider_schemas.core.schema.field_lookup import LocatedField, Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ContractError, Fault, ProjectionError
from airflow_provider_schemas.spark.reading.contract_columns import Way, another_field, columns_of, named_twice
from airflow_provider_schemas.store.footers.known_fields import KnownFields


class Selection(Struct, frozen=True):
    """What is read of a version, and as what it is given."""

    read: tuple[Field, ...]
    """Columns of the version, each once."""
    given: tuple[Field, ...]
    """The columns of the frame, by id of the field: under other names, with fewer parts, of the types that a contract names."""

    @property
    def as_read(self) -> bool:
        return self.read == self.given


def selection(schema: TableSchema, columns: Any, contract: Any, known: KnownFields) -> Selection:
    """The columns in the order in which they are asked for; all of them, if neither names nor a contract are given."""
    if columns is not None and contract is not None:
        message = "both columns and a contract say what is read."
        raise ContractError(message, code="read.said-twice", path="contract", fix="Pass one of them.")
    asked = _Asked(schema, known)
    given = schema.fields
    if contract is not None:
        given = asked.of_contract(contract)
    elif columns is not None:
        given = asked.named(columns)
    there = {one.id: one for one in schema.fields}
    return Selection(tuple(there[number] for number in dict.fromkeys(one.id for one in given)), given)


class _Asked:
    """Finds what is asked for in one version, and tells what cannot be found."""

    def __init__(self, schema: TableSchema, known: KnownFields) -> None:
        self.schema, self.known = schema, known
        self.there, self.now = Lookup(schema), datetime.now(UTC)

    # ------------------------------------------------------------ names

    def named(self, columns: Any) -> tuple[Field, ...]:
        names = [columns] if isinstance(columns, str) else list(columns) if isinstance(columns, Iterable) else [columns]
        faults = list(self._faults(names))
        if not names:
            faults = [
                Fault("read.no-columns", "columns", "no column is asked for.", "Name some, or leave columns out to read all of them.")
            ]
        if faults:
            raise ProjectionError.of(faults)
        return tuple(one.field.with_name(name) for name in names if (one := self._column(name)) is not None)

    def _column(self, name: str) -> LocatedField | None:
        """The column that is called so, in any case, or keeps the name as an alias that has not ended."""
        return self.there.meant((name,), self.now)

    def _faults(self, names: list[Any]) -> Iterable[Fault]:
        before: dict[tuple[str, int | None], str] = {}
        for name in names:
            if not isinstance(name, str):
                yield Fault("read.no-column", "columns", f"{shown(name)} is no name of a column.", "Pass names.")
                continue
            column = self._column(name)
            # Two names that differ in case only and find one column: no query could tell the two apart.
            key = (name.lower(), None) if column is None else (name.lower(), column.field.id)
            if key in before and before[key] == name:
                yield Fault("read.column-twice", name, f"{shown(name)} is asked for twice.", "Name each column once.")
            elif column is None:
                yield self._missing(name)
            elif key in before:
                yield named_twice(name, before[key])
            before.setdefault(key, name)

    # ------------------------------------------------------------ a contract

    def of_contract(self, contract: Any) -> tuple[Field, ...]:
        wanted = checked_contract(contract)
        ways: list[Way] = []
        faults: list[Fault] = []
        for need in wanted.columns:
            path = self.there.path(need.name)
            found = self.there.meant(path, self.now)
            if found is None:
                faults.append(self._missing(need.name))
            elif need.id is not None and found.field.id != need.id:
                faults.append(another_field(need.name, need.id, found.field.id, self.there))
            else:
                ways.append(Way(need, path, found))
        if not wanted.columns:
            faults = [Fault("read.no-columns", "contract", "the contract names no column.", "Name some, or leave contract out.")]
        if faults:
            raise ProjectionError.of(faults)
        return columns_of(ways, self.there, self.now)

    # ------------------------------------------------------------ what is not there

    def _missing(self, name: str) -> Fault:
        message = f"version {self.schema.id} has no column {shown(name)}{self._formerly(name)}{self._ended(name)}."
        return Fault("read.no-column", name, message, self._fix(name))

    def _ended(self, name: str) -> str:
        """That it was an alias, until a day that is over."""
        ends = [names[name] for _, names in aliases_by_field(self.schema) if name in names]
        return f"; it was an alias until {ends[0]}" if ends and ends[0] else ""

    def _formerly(self, name: str) -> str:
        numbers = sorted(self.known.called(name))
        told = [f"field {one} was called so until version {self.known.last_called(name, one)}" for one in numbers]
        return f"; {', and '.join(told)}" if told else ""

    def _fix(self, name: str) -> str:
        """What it is called now, where it is still there; or what comes near."""
        numbers = self.known.called(name)
        now = [one.name for number in sorted(numbers) if (one := self.schema.column(number)) is not None]
        if now:
            return f"It is called {' and '.join(now)} now: ask for that."
        if numbers:
            number = max(self.known.last_called(name, one) for one in numbers)
            return f"It was dropped; read the table as it was: version={number}."
        return did_you_mean(name, self.schema.names)

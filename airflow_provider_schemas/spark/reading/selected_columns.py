"""The columns that are asked for by name, or by a contract; the error about a name that is gone says what became of it.

Names are looked for as Spark does it, in any case, and the exact spelling goes first. An earlier name that is kept as an alias is a name
as well until it ends. The column comes under the name that was asked for.
"""

from collections.abc import Iterable, Iterator
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
from airflow_provider_schemas.spark.reading.contract_columns import NeededField, columns_of, other_field_fault, twice_fault
from airflow_provider_schemas.store.footers.known_fields import KnownFields

Columns = Any
"""The names of columns, or one of them, or None: as a job passes them."""
ContractLike = Any
"""A contract in any form that `checked_contract` reads, or None."""

_NO_NAMES = Fault("read.no-columns", "columns", "no column is asked for.", "Name some, or leave columns out to read all of them.")
_NO_NEEDS = Fault("read.no-columns", "contract", "the contract names no column.", "Name some, or leave contract out.")


class Selection(Struct, frozen=True):
    """What is read of a version, and as what it is given."""

    read: tuple[Field, ...]
    """Columns of the version, each once."""
    given: tuple[Field, ...]
    """The columns of the frame, by id of the field: under other names, with fewer parts, of the types that a contract names."""

    @property
    def is_as_read(self) -> bool:
        """Return whether the frame has the columns of the version as they are."""
        return self.read == self.given


def select_columns(schema: TableSchema, columns: Columns, contract: ContractLike, known: KnownFields) -> Selection:
    """Return the columns in the order in which they are asked for; all of them, if neither names nor a contract are given."""
    if columns is not None and contract is not None:
        message = "both columns and a contract say what is read."
        raise ContractError(message, code="read.said-twice", path="contract", fix="Pass one of them.")
    finder = _ColumnFinder(schema, known)
    given = schema.fields
    if contract is not None:
        given = finder.by_contract(contract)
    elif columns is not None:
        given = finder.by_names(columns)
    fields = {field.id: field for field in schema.fields}
    return Selection(tuple(fields[number] for number in dict.fromkeys(column.id for column in given)), given)


class _ColumnFinder:
    """Finds what is asked for in one version, and the faults about what cannot be found."""

    def __init__(self, schema: TableSchema, known: KnownFields) -> None:
        self._schema = schema
        self._known = known
        self._lookup = Lookup(schema)
        self._now = datetime.now(UTC)

    # ------------------------------------------------------------ names

    def by_names(self, columns: Columns) -> tuple[Field, ...]:
        """Return the columns with these names, each under the name that was asked for."""
        names = _as_list(columns)
        faults = list(self._name_faults(names)) if names else [_NO_NAMES]
        if faults:
            raise ProjectionError.of(faults)
        found = ((name, self._find(name)) for name in names)
        return tuple(column.field.with_name(name) for name, column in found if column is not None)

    def _find(self, name: str) -> LocatedField | None:
        """Find the column that is called so, in any case, or keeps the name as an alias that has not ended."""
        return self._lookup.meant((name,), self._now)

    def _name_faults(self, names: list[Any]) -> Iterator[Fault]:
        """Yield what is wrong with the names."""
        earlier: dict[tuple[str, int | None], str] = {}
        for name in names:
            if not isinstance(name, str):
                yield Fault("read.no-column", "columns", f"{shown(name)} is no name of a column.", "Pass names.")
                continue
            column = self._find(name)
            # Two names that differ in case only and find one column: no query could tell the two apart.
            key = (name.lower(), None if column is None else column.field.id)
            first = earlier.get(key)
            earlier.setdefault(key, name)
            if first == name:
                yield Fault("read.column-twice", name, f"{shown(name)} is asked for twice.", "Name each column once.")
            elif column is None:
                yield self._missing_fault(name)
            elif first is not None:
                yield twice_fault(name, first)

    # ------------------------------------------------------------ a contract

    def by_contract(self, contract: ContractLike) -> tuple[Field, ...]:
        """Return the columns that a contract needs."""
        needs = checked_contract(contract).columns
        needed: list[NeededField] = []
        faults: list[Fault] = []
        for need in needs:
            path = self._lookup.path(need.name)
            found = self._lookup.meant(path, self._now)
            if found is None:
                faults.append(self._missing_fault(need.name))
            elif need.id is not None and found.field.id != need.id:
                faults.append(other_field_fault(need.name, need.id, found.field.id, self._lookup))
            else:
                needed.append(NeededField(need, path, found))
        if not needs:
            faults = [_NO_NEEDS]
        if faults:
            raise ProjectionError.of(faults)
        return columns_of(needed, self._lookup, self._now)

    # ------------------------------------------------------------ what is not there

    def _missing_fault(self, name: str) -> Fault:
        message = f"version {self._schema.id} has no column {shown(name)}{self._last_versions(name)}{self._ended_alias(name)}."
        return Fault("read.no-column", name, message, self._advice(name))

    def _ended_alias(self, name: str) -> str:
        """Return that the name was an alias, until a day that is over; empty if it was none."""
        for _, ends in aliases_by_field(self._schema):
            if name in ends:
                return f"; it was an alias until {ends[name]}" if ends[name] else ""
        return ""

    def _last_versions(self, name: str) -> str:
        """Return until when fields were called so; empty if none was."""
        numbers = sorted(self._known.called(name))
        texts = [f"field {number} was called so until version {self._known.last_called(name, number)}" for number in numbers]
        return f"; {', and '.join(texts)}" if texts else ""

    def _advice(self, name: str) -> str:
        """Return what the column is called now, where it is still there; or what comes near."""
        numbers = self._known.called(name)
        columns = (self._schema.column(number) for number in sorted(numbers))
        names = [column.name for column in columns if column is not None]
        if names:
            return f"It is called {' and '.join(names)} now: ask for that."
        if numbers:
            version = max(self._known.last_called(name, number) for number in numbers)
            return f"It was dropped; read the table as it was: version={version}."
        return did_you_mean(name, self._schema.names)


def _as_list(columns: Columns) -> list[Any]:
    """Return the names as a list, of which one alone may be passed."""
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        return [columns]
    return list(columns)

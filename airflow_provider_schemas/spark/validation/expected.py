"""What is expected of data: the columns of a table's schema, or those that a contract names, in one form."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.contracts.contract import Accepts, Contract, Need, Shape
from airflow_provider_schemas.core.report import Consumer
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ContractError, SchemaError
from airflow_provider_schemas.store.table import Table

_FIX: Final = "Pass a table of a store, a version, a schema, a contract, SQL text of columns, names or a mapping."


class ExpectedColumn(Struct, frozen=True):
    """One column, or a field inside one, that is expected."""

    path: tuple[str, ...]
    kind: DataType | None = None
    """Its type; None where any will do."""
    nullable: bool = True
    needed: bool = True
    """Whether it must be there; a nullable column of a schema need not."""
    exact: bool = False
    id: int | None = None

    @property
    def dotted(self) -> str:
        return ".".join(self.path)


class Expected(Struct, frozen=True):
    """All that is expected."""

    columns: tuple[ExpectedColumn, ...]
    table: str = ""
    version: int | None = None
    closed: bool = True
    """Whether there may be no other columns."""
    positional: bool = False
    key: tuple[str, ...] = ()
    """The columns whose values are unique together."""
    owner: str = ""
    contact: str = ""
    job: Consumer | None = None
    """Who needs it, where it is a contract."""


ExpectedSource = Expected | Table | Version | TableSchema | Contract | str | Mapping[str, Any] | Iterable[str]
"""What `validate` can be told to expect."""


def read_expected(source: ExpectedSource) -> Expected:
    """Return what is expected by a table, a version, a schema, a contract, or what a contract is written as."""
    if isinstance(source, Expected):
        return source
    if isinstance(source, Table):
        head = source.latest()
        return expected_by_schema(head.schema, source.name, head.number)
    if isinstance(source, Version):
        return expected_by_schema(source.schema, "", source.number)
    if isinstance(source, TableSchema):
        return expected_by_schema(source, "", None)
    return expected_by_contract(_read_contract(source))


def _read_contract(source: object) -> Contract:
    if isinstance(source, Contract):
        return source
    if not isinstance(source, str | Mapping | Iterable) or isinstance(source, bytes):
        raise ContractError(f"a {type(source).__name__} says nothing of what is expected.", code="contract.no-contract", fix=_FIX)
    return Contract.of(source)


def expected_by_schema(schema: TableSchema, table: str = "", version: int | None = None) -> Expected:
    """Return what rows of a table are."""
    owner, contact = _read_owner(schema)
    return Expected(tuple(map(_column_of_field, schema.fields)), table, version, key=schema.primary_keys, owner=owner, contact=contact)


def _read_owner(schema: TableSchema) -> tuple[str, str]:
    try:
        attributes = schema.table_attributes
    except SchemaError:  # which other checks report
        return "", ""
    return _text(attributes.get("owner")), _text(attributes.get("contact"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _column_of_field(field: Field) -> ExpectedColumn:
    needed = not field.type.nullable or field.default is not None
    return ExpectedColumn((field.name,), field.type, field.type.nullable, needed=needed, id=field.id)


def expected_by_contract(contract: Contract) -> Expected:
    """Return what a job needs."""
    key = contract.primary_key or ()
    unnamed = (ExpectedColumn((column,)) for column in key if column not in contract.names)
    return Expected(
        (*map(_column_of_need, contract.columns), *unnamed),
        contract.table,
        closed=contract.shape is not Shape.OPEN,
        positional=contract.shape is Shape.POSITIONAL,
        key=key,
        owner=contract.owner,
        contact=contract.contact,
        job=Consumer(contract.name or "this job", contract.owner, contract.contact, last_seen=contract.last_seen),
    )


def _column_of_need(need: Need) -> ExpectedColumn:
    kind = None if need.accepts is Accepts.ANY else need.kind
    return ExpectedColumn(tuple(need.name.split(".")), kind, need.nullable, exact=need.accepts is Accepts.EXACT, id=need.id)

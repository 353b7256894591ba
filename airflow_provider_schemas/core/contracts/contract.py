"""A contract: what one job needs of one table. Columns with the types it accepts, NULL, roles, and the shape of what it takes.

Written as SQL text, as a list of names, as a mapping, or made from a schema. A file of a job names several
tables (see `formats.contract_file`); a contract is about one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.common.user_document import Part, UserDocument
from airflow_provider_schemas.core.contracts.inner_pins import as_pinned
from airflow_provider_schemas.core.contracts.read_ways import checked_way
from airflow_provider_schemas.core.contracts.roles import Accepts, Role, Shape
from airflow_provider_schemas.core.contracts.write_ways import checked_writer
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import RowType, field, fold, rebuilt, row
from airflow_provider_schemas.core.types.parsing import parse_any, parse_columns
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, Fault

__all__ = ["Accepts", "Contract", "Need", "Role", "Shape", "needs", "needs_of", "writing"]

_NOT_NULL = re.compile(r"\bNOT\s+NULL\s*$", re.IGNORECASE)


def _checked_type(text: str) -> str:
    parse_any(text)
    return text


class Need(Part):
    """One column that a job needs, or a field inside one: `address.city`."""

    name: str = Field(min_length=1)
    id: Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)] | None = None
    """The field that the contract is pinned to; without one, the field of that name."""
    type: Annotated[str, AfterValidator(_checked_type)] | None = None
    accepts: Accepts = Accepts.LOSSLESS
    nullable: bool = True
    """Whether the job takes NULL."""
    role: tuple[Role, ...] = (Role.SELECT,)
    inner: Mapping[str, int] = Field(default={}, alias=" inner", exclude=True, repr=False)
    """The fields inside that a registered contract is pinned to, by their paths. The registry sets this; people do not write it."""

    @field_validator("role", mode="before")
    @classmethod
    def _listed_roles(cls, value: object) -> object:
        if isinstance(value, str):
            return (value,)
        return value

    @cached_property
    def kind(self) -> DataType | None:
        """Return the type that the job names, NOT NULL if it takes no NULL."""
        if self.type is None:
            return None
        return parse_any(self.type).with_nullable(self.nullable)

    @property
    def is_nested(self) -> bool:
        """Return whether the type that the job names has types inside."""
        return self.type is not None and ("<" in self.type or "{" in self.type)

    @cached_property
    def meant(self) -> DataType | None:
        """Return the type with the ids of the fields inside that it means; None where nobody knows of any."""
        if not self.inner or self.kind is None:
            return None
        return as_pinned(self.name, self.kind, self.inner)

    @model_validator(mode="before")
    @classmethod
    def _null_in_type(cls, values: object) -> object:
        """Read `type: BIGINT NOT NULL` as that the job takes no NULL."""
        if isinstance(values, Mapping) and "nullable" not in values and isinstance(values.get("type"), str):
            return {**values, "nullable": not _NOT_NULL.search(values["type"])}
        return values


class Contract(ShortRepr, UserDocument):
    """What one job needs from one table."""

    refusal: ClassVar = ContractError
    noun: ClassVar = "contract"

    name: str = ""
    """Who needs it: a job, such as dag.task."""
    table: str = ""
    owner: str = ""
    contact: str = ""
    columns: tuple[Need, ...] = ()
    shape: Shape = Shape.OPEN
    primary_key: tuple[str, ...] | None = None
    partitioned_by: tuple[str, ...] | None = None
    read_with: Annotated[str, AfterValidator(checked_way)] = ""
    """How the job reads: read_table, view, or an engine such as spark-4-parquet; the engine of the table by name, if empty."""
    write_with: Annotated[str, AfterValidator(checked_writer)] = ""
    """The writer of the columns that the job writes, such as deltalake; one that takes values as Spark does, if empty."""
    last_seen: str = ""

    def _short_text(self) -> str:
        columns = (
            f"{counted(len(self.columns), 'column')} ({listed([need.name for need in self.columns])})" if self.columns else "no columns"
        )
        job = f"{named(self.name, 'of a job without a name')} about {named(self.table, 'any table')}"
        return f"{job}: {joined(columns, self.shape.value, named(self.owner))}"

    @field_validator("columns", mode="before")
    @classmethod
    def _as_mappings(cls, value: object) -> object:
        return needs(value)

    @field_validator("columns")
    @classmethod
    def _each_once(cls, columns: tuple[Need, ...]) -> tuple[Need, ...]:
        times = Counter(need.name for need in columns)
        twice = sorted(name for name in times if times[name] > 1)[:MAX_FAULTS]
        if not twice:
            return columns
        raise ContractError.of(Fault("contract.twice", name, f"{shown(name)} stands there twice.", "Keep one of them.") for name in twice)

    @classmethod
    def of(
        cls,
        source: "Contract | TableSchema | str | Mapping[str, Any] | Iterable[str]",
        *,
        pin: bool = False,
        **about: Any,
    ) -> Self:
        """Return the contract in SQL text, in a list of names, in a mapping, or of a schema whose every column is needed.

        Pin it to the ids of a schema, and a renamed column is found again. About is name, table, owner, contact, shape ...
        """
        if isinstance(source, TableSchema):
            return cls(columns=needs_of(source, pin=pin), **about)
        if isinstance(source, cls):
            if not about:
                return source
            return cls(**{**source.model_dump(), **about})
        if isinstance(source, Mapping):
            return cls.read({**source, **about})
        return cls.read({"columns": source, **about})

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that it uses, and those of the columns around fields that it names."""
        names = {need.name for need in self.columns}
        return frozenset(names | {name.split(".", 1)[0] for name in names})

    @cached_property
    def pins(self) -> frozenset[int]:
        """Return the fields that it is pinned to."""
        return frozenset(need.id for need in self.columns if need.id is not None)

    @cached_property
    def writes(self) -> bool:
        """Return whether the job writes the table."""
        return any(Role.WRITE in need.role for need in self.columns)


def writing(contract: Contract) -> Contract:
    """Return the contract of a job that writes every column that it names, whatever else it does with one."""
    return contract.model_copy(update={"columns": tuple(map(_written, contract.columns))})


def _written(need: Need) -> Need:
    if Role.WRITE in need.role:
        return need
    roles = (*need.role, Role.WRITE)
    if need.role == (Role.SELECT,):
        roles = (Role.WRITE,)
    return need.model_copy(update={"role": roles})


def needs(source: object) -> object:
    """Return what people write for columns as mappings: SQL text, names, or mappings among them."""
    if isinstance(source, str):
        return [{"name": column.name, "type": str(column.type)} for column in parse_columns(source)]
    if isinstance(source, Mapping):
        return [_need(name, kind) for name, kind in source.items()]
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        return [{"name": need} if isinstance(need, str) else need for need in source]
    return source


def _need(name: object, kind: object) -> object:
    if not isinstance(kind, Mapping):
        return {"name": name, "type": kind}
    if kind.get("name", name) != name:
        message = f"the column is called {shown(name)} and {shown(kind['name'])}."
        raise ContractError(message, code="contract.contradiction", path=str(name), fix="Leave out the name inside.")
    return {**kind, "name": name}


def needs_of(schema: TableSchema, *, pin: bool = False) -> tuple[Need, ...]:
    """Return every column of a schema as a need."""
    return tuple(
        Need(
            name=column.name,
            id=column.id if pin else None,
            type=str(_without_defaults(column.type)),
            nullable=column.type.nullable,
        )
        for column in schema.fields
    )


def _without_defaults(kind: DataType) -> DataType:
    """Return the type without the defaults inside it, which are for writers, and whose text need not be SQL."""
    if isinstance(kind, AtomicType):
        return kind
    return fold(kind, lambda part, inner: _undefaulted(rebuilt(part, inner)))


def _undefaulted(kind: DataType) -> DataType:
    if not isinstance(kind, RowType):
        return kind
    return row(field(part.id, part.name, part.type, part.description) for part in kind.fields).with_nullable(kind.nullable)

"""Contracts: what one job needs from a table. Columns with the types it accepts, NULL, roles, and the shape of what it takes.

Written as SQL text, as a list of names, as a mapping, or made from a schema. A file of a job names several
tables (see `formats.contract_file`); a contract is about one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.common.user_document import Part, UserDocument
from airflow_provider_schemas.core.contracts.inner_pins import as_pinned
from airflow_provider_schemas.core.contracts.read_ways import checked_way
from airflow_provider_schemas.core.contracts.roles import Accepts, Role, Shape
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import RowType, field, fold, rebuilt, row
from airflow_provider_schemas.core.types.parsing import parse_any, parse_columns
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, Fault

__all__ = ["Accepts", "Contract", "Need", "Role", "Shape", "needs", "needs_of", "writing"]

_NOT_NULL = re.compile(r"\bNOT\s+NULL\s*$", re.IGNORECASE)


def _type(text: str) -> str:
    parse_any(text)
    return text


class Need(Part):
    """One column that a job needs, or a field inside one: `address.city`."""

    name: str = Field(min_length=1)
    id: Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)] | None = None
    """The field that the contract is pinned to; without one, whatever bears the name."""
    type: Annotated[str, AfterValidator(_type)] | None = None
    accepts: Accepts = Accepts.LOSSLESS
    nullable: bool = True
    """Whether the job takes NULL."""
    role: tuple[Role, ...] = (Role.SELECT,)
    inner: Mapping[str, int] = Field(default={}, alias=" inner", exclude=True, repr=False)
    """The fields inside that a registered contract is pinned to, by their paths. Nobody writes this: the registry knows."""

    @field_validator("role", mode="before")
    @classmethod
    def _one_role(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @cached_property
    def kind(self) -> DataType | None:
        """The type that the job names, NOT NULL if it takes no NULL."""
        return None if self.type is None else parse_any(self.type).with_nullable(self.nullable)

    @property
    def is_nested(self) -> bool:
        """Whether the type that the job names has types inside."""
        return self.type is not None and ("<" in self.type or "{" in self.type)

    @cached_property
    def meant(self) -> DataType | None:
        """The type with the ids of the fields inside that are meant; None where nobody knows of any."""
        return as_pinned(self.name, self.kind, self.inner) if self.inner and self.kind is not None else None

    @model_validator(mode="before")
    @classmethod
    def _null_in_type(cls, values: Any) -> Any:
        """`type: BIGINT NOT NULL` says that the job takes no NULL."""
        if isinstance(values, Mapping) and "nullable" not in values and isinstance(values.get("type"), str):
            return {**values, "nullable": not _NOT_NULL.search(values["type"])}
        return values


class Contract(UserDocument):
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
    last_seen: str = ""

    @field_validator("columns", mode="before")
    @classmethod
    def _as_written(cls, value: Any) -> Any:
        return needs(value)

    @field_validator("columns")
    @classmethod
    def _each_once(cls, columns: tuple[Need, ...]) -> tuple[Need, ...]:
        twice = sorted(name for name, times in Counter(one.name for one in columns).items() if times > 1)[:MAX_FAULTS]
        if twice:
            raise ContractError.of(
                [Fault("contract.twice", name, f"{shown(name)} stands there twice.", "Keep one of them.") for name in twice]
            )
        return columns

    @classmethod
    def of(
        cls,
        source: "Contract | TableSchema | str | Mapping[str, Any] | Iterable[str]",
        *,
        pin: bool = False,
        **about: Any,
    ) -> Self:
        """The contract in SQL text, in a list of names, in a mapping, or of a schema whose every column is needed.

        Pin it to the ids of a schema, and a renamed column is found again. About is name, table, owner, contact, shape ...
        """
        if isinstance(source, TableSchema):
            return cls(columns=needs_of(source, pin=pin), **about)
        if isinstance(source, cls):
            return cls(**{**source.model_dump(), **about}) if about else source
        if isinstance(source, Mapping):
            return cls.read({**source, **about})
        return cls.read({"columns": source, **about})

    @cached_property
    def names(self) -> frozenset[str]:
        """The columns that it speaks of, without the fields inside them."""
        return frozenset(name for one in self.columns for name in (one.name, one.name.split(".", 1)[0]))

    @cached_property
    def pins(self) -> frozenset[int]:
        """The fields that it is pinned to."""
        return frozenset(one.id for one in self.columns if one.id is not None)

    @cached_property
    def writes(self) -> bool:
        """Whether the job writes the table."""
        return any(Role.WRITE in one.role for one in self.columns)


def writing(contract: Contract) -> Contract:
    """The contract of a job that writes every column that it names, whatever else it does with one."""
    needs = tuple(one if Role.WRITE in one.role else one.model_copy(update={"role": _with_write(one)}) for one in contract.columns)
    return contract.model_copy(update={"columns": needs})


def _with_write(need: Need) -> tuple[Role, ...]:
    return (Role.WRITE,) if need.role == (Role.SELECT,) else (*need.role, Role.WRITE)


def needs(source: Any) -> Any:
    """What people write for columns, as mappings: SQL text, names, or mappings among them."""
    if isinstance(source, str):
        return [{"name": one.name, "type": str(one.type)} for one in parse_columns(source)]
    if isinstance(source, Mapping):
        return [_need(name, kind) for name, kind in source.items()]
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        return [{"name": one} if isinstance(one, str) else one for one in source]
    return source


def _need(name: object, kind: object) -> object:
    if not isinstance(kind, Mapping):
        return {"name": name, "type": kind}
    if kind.get("name", name) != name:
        message = f"the column is called {shown(name)} and {shown(kind['name'])}."
        raise ContractError(message, code="contract.contradiction", path=str(name), fix="Leave out the name inside.")
    return {**kind, "name": name}


def needs_of(schema: TableSchema, *, pin: bool = False) -> tuple[Need, ...]:
    """Every column of a schema."""
    return tuple(
        Need(name=one.name, id=one.id if pin else None, type=str(_without_defaults(one.type)), nullable=one.type.nullable)
        for one in schema.fields
    )


def _without_defaults(kind: DataType) -> DataType:
    """The type without the defaults inside it, which are for writers, and whose text need not be SQL."""
    return kind if isinstance(kind, AtomicType) else fold(kind, lambda part, inner: _undefaulted(rebuilt(part, inner)))


def _undefaulted(kind: DataType) -> DataType:
    if not isinstance(kind, RowType):
        return kind
    return row(field(one.id, one.name, one.type, one.description) for one in kind.fields).with_nullable(kind.nullable)

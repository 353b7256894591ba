"""The table file: what people write about one table, review and copy most.

It says what shall be there. What it does not mention stays; a key that stands there with null takes something away.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self

import msgspec
from pydantic import BeforeValidator, Field, PlainValidator, PrivateAttr, WithJsonSchema
from pydantic.config import JsonDict

from airflow_provider_schemas.core.common.user_document import Part, Written
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.core.schema.table_schema import Options as SchemaOptions
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.errors import Fault, InvalidSchemaError, SchemaError, TableFileError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.table_file.field_paths import steps_of
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import ACCEPTS, Accepted, accepted
from airflow_provider_schemas.formats.table_file.parsing.attributes import OF_COLUMN, OF_TABLE, attribute_option, policy_option, said
from airflow_provider_schemas.formats.table_file.parsing.contradictions import contradictions
from airflow_provider_schemas.formats.table_file.parsing.entries import (
    NULL,
    TEXT,
    Alias,
    Default,
    Deprecated,
    Name,
    Options,
    SqlType,
    TableName,
    Tags,
    Was,
    kind_of,
    refused,
    text,
    what,
)
from airflow_provider_schemas.formats.table_file.parsing.unquoted_types import without_halves
from airflow_provider_schemas.formats.user_file import WrittenFile

Text = Annotated[str | None, PlainValidator(lambda value: None if value is None else text(value)), WithJsonSchema({"anyOf": [TEXT, NULL]})]
Accepts = Annotated[Accepted | None, PlainValidator(accepted), WithJsonSchema(ACCEPTS)]


class Column(Part):
    """A column, as it shall be."""

    name: Name = Field(description="The name of the column.")
    type: SqlType = Field(description="The type as SQL text, NOT NULL included. A field of a ROW that is not named here stays.")
    comment: Text = Field(None, description="What the column is for. Null takes the comment away.")
    default: Default = Field(None, description="The value that writers fill in, as text. Null takes the default away.")
    was: Was = Field(
        {}, description="The earlier name, or several: a rename, said by a human. For fields inside, a mapping of path and name."
    )
    deprecated: Deprecated = Field(None, description="The day from which nobody should use it, or true. Null takes it back.")
    reason: Text = Field(None, description="Why it is deprecated, and what to use instead.")
    alias: Alias = Field(
        None, description="Old names that stay valid: one, a list, or a mapping of name and the day until which it is valid."
    )
    unit: Text = Field(None, description="What the numbers count: EUR, ms, kWh.")
    tags: Tags = Field(None, description="What the values are: pii, for example.")
    accepts: Accepts = Field(None, description="Rules that this column may break on purpose, each with a reason, until a date.")

    @property
    def kind(self) -> DataType:
        """The type."""
        return kind_of(self.type)

    @property
    def earlier_names(self) -> tuple[str, ...]:
        """What the column itself was called before; a mapping says it under the name of now."""
        return tuple([name for path, names in self.was.items() if not path or steps_of(path) == (self.name,) for name in names])

    def mentions(self, key: str) -> bool:
        """Whether the file says something about it, null among it."""
        return key in self.model_fields_set


class Dropped(Part):
    """A column that shall go, or a field inside one."""

    name: Name
    accepts: Accepts = None


def _dropped(value: object) -> object:
    if isinstance(value, Mapping | Dropped):
        return value
    return {"name": text(value, "name")}


_DROPPED = {"type": "object", "properties": {"name": TEXT, "accepts": ACCEPTS}, "required": ["name"], "additionalProperties": False}
DroppedEntry = Annotated[Dropped, BeforeValidator(_dropped), WithJsonSchema({"anyOf": [TEXT, _DROPPED]})]

# What single keys are, `editor_schema` adds.
POLICY = {"anyOf": [TEXT, {"type": "object"}, NULL], "examples": ["default"]}


def _policy(value: object) -> Policy | str | None:
    if value is None or isinstance(value, str | Policy):
        return value
    if not isinstance(value, Mapping):
        raise refused(f"{what(value)} is no policy.", "Write the name of a policy, or its keys.")
    return Policy.read(value)


PolicyEntry = Annotated[Policy | str | None, PlainValidator(_policy), WithJsonSchema(POLICY)]


_ONCE: JsonDict = {"uniqueItems": True}

# How the codes begin of what can be wrong with a list of keys.
_KEYS = {"primary_key": "schema.primary-key", "partitioned_by": "schema.partition-key"}


class TableFile(Written):
    """What shall be true of one table. What is not mentioned stays as it is."""

    refusal: ClassVar[type[SchemaError]] = TableFileError
    noun: ClassVar[str] = "table file"

    table: TableName = Field(description="The database, a dot, and the name of the table.")
    owner: Text = Field(None, description="Who is called; every finding names them.", examples=["team-orders"])
    contact: Text = Field(None, description="Where they are reached.", examples=["#orders-oncall"])
    comment: Text = Field(None, description="What the table is for. Null takes the comment away.")
    columns: tuple[Column, ...] = Field((), description="The columns, in order. One that the table has and the list does not stays.")
    dropped: tuple[DroppedEntry, ...] = Field((), description="The columns that shall go, and no others; address.zip for a field of a ROW.")
    primary_key: tuple[Name, ...] = Field(
        (), description="The columns of the primary key, in order.", examples=[["order_id", "dt"]], json_schema_extra=_ONCE
    )
    partitioned_by: tuple[Name, ...] = Field(
        (), description="The columns by which the table is partitioned, in order.", examples=[["dt"]], json_schema_extra=_ONCE
    )
    options: Options = Field({}, description="Options of the table. Null takes one away.")
    location: Text = Field(None, description="Where the data lies, for tables whose format keeps no schema files.")
    format: Text = Field(None, description="The format of that data.", examples=["parquet", "iceberg"])
    policy: PolicyEntry = Field(None, description="The name of a policy of the registry, or a policy as a block. Null takes it away.")

    _written: WrittenFile | None = PrivateAttr(None)

    def __init__(self, /, **values: Any) -> None:
        faults: list[Fault] = []
        try:
            super().__init__(**values)
        except TableFileError as error:
            faults += error.faults
        faults = [*without_halves(values, faults), *contradictions(values)]
        if faults:
            raise TableFileError.of(faults)

    @classmethod
    def of(cls, written: WrittenFile) -> Self:
        """The table file in a document, which it remembers."""
        found = written.read(TableFileError, cls.read)
        found._written = written
        return found

    def mentions(self, key: str) -> bool:
        """Whether the file says something about it, null among it."""
        return key in self.model_fields_set

    @property
    def file(self) -> str:
        """The name of the file that it was read from."""
        return self._written.file if self._written else ""

    def place(self, path: yaml.Path | str) -> Place | None:
        """Where an entry stands, or the nearest one around it; None for a table file that was not read from a text.

        The path is the way to it, or that written out: ("columns", 2, "type") or "columns[2].type".
        """
        return self._written.place(path) if self._written else None

    def refusal_of(self, faults: Iterable[Fault]) -> TableFileError:
        """The error for faults whose paths are those of entries."""
        return TableFileError.of(self._written.placed(faults) if self._written else faults)

    # ------------------------------------------------------------ a table that is not there yet

    def create(self) -> TableSchema:
        """The first schema of the table, or a TableFileError that names every fault."""
        if not self.columns:
            missing = Fault("table-file.missing", "columns", "the file lists no columns, and there is no table yet.", "List its columns.")
            raise self.refusal_of([missing])
        try:
            made = TableSchema.create(
                columns=[{"name": one.name, "type": one.type, "comment": one.comment, "default": one.default} for one in self.columns],
                partition_keys=self.partitioned_by,
                primary_keys=self.primary_key,
                options={key: value for key, value in self.options.items() if value is not None},
                comment=self.comment,
            )
        except InvalidSchemaError as error:
            raise self.refusal_of(map(self._of_entry, error.faults)) from None
        options = {**made.options, **{key: value for key, value in self._attributes(made) if value is not None}}
        return msgspec.structs.replace(made, options=SchemaOptions(options))

    def _attributes(self, made: TableSchema) -> Iterator[tuple[str, str | None]]:
        yield from attribute_option(None, said(self, OF_TABLE), made.options)
        for column, field in zip(self.columns, made.fields, strict=True):
            yield from attribute_option(field.id, said(column, OF_COLUMN), made.options)
        yield from policy_option(self.policy, made.options)

    def _of_entry(self, fault: Fault) -> Fault:
        """A fault of the schema as one of the entry that it comes from."""
        path, column = fault.path, fault.path.split(".", 1)[0]
        entries = [f"columns[{number}]" for number, one in enumerate(self.columns) if one.name in (path, column)]
        keys = [(key, getattr(self, key)) for key, code in _KEYS.items() if fault.code.startswith(code)]
        entries += [f"{key}[{names.index(path)}]" for key, names in keys if path in names]
        entries += [f"options.{path}"] if path in self.options else []
        message = f"{path}: {fault.message}" if entries[:1] and path not in (column, *self.options) else fault.message
        return fault._replace(path=entries[0] if entries else "table", message=message)

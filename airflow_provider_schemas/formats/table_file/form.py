"""The form of a table file: the pydantic model that reads files with faults, to report every fault, and describes keys to editors.

A file without faults is read by `model`, which does not load this.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, Field, PlainValidator, ValidatorFunctionWrapHandler, WithJsonSchema, WrapValidator
from pydantic.config import JsonDict

from airflow_provider_schemas.core.common.user_document import Part, UserDocument
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import ACCEPTS, Accepted, read_accepted
from airflow_provider_schemas.formats.table_file.parsing.attributes import read_policy
from airflow_provider_schemas.formats.table_file.parsing.entries import (
    ATTRIBUTES,
    DATE,
    KEYS_OF_OPTIONS,
    NULL,
    TEXT,
    read_aliases,
    read_deprecated,
    read_earlier_names,
    read_name,
    read_optional_text,
    read_options,
    read_plain_text,
    read_table_name,
    read_tags,
    read_text,
    read_type,
)
from airflow_provider_schemas.formats.table_file.parsing.read_entry import ReadEntry

Name = Annotated[str, PlainValidator(read_name), WithJsonSchema(TEXT | {"minLength": 1})]


_TYPES = ["BIGINT NOT NULL", "DECIMAL(12, 2)", "TIMESTAMP(3)", "ARRAY<STRING>", "ROW<street STRING, zip STRING>"]
SqlType = Annotated[str, PlainValidator(read_type), WithJsonSchema(TEXT | {"examples": _TYPES})]


_NAMES = {"anyOf": [TEXT, {"type": "array", "items": TEXT, "minItems": 1}]}
Was = Annotated[
    Mapping[str, tuple[str, ...]],
    PlainValidator(read_earlier_names),
    WithJsonSchema({
        "anyOf": [*_NAMES["anyOf"], {"type": "object", "additionalProperties": _NAMES}],
        "examples": ["cust_id", {"address.zip_code": "zip"}],
    }),
]  # fmt: skip


Alias = Annotated[
    Mapping[str, str] | None,
    PlainValidator(read_aliases),
    WithJsonSchema({
        "anyOf": [*_NAMES["anyOf"], {"type": "object", "additionalProperties": {"anyOf": [DATE, NULL]}}, NULL],
        "examples": ["cust_id", {"cust_id": "2026-12-31"}],
    }),
]  # fmt: skip


Deprecated = Annotated[
    bool | str | None,
    PlainValidator(read_deprecated),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, DATE, NULL], "examples": ["2026-12-31"]}),
]


_PLAIN = [TEXT, {"type": "integer"}, {"type": "boolean"}, NULL]
Default = Annotated[str | None, PlainValidator(read_plain_text), WithJsonSchema({"anyOf": _PLAIN, "examples": ["0", "new"]})]


_SOME = {"anyOf": [TEXT, {"type": "array", "items": TEXT}, NULL], "examples": [["pii"]]}
Tags = Annotated[tuple[str, ...] | None, PlainValidator(read_tags), WithJsonSchema(_SOME)]


_PART = r"[^./\\ \t\n\r]+"
_TABLE = {"pattern": rf"^{_PART}(\.{_PART})+$", "examples": ["shop.orders"]}
TableName = Annotated[str, PlainValidator(read_table_name), WithJsonSchema(TEXT | _TABLE)]


_OTHER_OPTIONS = {"pattern": rf"^(?!({'|'.join(map(re.escape, KEYS_OF_OPTIONS))})$|{re.escape(ATTRIBUTES)})"}
_OPTIONS = {"propertyNames": _OTHER_OPTIONS, "additionalProperties": {"anyOf": _PLAIN}, "examples": [{"bucket": "4"}]}
Options = Annotated[Mapping[str, str | None], PlainValidator(read_options), WithJsonSchema({"type": "object"} | _OPTIONS)]


Text = Annotated[str | None, PlainValidator(read_optional_text), WithJsonSchema({"anyOf": [TEXT, NULL]})]
Accepts = Annotated[Accepted | None, PlainValidator(read_accepted), WithJsonSchema(ACCEPTS)]


class ColumnForm(Part):
    """A column, as it shall be."""

    model_config = ConfigDict(title="Column")

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


class DroppedForm(Part):
    """A column that shall go, or a field inside one."""

    name: Name
    accepts: Accepts = None


def _read_once(value: object, read: ValidatorFunctionWrapHandler) -> Any:
    """Return an entry that has been read already unchanged; read any other."""
    return value if isinstance(value, ReadEntry) else read(value)


def _dropped_keys(value: object) -> Mapping[str, object]:
    """Return the keys of a dropped column; a text is its name."""
    return value if isinstance(value, Mapping) else {"name": read_text(value, "name")}


_DROPPED_SCHEMA = {"type": "object", "properties": {"name": TEXT, "accepts": ACCEPTS}, "required": ["name"], "additionalProperties": False}
DroppedEntry = Annotated[
    DroppedForm, BeforeValidator(_dropped_keys), WrapValidator(_read_once), WithJsonSchema({"anyOf": [TEXT, _DROPPED_SCHEMA]})
]

ColumnEntry = Annotated[ColumnForm, WrapValidator(_read_once)]

# `editor_schema` adds the keys of a block.
POLICY = {"anyOf": [TEXT, {"type": "object"}, NULL], "examples": ["default"]}


PolicyEntry = Annotated[Policy | str | None, PlainValidator(read_policy), WithJsonSchema(POLICY)]


_ONCE: JsonDict = {"uniqueItems": True}


class TableFileForm(UserDocument):
    """What shall be true of one table. What is not mentioned stays as it is."""

    model_config = ConfigDict(title="TableFile")

    refusal: ClassVar[type[SchemaError]] = TableFileError
    noun: ClassVar[str] = "table file"

    table: TableName = Field(description="The database, a dot, and the name of the table.")
    owner: Text = Field(None, description="Who is called; every finding names them.", examples=["team-orders"])
    contact: Text = Field(None, description="Where they are reached.", examples=["#orders-oncall"])
    comment: Text = Field(None, description="What the table is for. Null takes the comment away.")
    columns: tuple[ColumnEntry, ...] = Field((), description="The columns, in order. One that the table has and the list does not stays.")
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


def json_text(file: ReadEntry) -> str:
    """Return a table file that has been read as JSON: every key, null among the values."""
    values = _values(file)
    columns = tuple([ColumnForm.model_construct(**_values(column)) for column in values["columns"]])
    dropped = tuple([DroppedForm.model_construct(**_values(column)) for column in values["dropped"]])
    return TableFileForm.model_construct(**{**values, "columns": columns, "dropped": dropped}).model_dump_json(warnings=False)


def _values(entry: ReadEntry) -> dict[str, Any]:
    return {key: getattr(entry, key) for key in entry.KEYS}


def refusal_of(value: object) -> TableFileError:
    """Return the error about a value that is not a mapping, or has keys that are not texts."""
    try:
        TableFileForm.read(value)
    except TableFileError as error:
        return error
    raise AssertionError("a mapping of texts is read by the model")

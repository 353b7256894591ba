"""A table's schema: fields with ids, partition keys, primary keys, options, comment.

The content of one `schema-N` file, as an immutable value. Reading and writing the file's bytes is in
`schema_file` and `java_json`; the rules for a new schema are in `validity`.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self, TypeVar, overload

import msgspec
from msgspec import UNSET, Struct

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed
from airflow_provider_schemas.core.common.strict_json import JsonValue, Place
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema import java_json, schema_file, strict_schema_file
from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION, FIRST_VERSION
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parts import Parts, parts
from airflow_provider_schemas.errors import Fault, InvalidSchemaError, SchemaFileError

PROVENANCE = strict_schema_file.PROVENANCE

# Defaults of readers of the older formats for options that are missing: (up to version, option, value).
_OLD_DEFAULTS = ((1, "bucket", "1"), (2, "file.format", "orc"))

T = TypeVar("T")


class Options(Mapping[str, str]):
    """The options of a table: a mapping that cannot be changed."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self._values: dict[str, str] = dict(values._values if isinstance(values, Options) else values)

    def __getitem__(self, key: str) -> str:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    # Those of Mapping are written in Python, and an option that is not set costs them an exception.
    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Options):
            return self._values == other._values
        return super().__eq__(other)

    @overload
    def get(self, key: str, /) -> str | None: ...
    @overload
    def get(self, key: str, /, default: str | T) -> str | T: ...
    def get(self, key: str, /, default: Any = None) -> Any:
        """Return the value of an option, or the default."""
        return self._values.get(key, default)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr({key: MASK if is_secret(key) else without_credentials(value) for key, value in self._values.items()})

    def as_dict(self) -> dict[str, str]:
        """Return a copy of the options, which can be changed."""
        return dict(self._values)

    def flag(self, key: str, default: bool = False) -> bool:
        """Return whether a boolean option is on."""
        return self.get(key, str(default)).strip().lower() == "true"


class TableSchema(ShortRepr, Struct, frozen=True, dict=True):
    """One version of a table's schema."""

    fields: tuple[Field, ...]
    highest_field_id: int
    partition_keys: tuple[str, ...] = ()
    primary_keys: tuple[str, ...] = ()
    options: Options = msgspec.field(default_factory=Options)
    comment: str | None = None
    id: int = 0
    version: int = CURRENT_VERSION
    time_millis: int = 0
    unknown: tuple[tuple[Place, str], ...] = ()
    """The keys of the file that no reader knows: the place of each, and its value as JSON text."""

    def _short_text(self) -> str:
        columns = f"{counted(len(self.fields), 'column')} ({listed([field.name for field in self.fields])})"
        key = self.primary_keys and f"primary key {listed(self.primary_keys)}"
        partition = self.partition_keys and f"partitioned by {listed(self.partition_keys)}"
        return f"id {self.id}: {joined(columns, key or '', partition or '')}"

    # ------------------------------------------------------------ making

    @classmethod
    def create(
        cls,
        columns: Iterable[Mapping[str, Any] | Field] | str,
        partition_keys: Iterable[str] = (),
        primary_keys: Iterable[str] = (),
        options: Mapping[str, str] | None = None,
        comment: str | None = None,
    ) -> "TableSchema":
        """Return the first schema of a new table, or raise an InvalidSchemaError that names every fault.

        Columns are SQL text, or one mapping each: name, type, and optionally description (or comment) and default.
        """
        # The one seam of the core: the rules for schemas are built on schemas.
        from airflow_provider_schemas.core.validation.validity import created

        return created(columns, partition_keys, primary_keys, options or {}, comment)

    @classmethod
    def from_json(cls, data: bytes | str) -> Self:
        """Read a schema file, accepting what Java accepts."""
        file, inside, unknown = schema_file.decode(data)
        number = FIRST_VERSION if file.version is UNSET else file.version
        options = dict(file.options)
        for last_version, key, value in _OLD_DEFAULTS:
            if number <= last_version:
                options.setdefault(key, value)
        schema = cls(
            fields=file.fields,
            highest_field_id=file.highestFieldId,
            partition_keys=file.partitionKeys,
            primary_keys=file.primaryKeys,
            options=Options(options),
            comment=file.comment,
            id=file.id,
            version=number,
            time_millis=0 if file.timeMillis is UNSET else file.timeMillis,
            unknown=unknown,
        )
        if inside is not None:  # the reader has counted it, and every check of the schema needs it
            vars(schema)["parts"] = inside
            vars(schema)["fields_size"] = len(data) if isinstance(data, bytes) or data.isascii() else 4 * len(data)
        faults = structure_faults(schema)
        if faults:
            raise InvalidSchemaError.of(faults)
        return schema

    # ------------------------------------------------------------ writing

    def to_json(self) -> str:
        """Return the schema file, in Java's key order and layout, as version 3."""
        members = [
            ("version", str(max(self.version, CURRENT_VERSION))),
            ("id", str(self.id)),
            ("fields", java_json.fields_text(self.fields, "  ")),
            ("highestFieldId", str(self.highest_field_id)),
            ("partitionKeys", java_json.any_text(self.partition_keys)),
            ("primaryKeys", java_json.any_text(self.primary_keys)),
            ("options", java_json.any_text(dict(self.options), "  ")),
        ]
        if self.comment is not None:
            members.append(("comment", java_json.text(self.comment)))
        members.append(("timeMillis", str(self.time_millis)))
        members += self._unknown_members()
        return java_json.object_text(members)

    def _unknown_members(self) -> Iterator[tuple[str, str]]:
        for place, text in self.unknown:
            value = _without_nulls(json.loads(text)) if len(place) == 1 else None
            if value is not None:
                yield str(place[0]), java_json.any_text(value, "  ")

    @property
    def content(self) -> tuple[Any, ...]:
        """The schema without id, version and time: equal for schemas with the same digest."""
        return (self.fields, self.highest_field_id, self.partition_keys, self.primary_keys, self.options, self.comment)

    @cached_property
    def digest(self) -> str:
        """The sha256 of the content: equal for schemas that differ only in id, version, time or order of options."""
        keys = (self.highest_field_id, self.partition_keys, self.primary_keys)
        content = (self.fields, *keys, sorted(self.options.items()), self.comment)
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()

    # ------------------------------------------------------------ reading

    def __str__(self) -> str:
        """Return the schema as people read it: a line for the table, and one for each column with its id."""
        head = [f"schema {self.id}", f"{len(self.fields)} columns", f"highest id {self.highest_field_id}"]
        if self.primary_keys:
            head.append(f"primary key ({', '.join(self.primary_keys)})")
        if self.partition_keys:
            head.append(f"partitioned by ({', '.join(self.partition_keys)})")
        rows = [(str(column.id), column.name, str(column.type), column.description or "") for column in self.fields]
        widths = [max(map(len, cells), default=0) for cells in zip(*rows, strict=True)]
        lines = [" · ".join(head)]
        for row in rows:
            cells = map(str.ljust, row, widths)
            lines.append(f"  {'  '.join(cells).rstrip()}")
        return "\n".join(lines)

    @cached_property
    def _by_name(self) -> Mapping[str, Field]:
        return MappingProxyType({column.name: column for column in self.fields})

    def field(self, name: str) -> Field | None:
        """Return the column of this name."""
        return self._by_name.get(name)

    @cached_property
    def _by_id(self) -> Mapping[int, Field]:
        return MappingProxyType({column.id: column for column in self.fields})

    def column(self, number: int) -> Field | None:
        """Return the column of this id."""
        return self._by_id.get(number)

    @cached_property
    def parts(self) -> Parts:
        """What the types of the columns are made of, down to the innermost."""
        return parts(self.fields)

    @cached_property
    def fields_size(self) -> int:
        """The size of the fields in a file without layout, in bytes, at most."""
        return len(msgspec.json.encode(self.fields))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple([column.name for column in self.fields])

    @property
    def provenance(self) -> Mapping[str, Any] | None:
        """Where this version comes from, as the file says; None on versions by an outside writer."""
        return next((json.loads(value) for place, value in self.unknown if place == (PROVENANCE,)), None)

    def attributes(self, number: int) -> Mapping[str, Any]:
        """Return the attributes of a field: alias, deprecated, unit, tags ..."""
        return self._attributes(attribute_key(number))

    @property
    def table_attributes(self) -> Mapping[str, Any]:
        """The attributes of the table: owner, contact ..."""
        return self._attributes(attribute_key(None))

    def _attributes(self, key: str) -> Mapping[str, Any]:
        text = self.options.get(key)
        if text is None:
            return MappingProxyType({})
        value = attribute_object(text)
        if value is None:
            raise SchemaFileError(f"the attributes are {shown(text)}.", code="attributes.invalid", path=key, fix="Write one JSON object.")
        return MappingProxyType(value)


def _without_nulls(value: JsonValue) -> JsonValue:
    """Return a value as the layout writes it: a null means the same as a missing member, and Java reads it as a text."""
    if isinstance(value, dict):
        return {key: _without_nulls(member) for key, member in value.items() if member is not None}
    if isinstance(value, list):
        return [_without_nulls(entry) for entry in value if entry is not None]
    return value


def checked_schema(value: object) -> TableSchema:
    """Return the value if it is a schema, or refuse it."""
    if not isinstance(value, TableSchema):
        fix = "Pass a TableSchema, as TableSchema.create and TableSchema.from_json give."
        raise SchemaFileError(f"a {type(value).__name__} is no schema.", code="schema.no-schema", fix=fix)
    return value


def structure_faults(schema: TableSchema) -> list[Fault]:
    """Return what Java refuses even to read: a primary key inside the partition keys, and bucket keys that make no sense."""
    faults = []
    if schema.primary_keys and set(schema.primary_keys) <= set(schema.partition_keys):
        message = "every column of the primary key is a partition key, so a partition could hold one row only."
        fix = "Add a column to the primary key, or partition by something else."
        faults.append(Fault("schema.primary-key-equals-partition-keys", ", ".join(schema.primary_keys), message, fix))
    return faults + list(_bucket_faults(schema))


def _bucket_faults(schema: TableSchema) -> Iterator[Fault]:
    bucket = schema.options.get("bucket", "-1").strip()
    if not bucket.removeprefix("-").removeprefix("+").isdecimal():
        yield Fault("option.bad-value", "bucket", f"{shown(bucket)} is no whole number.", "Write a number of buckets, or -1.")
    if "bucket-key" not in schema.options:
        return
    partition_keys = set(schema.partition_keys)
    primary_keys = set(schema.primary_keys)
    for key in schema.options["bucket-key"].split(","):
        if schema.field(key) is None:
            fix = "Name columns, separated by commas without blanks."
            yield Fault("bucket.key-unknown-or-not-in-pk", "bucket-key", f"{shown(key)} is no column.", fix)
        elif key in partition_keys:
            yield Fault("bucket.key-in-partition", "bucket-key", f"{key!r} is a partition key.", "Take it out of the bucket key.")
        elif primary_keys and key not in primary_keys:
            fix = "Bucket by columns of the primary key."
            yield Fault("bucket.key-unknown-or-not-in-pk", "bucket-key", f"{key!r} is no column of the primary key.", fix)

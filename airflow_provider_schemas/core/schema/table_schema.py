"""A table's schema: fields with ids, partition keys, primary keys, options, comment.

The content of one `schema-N` file, as an immutable value. Reading and writing the file's bytes is in
`schema_file` and `java_json`; what a schema must fulfil to be created is in `validity`.
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
from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema import java_json, schema_file, strict_schema_file
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION, FIRST_VERSION, MAX_BYTES
from airflow_provider_schemas.core.schema.unknown_keys import Place
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field
from airflow_provider_schemas.core.types.parts import Parts, parts
from airflow_provider_schemas.errors import Fault, InvalidSchemaError, SchemaFileError

PROVENANCE = strict_schema_file.PROVENANCE
_FIELD_ATTRIBUTES = "schemas.field."
_TABLE_ATTRIBUTES = "schemas.table"

# What readers of the older formats take for granted when the option is missing: (up to version, option, value).
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
        return self._values == other._values if isinstance(other, Options) else super().__eq__(other)

    @overload
    def get(self, key: str, /) -> str | None: ...
    @overload
    def get(self, key: str, /, default: str | T) -> str | T: ...
    def get(self, key: str, /, default: Any = None) -> Any:
        """The value of an option, or the default."""
        return self._values.get(key, default)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr({key: MASK if is_secret(key) else without_credentials(value) for key, value in self._values.items()})

    def as_dict(self) -> dict[str, str]:
        """The options as a mapping of their own, which can be changed."""
        return dict(self._values)

    def flag(self, key: str, default: bool = False) -> bool:
        """Whether a boolean option is on."""
        return self.get(key, str(default)).strip().lower() == "true"


class TableSchema(Struct, frozen=True, dict=True):
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
    """The keys of the file that no reader knows: where each stands, and its value as JSON text."""

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
        """The first schema of a new table, or an InvalidSchemaError that names every fault.

        Columns are SQL text, or one mapping each: name, type, and if wanted description (or comment) and default.
        """
        # The one seam of the core: what makes a schema valid stands above what a schema is.
        from airflow_provider_schemas.core.validation.validity import created

        return created(columns, partition_keys, primary_keys, options or {}, comment)

    @classmethod
    def from_json(cls, data: bytes | str) -> Self:
        """Read a schema file, accepting what Java accepts."""
        file, inside, unknown = schema_file.decode(data)
        options = dict(file.options)
        number = FIRST_VERSION if file.version is UNSET else file.version
        for version, key, value in _OLD_DEFAULTS:
            if number <= version:
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
        if inside is not None:  # found out on reading, and asked again by whoever judges the schema
            vars(schema)["parts"] = inside
            vars(schema)["fields_size"] = len(data) if isinstance(data, bytes) or data.isascii() else 4 * len(data)
        faults = structure_faults(schema)
        if faults:
            raise InvalidSchemaError.of(faults)
        return schema

    # ------------------------------------------------------------ writing

    def to_json(self) -> str:
        """The schema file, in Java's key order and layout, as version 3."""
        fields = java_json.fields_text(self.fields, "  ")
        members = [
            ("version", str(max(self.version, CURRENT_VERSION))),
            ("id", str(self.id)),
            ("fields", fields),
            ("highestFieldId", str(self.highest_field_id)),
            ("partitionKeys", java_json.any_text(self.partition_keys)),
            ("primaryKeys", java_json.any_text(self.primary_keys)),
            ("options", java_json.any_text(dict(self.options), "  ")),
            *([] if self.comment is None else [("comment", java_json.text(self.comment))]),
            ("timeMillis", str(self.time_millis)),
        ]
        members += self._unknown_members()
        return java_json.object_text(members)

    def _unknown_members(self) -> list[tuple[str, str]]:
        found = [(str(place[0]), _without_nulls(json.loads(value))) for place, value in self.unknown if len(place) == 1]
        return [(key, java_json.any_text(value, "  ")) for key, value in found if value is not None]

    @property
    def content(self) -> tuple[Any, ...]:
        """What the schema says, without id, version and time: equal for schemas with the same digest."""
        return (self.fields, self.highest_field_id, self.partition_keys, self.primary_keys, self.options, self.comment)

    @cached_property
    def digest(self) -> str:
        """The sha256 of the content: equal for schemas that differ in id, version, time or order of options only."""
        keys = (self.highest_field_id, self.partition_keys, self.primary_keys)
        content = (self.fields, *keys, sorted(self.options.items()), self.comment)
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()

    # ------------------------------------------------------------ looking

    def __str__(self) -> str:
        """The schema as people read it: a line for the table, and one for each column with its id."""
        keys = [
            f"{word} ({', '.join(names)})"
            for word, names in (("primary key", self.primary_keys), ("partitioned by", self.partition_keys))
            if names
        ]
        head = " · ".join([f"schema {self.id}", f"{len(self.fields)} columns", f"highest id {self.highest_field_id}", *keys])
        rows = [(str(one.id), one.name, str(one.type), one.description or "") for one in self.fields]
        widths = [max(map(len, cells), default=0) for cells in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([head, *(f"  {line}" for line in lines)])

    @cached_property
    def _by_name(self) -> Mapping[str, Field]:
        return MappingProxyType({one.name: one for one in self.fields})

    def field(self, name: str) -> Field | None:
        """The column of this name."""
        return self._by_name.get(name)

    @cached_property
    def _by_id(self) -> Mapping[int, Field]:
        return MappingProxyType({one.id: one for one in self.fields})

    def column(self, number: int) -> Field | None:
        """The column of this id."""
        return self._by_id.get(number)

    @cached_property
    def parts(self) -> Parts:
        """What the types of the columns are made of, down to the innermost."""
        return parts(self.fields)

    @cached_property
    def fields_size(self) -> int:
        """How many bytes the fields have at most in a file without layout."""
        return len(msgspec.json.encode(self.fields))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(one.name for one in self.fields)

    @property
    def provenance(self) -> Mapping[str, Any] | None:
        """Where this version comes from, as the file says; None on versions by an outside writer."""
        return next((json.loads(value) for place, value in self.unknown if place == (PROVENANCE,)), None)

    def attributes(self, number: int) -> Mapping[str, Any]:
        """What is said about a field beyond its type: alias, deprecated, unit, tags ..."""
        return _attributes(self.options.get(f"{_FIELD_ATTRIBUTES}{number}"), f"{_FIELD_ATTRIBUTES}{number}")

    @property
    def table_attributes(self) -> Mapping[str, Any]:
        """What is said about the table: owner, contact ..."""
        return _attributes(self.options.get(_TABLE_ATTRIBUTES), _TABLE_ATTRIBUTES)


def _without_nulls(value: Any) -> Any:
    """What the layout writes of it: a null means what a missing member means, and Java reads it as a text."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value if one is not None] if isinstance(value, list) else value


def checked_schema(value: object) -> TableSchema:
    """The value, if it is a schema."""
    if not isinstance(value, TableSchema):
        fix = "Pass a TableSchema, as TableSchema.create and TableSchema.from_json give."
        raise SchemaFileError(f"a {type(value).__name__} is no schema.", code="schema.no-schema", fix=fix)
    return value


def attribute_key(number: int | None) -> str:
    """The option that holds the attributes of a field, or of the table."""
    return _TABLE_ATTRIBUTES if number is None else f"{_FIELD_ATTRIBUTES}{number}"


def attribute_object(text: str) -> dict[str, Any] | None:
    """The JSON object in an option of attributes, if it holds one."""
    found = read_json(text)
    return found.value if isinstance(found.value, dict) and not found.faults else None


def _attributes(text: str | None, key: str) -> Mapping[str, Any]:
    if text is None:
        return MappingProxyType({})
    value = attribute_object(text)
    if value is None:
        raise SchemaFileError(f"the attributes are {shown(text)}.", code="attributes.invalid", path=key, fix="Write one JSON object.")
    return MappingProxyType(value)


# A line of a file has no fewer bytes than this without the layout, which adds a line end, two blanks around the colon and the indentation.
_LEAST_LINE = 7


def size_faults(schema: TableSchema) -> list[Fault]:
    """What is wrong with a schema whose file no reader would take. The file is laid out only where it may be that large."""
    try:
        return _size_faults(schema)
    except UnicodeEncodeError:
        message = "a text of the schema holds half a surrogate pair."
        return [Fault("json.surrogate", "", message, "Write it as valid Unicode.")]


def _size_faults(schema: TableSchema) -> list[Fault]:
    rest = len(msgspec.json.encode((schema.partition_keys, schema.primary_keys, dict(schema.options), schema.comment, schema.unknown)))
    if _is_small(schema, rest):
        return []
    vars(schema)["fields_size"] = len(msgspec.json.encode(schema.fields))  # what was known before may be too much
    if _is_small(schema, rest):
        return []
    size = len(schema.to_json().encode())
    fix = f"Keep it within {MAX_BYTES} bytes: shorten the comments, or split the table."
    return [] if size <= MAX_BYTES else [Fault("json.too-large", "", f"the file of this schema would have {size} bytes.", fix)]


def _is_small(schema: TableSchema, rest: int) -> bool:
    """Whether the file is within the limit however it is laid out: with its rest, and at any depth or at the depth that it has."""
    least = schema.fields_size + rest
    return _laid_out(least, MAX_DEPTH) <= MAX_BYTES or _laid_out(least, schema.parts.depth) <= MAX_BYTES


def _laid_out(size: int, depth: int) -> int:
    """How many bytes a file may have at most that has so many without layout."""
    return 1_000 + 2 * size + size * (3 + 4 * (depth + 1)) // _LEAST_LINE


def structure_faults(schema: TableSchema) -> list[Fault]:
    """What Java refuses even to read: a primary key inside the partition keys, and bucket keys that make no sense."""
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
    partition_keys, primary_keys = set(schema.partition_keys), set(schema.primary_keys)
    for key in schema.options["bucket-key"].split(","):
        if schema.field(key) is None:
            fix = "Name columns, separated by commas without blanks."
            yield Fault("bucket.key-unknown-or-not-in-pk", "bucket-key", f"{shown(key)} is no column.", fix)
        elif key in partition_keys:
            yield Fault("bucket.key-in-partition", "bucket-key", f"{key!r} is a partition key.", "Take it out of the bucket key.")
        elif primary_keys and key not in primary_keys:
            fix = "Bucket by columns of the primary key."
            yield Fault("bucket.key-unknown-or-not-in-pk", "bucket-key", f"{key!r} is no column of the primary key.", fix)

"""The shape of a schema in Iceberg's JSON, and the faults of one that has another shape.

What a reader can do without may be missing, as other writers leave it out: a field without `required` is optional. Types are compared
by identity, so that they can be looked up in a table of texts.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from airflow_provider_schemas.core.common.text import MAX_NAME
from airflow_provider_schemas.errors import Fault, FormatError

Id = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]

FIX = "Restore the file, or write it as Iceberg's specification says."


class ListJson(Struct, gc=False, eq=False, rename="kebab", tag_field="type", tag="list"):
    """A list: its element has an id."""

    element_id: Id
    element: "TypeJson"
    element_required: bool = False


class MapJson(Struct, gc=False, eq=False, rename="kebab", tag_field="type", tag="map"):
    """A map: its key and its value have ids, and a key is never null."""

    key_id: Id
    key: "TypeJson"
    value_id: Id
    value: "TypeJson"
    value_required: bool = False


class StructJson(Struct, gc=False, eq=False, tag_field="type", tag="struct"):
    """A struct."""

    fields: "tuple[FieldJson, ...]"


TypeJson = str | ListJson | MapJson | StructJson


class FieldJson(Struct, gc=False, rename="kebab"):
    """A column, or a field of a struct."""

    id: Id
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    type: TypeJson
    required: bool = False
    doc: str | None = None
    initial_default: Raw | UnsetType = UNSET
    write_default: Raw | UnsetType = UNSET


class SchemaJson(Struct, rename="kebab"):
    """A schema. Only the first version of the format leaves out the id."""

    fields: tuple[FieldJson, ...]
    schema_id: Id | None = None
    identifier_field_ids: tuple[Id, ...] | None = None
    type: str = "struct"


_SCHEMA = msgspec.json.Decoder(SchemaJson)
Shape = TypeVar("Shape")


def decode_schema(raw: bytes | Raw) -> SchemaJson:
    """Return the schema that a JSON text spells, or raise a FormatError with the place of the fault."""
    return decoded(_SCHEMA, raw, "")


def decoded(decoder: "msgspec.json.Decoder[Shape]", raw: bytes | Raw, path: str) -> Shape:
    """Return what a text spells, or raise a FormatError with the place of the fault."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise FormatError.of([json_fault(error, path)]) from None


def json_fault(error: Exception, path: str) -> Fault:
    """Return the fault of a text that msgspec refuses."""
    if isinstance(error, RecursionError):
        return Fault("json.too-deep", path, "the text is nested too deep.", "Flatten the schema.")
    if not isinstance(error, msgspec.ValidationError):
        return Fault("json.invalid", path, f"this is no JSON: {error}.", "Pass the whole file, or restore it from a backup.")
    message, _, place = str(error).partition(" - at `$")
    code = "json.missing-key" if "missing" in message else "json.wrong-type"
    where = f"{path}{place.rstrip('`')}".lstrip(".")
    return Fault(code, where, f"{message[0].lower()}{message[1:]}.", FIX)


def given(value: Raw | UnsetType) -> Raw | None:
    """Return the text of a member; None where it is missing or null."""
    return None if value is UNSET or bytes(value) == b"null" else value


def plain_value(raw: bytes | Raw, path: str) -> Any:
    """Return a JSON text as plain values."""
    return decoded(_ANY, raw, path)


_ANY: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder()

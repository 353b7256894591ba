"""A schema without the attributes that set how Arrow holds its values."""

from collections.abc import Sequence

from msgspec.structs import replace

from airflow_provider_schemas.formats.odf.model.encodings import without_encodings
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct, fold, nesting_error, with_parts

# The reference enters only these, so that structs in lists and maps keep their encodings.
_ENTERED_BY_THE_REFERENCE = (Kind.OPTION, Kind.STRUCT)


def strip_encoding(schema: DataSchema, *, reference_compatible: bool = False) -> DataSchema:
    """Return the schema without encodings, down to lists and maps; as far as the reference goes, for hashes equal to its own."""
    strip = _strip_as_the_reference if reference_compatible else _strip_everywhere
    try:
        return replace(schema, fields=tuple(_strip_field(field, strip(field.type)) for field in checked_schema(schema).fields))
    except RecursionError:
        raise nesting_error() from None


def _strip_everywhere(kind: DataType) -> DataType:
    return fold(kind, _with_stripped_parts)


def _strip_as_the_reference(kind: DataType) -> DataType:
    if kind.kind not in _ENTERED_BY_THE_REFERENCE:
        return kind
    return _with_stripped_parts(kind, [_strip_as_the_reference(part) for part in kind.parts])


def _with_stripped_parts(kind: DataType, parts: Sequence[DataType]) -> DataType:
    if isinstance(kind, Struct):
        return Struct(tuple(_strip_field(field, part) for field, part in zip(kind.fields, parts, strict=True)))
    return with_parts(kind, parts)


def _strip_field(field: DataField, stripped_type: DataType) -> DataField:
    return DataField(field.name, stripped_type, without_encodings(field.extra))

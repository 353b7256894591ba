"""A schema without the attributes that say how Arrow is to hold it: what is meant, and not how it lies in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.encodings import ENCODINGS
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct, fold, with_parts

# What the keys have in common: attributes are text, and most have none of them.
_ALL = "arrow.apache.org/"

# The reference looks no further than these, so that structs in lists and maps keep their encodings.
_REFERENCE = (Kind.OPTION, Kind.STRUCT)


def strip_encoding(schema: DataSchema, *, reference_compatible: bool = False) -> DataSchema:
    """The schema without encodings, down to lists and maps; as far as the reference goes, if hashes are to be equal to its own."""
    strip = _as_the_reference if reference_compatible else _everywhere
    try:
        return replace(schema, fields=tuple(_stripped(one, strip(one.type)) for one in checked_schema(schema).fields))
    except RecursionError:
        raise FormatError("a type is nested too deep.", code="odf.too-deep", fix="Flatten the schema.") from None


def _everywhere(kind: DataType) -> DataType:
    return fold(kind, _with_stripped)


def _as_the_reference(kind: DataType) -> DataType:
    if kind.kind not in _REFERENCE:
        return kind
    return _with_stripped(kind, [_as_the_reference(part) for part in kind.parts])


def _with_stripped(kind: DataType, parts: Sequence[DataType]) -> DataType:
    if isinstance(kind, Struct):
        return Struct(tuple(_stripped(one, part) for one, part in zip(kind.fields, parts, strict=True)))
    return with_parts(kind, parts)


def _stripped(field: DataField, kind: DataType) -> DataField:
    return DataField(field.name, kind, _without(field.extra))


def _without(extra: Attributes | None) -> Attributes | None:
    """The other attributes; none, if there were only encodings. An empty map that was there stays."""
    if extra is None or _ALL not in extra.text:
        return extra
    kept = extra.without(*ENCODINGS)
    return extra if kept == extra else kept or None

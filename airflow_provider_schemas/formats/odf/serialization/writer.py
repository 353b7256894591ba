"""An ODF schema as plain values: maps, lists, text, numbers, with keys in the order in which documents have them.

This is the canonical form: kinds in full, nothing written that was not set, nothing left out that was.
"""

from collections.abc import Sequence
from typing import Any

from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct, fold


def of_schema(schema: DataSchema) -> dict[str, Any]:
    """The schema as documents hold it."""
    found: dict[str, Any] = {"fields": [of_field(one) for one in schema.fields]}
    return found if schema.extra is None else {**found, "extra": dict(schema.extra)}


def of_field(field: DataField) -> dict[str, Any]:
    """A field as documents hold it."""
    return _of_field(field, of_type(field.type))


def of_type(kind: DataType) -> dict[str, Any]:
    """A type as documents hold it."""
    return fold(kind, _of_type)


def _of_field(field: DataField, kind: Any) -> dict[str, Any]:
    found = {"name": field.name, "type": kind}
    return found if field.extra is None else {**found, "extra": dict(field.extra)}


def _of_type(kind: DataType, parts: Sequence[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": str(kind.kind)}
    rest = iter(parts)
    for one in PARAMETERS.get(kind.kind, ()):
        value = getattr(kind, one.name)
        if one.form is Form.TYPE:
            found[one.key] = next(rest)
        elif isinstance(kind, Struct):
            found[one.key] = [_of_field(field, part) for field, part in zip(kind.fields, parts, strict=True)]
        elif value is not None:
            found[one.key] = str(value) if one.form is Form.UNIT else value
    return found

"""An ODF schema as plain values: maps, lists, text, numbers, with keys in the order of documents.

This is the canonical form: kinds in full, and exactly the parameters that were set.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, ParameterForm
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct, fold


def of_schema(schema: DataSchema) -> dict[str, Any]:
    """Return the schema as documents hold it."""
    plain: dict[str, Any] = {"fields": [of_field(field) for field in schema.fields]}
    if schema.extra is not None:
        plain["extra"] = dict(schema.extra)
    return plain


def of_field(field: DataField) -> dict[str, Any]:
    """Return a field as documents hold it."""
    return _plain_field(field, of_type(field.type))


def of_type(kind: DataType) -> dict[str, Any]:
    """Return a type as documents hold it."""
    return fold(kind, _plain_type)


def _plain_field(field: DataField, kind: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": field.name, "type": kind}
    if field.extra is not None:
        plain["extra"] = dict(field.extra)
    return plain


def _plain_type(kind: DataType, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    plain: dict[str, Any] = {"kind": str(kind.kind)}
    rest = iter(parts)
    for parameter in PARAMETERS.get(kind.kind, ()):
        value = getattr(kind, parameter.name)
        if parameter.form is ParameterForm.TYPE:
            plain[parameter.key] = next(rest)
        elif isinstance(kind, Struct):
            plain[parameter.key] = [_plain_field(field, part) for field, part in zip(kind.fields, parts, strict=True)]
        elif value is not None:
            plain[parameter.key] = str(value) if parameter.form is ParameterForm.UNIT else value
    return plain

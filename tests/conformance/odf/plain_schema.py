"""The schemas of the vectors, from YAML as they spell it: long and short forms of kinds, in canonical spelling."""

from collections.abc import Mapping
from typing import Any

import yaml

from airflow_provider_schemas.formats.odf import types
from airflow_provider_schemas.formats.odf.attributes import Attributes
from airflow_provider_schemas.formats.odf.kinds import PARAMETERS, Form, Kind, TimeUnit
from airflow_provider_schemas.formats.odf.schema import DataSchema
from airflow_provider_schemas.formats.odf.types import DataField, DataType


def schema_of(text: str) -> DataSchema:
    """The schema in the text."""
    found = yaml.safe_load(text)
    return DataSchema(tuple(map(_field, found["fields"])), _extra(found))


def _field(found: Mapping[str, Any]) -> DataField:
    return DataField(found["name"], _type(found["type"]), _extra(found))


def _extra(found: Mapping[str, Any]) -> Attributes | None:
    return Attributes(found["extra"]) if "extra" in found else None


def _type(found: Any) -> DataType:
    given = {"kind": found} if isinstance(found, str) else found
    kind = Kind(given["kind"])
    if kind in types.PLAIN:
        return types.PLAIN[kind]
    return types.PARAMETRIC[kind](**{one.name: _value(one.form, given[one.key]) for one in PARAMETERS[kind] if one.key in given})


def _value(form: Form, value: Any) -> Any:
    if form is Form.TYPE:
        return _type(value)
    if form is Form.FIELDS:
        return tuple(map(_field, value))
    return TimeUnit(value) if form is Form.UNIT else value

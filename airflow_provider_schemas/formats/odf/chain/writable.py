"""What keeps a schema out of a block: names that are no text, numbers that do not fit, types too deep to be read again."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from airflow_provider_schemas.core.common.text import half_pair, shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.odf.flatbuffer.layout import MAX_DEPTH, SCHEMA_DEPTH
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form, Parameter, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType


def check_writable(schema: DataSchema) -> None:
    """A FormatError that names everything which keeps the schema out of a block."""
    if not isinstance(schema, DataSchema):
        raise FormatError(f"{shown(schema)} is no DataSchema.", code="format.wrong-type", fix="Pass a DataSchema.")
    faults = [*islice(_in_fields(schema.fields, "", SCHEMA_DEPTH), MAX_FAULTS), *_in_extra(schema.extra, "extra")]
    if faults:
        raise FormatError.of(faults)


def _in_fields(fields: Any, path: str, depth: int) -> Iterator[Fault]:
    if not isinstance(fields, tuple):
        yield _wrong(f"{path}fields", fields, "a tuple of fields")
        return
    for number, one in enumerate(fields):
        here = f"{path}fields[{number}]"
        if not isinstance(one, DataField):
            yield _wrong(here, one, "a DataField")
            continue
        yield from _in_text(one.name, f"{here}.name")
        yield from _in_type(one.type, f"{here}.type", depth + 2)
        yield from _in_extra(one.extra, f"{here}.extra")


def _in_type(kind: Any, path: str, depth: int) -> Iterator[Fault]:
    if not isinstance(kind, DataType) or type(kind) is DataType:
        yield _wrong(path, kind, "a DataType")
    elif depth > MAX_DEPTH:
        yield Fault("odf.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} tables.", "Flatten them.")
    else:
        for one in PARAMETERS.get(kind.kind, ()):
            yield from _in_parameter(one, getattr(kind, one.name), f"{path}.{one.key}", depth)


def _in_parameter(one: Parameter, value: Any, path: str, depth: int) -> Iterator[Fault]:
    if one.form is Form.TYPE:
        yield from _in_type(value, path, depth + 1)
    elif one.form is Form.FIELDS:
        yield from _in_fields(value, path.removesuffix("fields"), depth)
    elif value is None and not one.required:
        return
    elif one.form is Form.TEXT:
        yield from _in_text(value, path)
    elif one.form is Form.UNIT and not isinstance(value, TimeUnit):
        yield _wrong(path, value, "a TimeUnit")
    elif one.form is Form.BOOL and not isinstance(value, bool):
        yield _wrong(path, value, "True or False")
    elif isinstance(one.form.value, tuple):
        low, high = one.form.value
        if type(value) is not int or not low <= value <= high:
            yield _wrong(path, value, f"a whole number from {low} to {high}")


def _in_text(value: Any, path: str) -> Iterator[Fault]:
    if not isinstance(value, str) or half_pair(value):
        yield _wrong(path, value, "text")


def _in_extra(value: Any, path: str) -> Iterator[Fault]:
    if value is not None and not isinstance(value, Attributes):
        yield _wrong(path, value, "Attributes")


def _wrong(path: str, value: Any, wanted: str) -> Fault:
    return Fault("format.wrong-type", path[:200], f"{shown(value)} is not {wanted}.", f"Use {wanted}.")

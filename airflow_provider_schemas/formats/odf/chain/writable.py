"""The check of a schema before it is written into a block: texts, ranges of numbers, and the depth that readers take."""

from collections.abc import Iterator
from itertools import islice

from airflow_provider_schemas.core.common.text import half_pair, shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.odf.flatbuffer.layout import MAX_DEPTH, SCHEMA_DEPTH
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Parameter, ParameterForm, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType


def check_writable(schema: DataSchema) -> None:
    """Raise a FormatError that names everything that no block can hold."""
    if not isinstance(schema, DataSchema):
        raise FormatError(f"{shown(schema)} is no DataSchema.", code="format.wrong-type", fix="Pass a DataSchema.")
    faults = [*islice(_check_fields(schema.fields, "", SCHEMA_DEPTH), MAX_FAULTS), *_check_extra(schema.extra, "extra")]
    if faults:
        raise FormatError.of(faults)


# The values are made by hand, so that nothing of them is sure but the type of the schema.


def _check_fields(fields: object, path: str, depth: int) -> Iterator[Fault]:
    if not isinstance(fields, tuple):
        yield _wrong(f"{path}fields", fields, "a tuple of fields")
        return
    for number, field in enumerate(fields):
        field_path = f"{path}fields[{number}]"
        if not isinstance(field, DataField):
            yield _wrong(field_path, field, "a DataField")
            continue
        yield from _check_text(field.name, f"{field_path}.name")
        yield from _check_type(field.type, f"{field_path}.type", depth + 2)
        yield from _check_extra(field.extra, f"{field_path}.extra")


def _check_type(kind: object, path: str, depth: int) -> Iterator[Fault]:
    if not isinstance(kind, DataType) or type(kind) is DataType:
        yield _wrong(path, kind, "a DataType")
    elif depth > MAX_DEPTH:
        yield Fault("odf.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} tables.", "Flatten them.")
    else:
        for parameter in PARAMETERS.get(kind.kind, ()):
            yield from _check_parameter(parameter, getattr(kind, parameter.name), f"{path}.{parameter.key}", depth)


def _check_parameter(parameter: Parameter, value: object, path: str, depth: int) -> Iterator[Fault]:
    form = parameter.form
    if form is ParameterForm.TYPE:
        yield from _check_type(value, path, depth + 1)
    elif form is ParameterForm.FIELDS:
        yield from _check_fields(value, path.removesuffix("fields"), depth)
    elif value is not None or parameter.required:
        yield from _check_scalar(form, value, path)


def _check_scalar(form: ParameterForm, value: object, path: str) -> Iterator[Fault]:
    if form is ParameterForm.TEXT:
        yield from _check_text(value, path)
    elif form is ParameterForm.UNIT and not isinstance(value, TimeUnit):
        yield _wrong(path, value, "a TimeUnit")
    elif form is ParameterForm.BOOL and not isinstance(value, bool):
        yield _wrong(path, value, "True or False")
    elif isinstance(form.value, tuple):
        low, high = form.value
        if type(value) is not int or not low <= value <= high:
            yield _wrong(path, value, f"a whole number from {low} to {high}")


def _check_text(value: object, path: str) -> Iterator[Fault]:
    if not isinstance(value, str) or half_pair(value):
        yield _wrong(path, value, "text")


def _check_extra(value: object, path: str) -> Iterator[Fault]:
    if value is not None and not isinstance(value, Attributes):
        yield _wrong(path, value, "Attributes")


def _wrong(path: str, value: object, wanted: str) -> Fault:
    return Fault("format.wrong-type", path[:200], f"{shown(value)} is not {wanted}.", f"Use {wanted}.")

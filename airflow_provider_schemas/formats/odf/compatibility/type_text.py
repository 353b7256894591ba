"""An ODF type as people read it in a message: Option<List<Decimal(10, 2)>>. It is not read back."""

from collections.abc import Sequence

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Parameter, ParameterForm
from airflow_provider_schemas.formats.odf.model.types import DataType, Struct, fold

_NESTED_FORMS = (ParameterForm.TYPE, ParameterForm.FIELDS)


def type_text(kind: DataType) -> str:
    """Return the type as text, with the parameters that were set."""
    try:
        return fold(kind, _text)
    except FormatError:  # deeper than any document may be, so made by hand
        return f"{kind.kind}<...>"


def _text(kind: DataType, parts: Sequence[str]) -> str:
    text = str(kind.kind)
    if isinstance(kind, Struct):
        parts = [f"{word(field.name)} {part}" for field, part in zip(kind.fields, parts, strict=True)]
    if parts or isinstance(kind, Struct):
        text += f"<{', '.join(parts)}>"
    scalars = [parameter for parameter in PARAMETERS.get(kind.kind, ()) if parameter.form not in _NESTED_FORMS]
    values = [_parameter_text(parameter, getattr(kind, parameter.name)) for parameter in scalars]
    if any(values):
        text += f"({', '.join(filter(None, values))})"
    return text


def _parameter_text(parameter: Parameter, value: str | int | None) -> str:
    """Return the value of a parameter, with its key if it may be absent; empty if it is absent."""
    if value is None:
        return ""
    text = str(value) or "''"
    if isinstance(value, bool):
        text = text.lower()
    if parameter.required:
        return text
    return f"{parameter.key} {text}"

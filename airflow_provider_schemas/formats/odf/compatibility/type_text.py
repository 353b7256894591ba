"""An ODF type as people read it in a message: Option<List<Decimal(10, 2)>>. It is not read back."""

from collections.abc import Sequence

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form
from airflow_provider_schemas.formats.odf.model.types import DataType, Struct, fold


def type_text(kind: DataType) -> str:
    """The type with what was set, and with defaults left out as they were."""
    try:
        return fold(kind, _text)
    except FormatError:  # deeper than any document may be, so made by hand
        return f"{kind.kind}<...>"


def _text(kind: DataType, parts: Sequence[str]) -> str:
    inner = list(parts)
    if isinstance(kind, Struct):
        inner = [f"{word(one.name)} {part}" for one, part in zip(kind.fields, parts, strict=True)]
    within = f"<{', '.join(inner)}>" if inner or isinstance(kind, Struct) else ""
    said = [_said(one.key, one.required, getattr(kind, one.name)) for one in PARAMETERS.get(kind.kind, ()) if _is_scalar(one.form)]
    values = [one for one in said if one]
    return f"{kind.kind}{within}" + (f"({', '.join(values)})" if values else "")


def _is_scalar(form: Form) -> bool:
    return form not in (Form.TYPE, Form.FIELDS)


def _said(key: str, required: bool, value: object) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value) or "''"
    return text if required else f"{key} {text}"

"""An ODF schema: fields in an order, and attributes of the whole."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, fold, with_parts

_LOADED = "Load it first, and pass the schema of what was loaded."


class DataSchema(Struct, frozen=True):
    """Fields in an order, and attributes, which may be absent or empty."""

    fields: tuple[DataField, ...]
    extra: Attributes | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    def normalize(self) -> "DataSchema":
        """Return the schema without the parameters that equal their defaults."""
        return replace(self, fields=tuple(replace(field, type=fold(field.type, _leave_out_defaults)) for field in self.fields))


def checked_schema(value: object) -> DataSchema:
    """Return the value, or raise a FormatError unless it is an ODF schema with fields in a tuple."""
    if not isinstance(value, DataSchema):
        raise FormatError(f"{shown(value)} is no ODF schema.", code="odf.not-a-schema", fix=_LOADED)
    if not isinstance(value.fields, tuple):
        raise FormatError(f"{shown(value.fields)} is no tuple.", code="odf.not-a-schema", path="fields", fix="Pass a tuple of DataField.")
    wrong = [place for place, field in enumerate(value.fields) if not _is_field(field)]
    if wrong:
        fix = "Make it of a name and a DataType, as type_of gives."
        raise FormatError.of(Fault("odf.not-a-schema", f"fields[{place}]", "this is no DataField.", fix) for place in wrong[:MAX_FAULTS])
    return value


def _is_field(value: object) -> bool:
    return isinstance(value, DataField) and isinstance(value.type, DataType)


def _leave_out_defaults(kind: DataType, parts: Sequence[DataType]) -> DataType:
    kind = with_parts(kind, parts)
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS.get(kind.kind, ()) if parameter.default is not None}
    redundant = [name for name, default in defaults.items() if getattr(kind, name) == default]
    if not redundant:
        return kind
    return replace(kind, **dict.fromkeys(redundant))

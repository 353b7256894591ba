"""An ODF schema: fields in an order, and attributes of the whole."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.formats.odf.attributes import Attributes
from airflow_provider_schemas.formats.odf.kinds import PARAMETERS
from airflow_provider_schemas.formats.odf.types import DataField, DataType, fold, with_parts


class DataSchema(Struct, frozen=True):
    """Fields in an order, and attributes, which may be absent or empty."""

    fields: tuple[DataField, ...]
    extra: Attributes | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.fields)

    def normalize(self) -> "DataSchema":
        """The schema with every parameter left out that equals its default."""
        return replace(self, fields=tuple(replace(one, type=normalized(one.type)) for one in self.fields))


def normalized(kind: DataType) -> DataType:
    """The type with every parameter left out that equals its default."""
    return fold(kind, _normalized)


def _normalized(kind: DataType, parts: Sequence[DataType]) -> DataType:
    kind = with_parts(kind, parts)
    defaults = {one.name: one.default for one in PARAMETERS.get(kind.kind, ()) if one.default is not None}
    spelled = {name: None for name, default in defaults.items() if getattr(kind, name) == default}
    return replace(kind, **spelled) if spelled else kind

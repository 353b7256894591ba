"""The ambiguity of blocks of version 2: an absent unit or timezone was written before kamu 0.263, or since.

Before, Second was the default and left out, and no timezone meant none; since then absence means Millisecond and
UTC. Both are version 2, and nothing else in a block tells them apart.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Final, TypeAlias

from msgspec.structs import replace

from airflow_provider_schemas.errors import MAX_FAULTS, Fault
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, ParameterForm, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct, fold, with_parts

AMBIGUOUS_VERSION: Final = 2
_CHANGED: Final = datetime(2026, 5, 16, tzinfo=UTC)
_MEANT_BEFORE: Final[dict[str, str]] = {"unit": TimeUnit.SECOND, "timezone": ""}
_UNIT: Final = ("unit",)
_ZONE: Final = ("timezone",)
_BOTH: Final = ("unit", "timezone")
_SENTENCES: Final = {
    _UNIT: "no unit is set: it meant Second before kamu 0.263, and means Millisecond since.",
    _ZONE: "no timezone is set: it meant none before kamu 0.263, and means UTC since.",
    _BOTH: "neither unit nor timezone is set: they meant Second and none before kamu 0.263, and mean Millisecond and UTC since.",
}
_FIX: Final = "Read the block with before_0_263=True if an older kamu wrote it"


def as_written_before(schema: DataSchema) -> DataSchema:
    """Return the schema as it was meant if it was written before kamu 0.263."""
    return replace(schema, fields=tuple(replace(field, type=fold(field.type, _with_old_defaults)) for field in schema.fields))


def _with_old_defaults(kind: DataType, parts: Sequence[DataType]) -> DataType:
    old_defaults = {name: _MEANT_BEFORE[name] for name in _absent(kind)}
    return replace(with_parts(kind, parts), **old_defaults)


def _absent(kind: DataType) -> tuple[str, ...]:
    """Return the parameters that are not set, and whose absence had another meaning."""
    names = (parameter.name for parameter in PARAMETERS.get(kind.kind, ()) if parameter.name in _MEANT_BEFORE)
    return tuple(name for name in names if getattr(kind, name) is None)


def ambiguities(schema: DataSchema, time: BlockTime) -> tuple[Fault, ...]:
    """Return a warning for each type that can be read in two ways."""
    hint = f"{_FIX}."
    if time.moment < _CHANGED:
        hint = f"{_FIX}; its time, {time}, is before that release."
    ambiguous = islice(_walk_fields(schema.fields, "event.schema."), MAX_FAULTS)
    return tuple(Fault("odf.ambiguous-default", path, _SENTENCES[absent], hint) for path, absent in ambiguous)


_AbsentParameters: TypeAlias = Iterator[tuple[str, tuple[str, ...]]]
"""The path of each type with absent parameters, and their names."""


def _walk_fields(fields: Sequence[DataField], path: str) -> _AbsentParameters:
    for number, field in enumerate(fields):
        yield from _walk_type(field.type, f"{path}fields[{number}].type")


def _walk_type(kind: DataType, path: str) -> _AbsentParameters:
    if absent := _absent(kind):
        yield path, absent
    if isinstance(kind, Struct):
        yield from _walk_fields(kind.fields, f"{path}.")
        return
    keys = [parameter.key for parameter in PARAMETERS.get(kind.kind, ()) if parameter.form is ParameterForm.TYPE]
    for key, part in zip(keys, kind.parts, strict=True):
        yield from _walk_type(part, f"{path}.{key}")

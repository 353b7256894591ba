"""What blocks of version 2 leave open: whether an absent unit or timezone was written before kamu 0.263 or after.

Until then Second was the default and left out, and no timezone meant none; since then Millisecond and UTC are
meant. Both are version 2, and nothing else in a block tells them apart.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec.structs import replace

from airflow_provider_schemas.errors import MAX_FAULTS, Fault
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct, fold, with_parts

AMBIGUOUS_VERSION: Final = 2
_CHANGED: Final = datetime(2026, 5, 16, tzinfo=UTC)
_MEANT_BEFORE: Final[dict[str, Any]] = {"unit": TimeUnit.SECOND, "timezone": ""}
_UNIT, _ZONE, _BOTH = ("unit",), ("timezone",), ("unit", "timezone")
_SAID: Final = {
    _UNIT: "no unit is set: it meant Second",
    _ZONE: "no timezone is set: it meant none",
    _BOTH: "neither unit nor timezone is set: they meant Second and none",
}
_SAID_NOW: Final = {_UNIT: "means Millisecond", _ZONE: "means UTC", _BOTH: "mean Millisecond and UTC"}
_FIX: Final = "Read the block with before_0_263=True if an older kamu wrote it"


def as_written_before(schema: DataSchema) -> DataSchema:
    """The schema as it was meant if it was written before kamu 0.263."""
    return replace(schema, fields=tuple(replace(one, type=fold(one.type, _spelled)) for one in schema.fields))


def _spelled(kind: DataType, parts: Sequence[DataType]) -> DataType:
    meant = {name: _MEANT_BEFORE[name] for name in _absent(kind)}
    return replace(with_parts(kind, parts), **meant)


def _absent(kind: DataType) -> tuple[str, ...]:
    """The parameters that are not set, and whose absence meant something else."""
    names = (one.name for one in PARAMETERS.get(kind.kind, ()) if one.name in _MEANT_BEFORE)
    return tuple(name for name in names if getattr(kind, name) is None)


def ambiguities(schema: DataSchema, time: BlockTime) -> tuple[Fault, ...]:
    """A warning for each type that could be read in two ways."""
    hint = f"{_FIX}; its time, {time}, is before that release." if time.moment < _CHANGED else f"{_FIX}."
    found = (Fault("odf.ambiguous-default", path, _sentence(absent), hint) for path, absent in _in_fields(schema.fields, "event.schema."))
    return tuple(one for one, _ in zip(found, range(MAX_FAULTS), strict=False))


def _sentence(absent: tuple[str, ...]) -> str:
    return f"{_SAID[absent]} before kamu 0.263, and {_SAID_NOW[absent]} since."


def _in_fields(fields: Sequence[DataField], path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, one in enumerate(fields):
        yield from _in_type(one.type, f"{path}fields[{number}].type")


def _in_type(kind: DataType, path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if absent := _absent(kind):
        yield path, absent
    if isinstance(kind, Struct):
        yield from _in_fields(kind.fields, f"{path}.")
        return
    keys = [one.key for one in PARAMETERS.get(kind.kind, ()) if one.form is Form.TYPE]
    for key, part in zip(keys, kind.parts, strict=True):
        yield from _in_type(part, f"{path}.{key}")

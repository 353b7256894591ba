"""Checks of how MAP columns are laid out in files, and of the numbers that shred VARIANT."""

from collections.abc import Iterator
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_options import COLUMN_PREFIX, number, ratio
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.core.types.nested import MapType, fold
from airflow_provider_schemas.core.validation.checklist import OPTIONS_OF_COLUMNS, where
from airflow_provider_schemas.core.validation.facts import Facts

_LAYOUT = "map.storage-layout"
_MAX_COLUMNS = "map.shared-shredding.max-columns"
_SHARED = "shared-shredding"
_COMPRESSIONS = ("none", "lz4", "zstd")
_KEY = AtomicType(Root.VARCHAR, nullable=False, length=MAX_LENGTH)


def map_layouts(facts: Facts) -> Iterator[Finding]:
    """Report storage layouts of columns that are no MAP, and what shared shredding needs."""
    for key, names, rest, value in facts.column_options:
        if rest != _LAYOUT:
            continue
        for name in names:
            kind = facts.kind(name)
            if kind is not None and not isinstance(kind, MapType):
                message = f"{name!r} is of type {kind}, and only a MAP has this layout."
                yield Finding("map-layout.not-a-map", key, message, "Remove the option.")
            elif isinstance(kind, MapType) and value.lower() == _SHARED:
                yield from _check_shared_shredding(facts, key, name, kind)


def _check_shared_shredding(facts: Facts, key: str, name: str, kind: MapType) -> Iterator[Finding]:
    fix = "Remove the storage layout of the column."
    if kind.key != _KEY:
        message = f"the keys of {name!r} are {kind.key}, and shared shredding needs STRING NOT NULL."
        yield Finding("map-layout.key-type", key, message, fix)
    if facts.format not in ("parquet", "orc"):
        message = f"shared shredding is written to Parquet and ORC only, not to {facts.format}."
        yield Finding("map-layout.format", key, message, "Use file.format = parquet, or remove the storage layout.")
    compression = facts.options.get("file.compression", "zstd").lower()
    if compression not in _COMPRESSIONS:
        message = f"shared shredding cannot be compressed by {shown(compression)}."
        yield Finding("map-layout.compression", key, message, f"Use file.compression = {', '.join(_COMPRESSIONS)}.")
    if _holds(kind.value, frozenset({Root.BLOB, Root.VECTOR})) or facts.roots & {Root.VARIANT, Root.MULTISET}:
        message = "shared shredding knows no VARIANT and MULTISET in the table, and no BLOB and VECTOR in the values of the MAP."
        yield Finding("map-layout.type", key, message, fix)
    if facts.bucket == -2:
        yield Finding("map-layout.bucket", key, "shared shredding does not work with postponed buckets (bucket = -2).", fix)
    option = f"{COLUMN_PREFIX}.{name}.{_MAX_COLUMNS}"
    most = number(facts.options, option) if facts.has(option) else None
    if most is not None and most < 1:
        yield Finding("map-layout.max-columns", option, f"the MAP cannot share {most} columns.", "Use a number from 1.")


def _holds(kind: DataType, roots: frozenset[Root]) -> bool:
    return fold(kind, lambda part, inner: part.root in roots or any(inner))


class _Range(NamedTuple):
    """The least and the largest value of a number."""

    least: float
    most: float


_SHREDDING = {
    "variant.shredding.maxSchemaWidth": _Range(1, 2**31 - 1),
    "variant.shredding.maxSchemaDepth": _Range(1, 2**31 - 1),
    "variant.shredding.minFieldCardinalityRatio": _Range(0, 1),
}


def variant_shredding(facts: Facts) -> Iterator[Finding]:
    """Report numbers with which no VARIANT could be shredded."""
    for key, (least, most) in _SHREDDING.items():
        if facts.has(key):
            value = ratio(facts.options, key) if most == 1 else number(facts.options, key)
            if value is not None and not least <= value <= most:
                message = f"{value} is out of range."
                yield Finding("option.variant-shredding-range", key, message, f"Use a number from {least} to {most}.")


LAYOUTS = (*where(OPTIONS_OF_COLUMNS)(map_layouts), *where(*_SHREDDING)(variant_shredding))

"""Partition specs and sort orders of a metadata file.

A table is partitioned by columns in our sense where the default spec takes their own values; the other transforms stand in an
attribute, with the whole spec.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct, UnsetType

from airflow_provider_schemas.formats.iceberg.schema_json import Id, decoded, given

IDENTITY = "identity"


class SpecField(Struct, rename="kebab"):
    """A field of a partition spec; one of version 3 may have several sources."""

    transform: str
    source_id: Id | None = None
    source_ids: tuple[Id, ...] = ()


class _Spec(Struct, rename="kebab"):
    fields: Raw
    spec_id: int | None = None


class _Order(Struct, rename="kebab"):
    fields: Raw
    order_id: int | None = None


_SPECS = msgspec.json.Decoder(list[_Spec])
_ORDERS = msgspec.json.Decoder(list[_Order])
_SPEC_FIELDS = msgspec.json.Decoder(tuple[SpecField, ...])
_OBJECTS = msgspec.json.Decoder(list[dict[str, Any]])


class Partitioning(Struct, frozen=True):
    """How new data of a table is partitioned and sorted."""

    identity: tuple[int, ...] = ()
    """The ids of the fields whose own values partition the table."""
    transforms: tuple[dict[str, Any], ...] = ()
    order: tuple[dict[str, Any], ...] = ()


def partitioning(
    specs: Raw | UnsetType, old_spec: Raw | UnsetType, spec_id: int | None, orders: Raw | UnsetType, order_id: int | None
) -> Partitioning:
    """Return the default spec and the default order; `old_spec` is the only one of a file of the first version."""
    spec = _default_spec(specs, spec_id) or given(old_spec)
    transforms: list[dict[str, Any]] = []
    identity: list[int] = []
    if spec is not None:
        transforms = decoded(_OBJECTS, spec, "partition-specs")
        identity = _identity_sources(decoded(_SPEC_FIELDS, spec, "partition-specs"))
    return Partitioning(tuple(identity), tuple(transforms), tuple(_default_order(orders, order_id)))


def _identity_sources(fields: tuple[SpecField, ...]) -> list[int]:
    sources = []
    for field in fields:
        if field.transform != IDENTITY:
            continue
        number = field.source_id
        if number is None and len(field.source_ids) == 1:
            number = field.source_ids[0]
        if number is not None and number not in sources:
            sources.append(number)
    return sources


def _default_spec(specs: Raw | UnsetType, number: int | None) -> Raw | None:
    raw = given(specs)
    if raw is None:
        return None
    found = [spec for spec in decoded(_SPECS, raw, "partition-specs") if (spec.spec_id or 0) == (number or 0)]
    return found[0].fields if found else None


def _default_order(orders: Raw | UnsetType, number: int | None) -> list[dict[str, Any]]:
    raw = given(orders)
    if raw is None:
        return []
    found = [order for order in decoded(_ORDERS, raw, "sort-orders") if (order.order_id or 0) == (number or 0)]
    return decoded(_OBJECTS, found[0].fields, "sort-orders") if found else []

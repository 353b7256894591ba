"""On which changes of types we answer otherwise than Java: predicates as in `predicates`, which lists them."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from airflow_provider_schemas.core import DataType, cast_support, parse_type
from tests.conformance.paimon.model import Moment, Place, listed, moments
from tests.conformance.rows import Content


def a_renamed_key_column_is_retyped(row: Content) -> bool:
    """A primary key column is renamed, and retyped under its new name in the same batch."""
    return any(old in one.old.keys["primary-key"] and one.change["fieldNames"] != [old] for one, old, _, _ in _retyped(row))


def a_bucket_key_is_retyped_in_a_table_with_data(row: Content) -> bool:
    """With snapshots, a column of `bucket-key` gets another type."""
    return bool(row.get("hasSnapshots")) and any(
        old in listed(one.old.options.get("bucket-key", "")) and not _same(source, target) for one, old, source, target in _retyped(row)
    )


def a_sequence_field_gets_a_type_that_sorts_otherwise(row: Content) -> bool:
    """With snapshots, a column of `sequence.field` gets a type that does not hold its values losslessly."""
    return bool(row.get("hasSnapshots")) and any(
        old in listed(one.old.options.get("sequence.field", ""))
        and not cast_support(source, target.with_nullable(source.nullable)).lossless
        for one, old, source, target in _retyped(row)
    )


def _retyped(row: Content) -> Iterator[tuple[Moment, str, DataType, DataType]]:
    """The top-level columns that are retyped: their name before the batch, the type they have and the one they get."""
    for one in moments(row):
        if one.change["action"] == "updateColumnType" and len(one.change["fieldNames"]) == 1:
            found = one.now.place(one.change["fieldNames"])
            old = one.old.field(found.field["number"]) if found else None
            if found and old:
                yield one, old["name"], parse_type(found.kind()), parse_type(one.change["newDataType"])


def _same(source: DataType, target: DataType) -> bool:
    return source.with_nullable(True) == target.with_nullable(True)


def a_batch_retypes_twice_without_a_direct_way(row: Content) -> bool:
    """One batch retypes a column several times, and values of its first type cannot be converted to its last."""
    return any(
        len(types) > 1 and not _same(first, types[-1]) and not cast_support(first, types[-1]).convertible for first, types in _chains(row)
    )


def _chains(row: Content) -> Iterator[tuple[DataType, list[DataType]]]:
    """For each place that a batch retypes: its type before the batch, and the types it gets."""
    for _, batch in groupby(moments(row), lambda one: one.batch):
        chains: dict[Any, tuple[DataType, list[DataType]]] = {}
        for one in batch:
            found = one.now.place(one.change["fieldNames"]) if one.change["action"] == "updateColumnType" else None
            old = one.old.field(found.field["number"]) if found else None
            first = Place(old, found.words).kind() if found and old else None
            if found and first:
                place = found.field["number"], found.words
                chains.setdefault(place, (parse_type(first), []))[1].append(parse_type(one.change["newDataType"]))
        yield from chains.values()

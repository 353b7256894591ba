"""Where the reference's comparison of two schemas is known to go wrong, told from the schemas alone: the cases in which we may differ."""

from collections.abc import Iterator

from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, List, Map, Struct, without_option

Fields = tuple[DataField, ...]


def defects(old: DataSchema, new: DataSchema, ignore: frozenset[str] = frozenset()) -> set[str]:
    """The names of the cases that the schemas fall under."""
    return {one for one in _of_fields(old.fields, new.fields) if one != "places-are-numbers" or "order" not in ignore}


def _of_fields(old: Fields, new: Fields) -> Iterator[str]:
    # Of fields with one name the first counts.
    mine, theirs = {one.name: one for one in reversed(old)}, {one.name: one for one in reversed(new)}
    common = [name for name in mine if name in theirs]
    if [one.name for one in old] != [one.name for one in new]:
        if any(mine[name] != theirs[name] for name in common):
            yield "common-fields-skipped"
        if mine.keys() - theirs.keys():
            yield "places-are-numbers"
    for name in common:
        yield from _of_types(mine[name].type, theirs[name].type)


def _of_types(old: DataType, new: DataType) -> Iterator[str]:
    if old.optional or new.optional:
        yield from _of_types(without_option(old), without_option(new))
    elif isinstance(old, Struct) and isinstance(new, Struct):
        yield from _of_fields(old.fields, new.fields)
    elif isinstance(old, List) and isinstance(new, List):
        if old.fixed_length != new.fixed_length and old.item != new.item:
            yield "fixed-length-forgotten"
        yield from _of_types(old.item, new.item)
    elif isinstance(old, Map) and isinstance(new, Map) and old != new:
        yield "maps-as-a-whole"

"""What differs between two ODF schemas, field by field, down through structs, lists and maps; it knows no policy.

Each difference has the id of the rule that speaks of it, a path, and both sides. Paths are those of all our
reports: `a.b` a field of a struct, `a[]` the items of a list, `m{}` the values of a map and `m{key}` its keys.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.field_pairing import OURS, REFERENCE, Fields, Way
from airflow_provider_schemas.formats.odf.compatibility.type_changes import key_rule, type_rule
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.model.attributes import Attributes, json_text
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, List, Map, Struct, without_option

NOTHING: Final = "nothing"
# Attributes that say nothing about what values mean: words for people, and hints how bytes are laid out. The wrong
# domain of the first is printed in the specification's own table.
DOCUMENTING: Final = frozenset({
    "opendatafabric.org/description",
    "opendatafabric.net/description",
    "arrow.apache.org/bufferEncoding",
    "arrow.apache.org/dateEncoding",
    "arrow.apache.org/decimalEncoding",
})  # fmt: skip


class Difference(msgspec.Struct, frozen=True):
    """One difference. Of an attribute there is its key too, or an empty one where only an empty map came or went."""

    rule: str
    path: str
    old: str = ""
    new: str = ""
    attribute: str | None = None


def differences(old: DataSchema, new: DataSchema, *, reference_compatible: bool = False) -> tuple[Difference, ...]:
    """All of them; none exactly where the schemas are equal. Reference compatible finds what the reference finds, defects and all."""
    for one in (old, new):
        checked_schema(one)
    walk = _Walk(REFERENCE if reference_compatible else OURS)
    try:
        return tuple(walk.schema(old, new))
    except RecursionError:
        raise FormatError("a type is nested too deep.", code="odf.too-deep", fix="Flatten the schema.") from None


class _Place(NamedTuple):
    """Where the walk is."""

    path: str = ""
    in_key: bool = False

    def field(self, name: str) -> "_Place":
        return self._replace(path=f"{self.path}.{word(name)}" if self.path else word(name))

    def part(self, step: str) -> "_Place":
        return _Place(f"{self.path}{MARKS[step]}", self.in_key or step == "key")


class _Walk:
    """The way through two schemas."""

    def __init__(self, way: Way) -> None:
        self.way = way

    def schema(self, old: DataSchema, new: DataSchema) -> Iterator[Difference]:
        yield from attribute_differences(old.extra, new.extra, "")
        yield from self.fields(old.fields, new.fields, _Place())

    def fields(self, old: Fields, new: Fields, place: _Place) -> Iterator[Difference]:
        if old == new:
            return
        pairs = self.way.pairs(old, new)
        for before, after in pairs.common:
            if before != after:
                here = place.field(after.name)
                yield from self.types(before.type, after.type, here)
                yield from attribute_differences(before.extra, after.extra, here.path)
        yield from (_came(one, place.field(one.name)) for one in pairs.added)
        yield from (_went(one, place.field(one.name)) for one in pairs.gone)
        for one, was, now in pairs.moved:
            yield Difference("FIELD_REORDERED", place.field(one.name).path, f"place {was}", f"place {now}")

    def types(self, old: DataType, new: DataType, place: _Place) -> Iterator[Difference]:
        if old == new:
            return
        if old.optional is not new.optional:
            rule = "NULLABILITY_RELAXED" if new.optional else "NULLABILITY_TIGHTENED"
            yield Difference(rule, place.path, type_text(old), type_text(new))
        if old.optional or new.optional:
            yield from self.types(without_option(old), without_option(new), place)
        elif old.kind is new.kind and old.kind in self.way.enters:
            yield from _INSIDE[old.kind](self, old, new, place)
        else:
            yield _other_type(old, new, place)

    # ------------------------------------------------------------ containers

    def struct(self, old: Struct, new: Struct, place: _Place) -> Iterator[Difference]:
        yield from self.fields(old.fields, new.fields, place)

    def list(self, old: List, new: List, place: _Place) -> Iterator[Difference]:
        of_items = list(self.types(old.item, new.item, place.part("element")))
        if old.fixed_length != new.fixed_length and (self.way.tells_both or not of_items):
            yield _other_type(old, new, place)
        yield from of_items

    def map(self, old: Map, new: Map, place: _Place) -> Iterator[Difference]:
        if old.keys_sorted is not new.keys_sorted:
            yield _other_type(msgspec.structs.replace(old, key=new.key, value=new.value), new, place)
        yield from self.types(old.key, new.key, place.part("key"))
        yield from self.types(old.value, new.value, place.part("value"))


_INSIDE: Mapping[Kind, Callable[[_Walk, Any, Any, _Place], Iterator[Difference]]] = {
    Kind.STRUCT: _Walk.struct,
    Kind.LIST: _Walk.list,
    Kind.MAP: _Walk.map,
}


def _came(one: DataField, place: _Place) -> Difference:
    if place.in_key:
        return Difference("MAP_KEY_STRUCT_CHANGED", place.path, NOTHING, type_text(one.type))
    rule = "FIELD_ADDED_NULLABLE" if one.type.optional else "FIELD_ADDED_REQUIRED"
    return Difference(rule, place.path, new=type_text(one.type))


def _went(one: DataField, place: _Place) -> Difference:
    if place.in_key:
        return Difference("MAP_KEY_STRUCT_CHANGED", place.path, type_text(one.type), NOTHING)
    return Difference("FIELD_DROPPED", place.path, type_text(one.type))


def _other_type(old: DataType, new: DataType, place: _Place) -> Difference:
    rule = key_rule(old, new) if place.in_key else type_rule(old, new)
    return Difference(rule, place.path, type_text(old), type_text(new))


# ---------------------------------------------------------------- attributes


def attribute_differences(old: Attributes | None, new: Attributes | None, path: str) -> Iterator[Difference]:
    """One for each attribute that differs; and one where an empty map is all that came or went."""
    if old == new:
        return
    before, after = _texts(old), _texts(new)
    others = [key for key in sorted(before | after) if before.get(key) != after.get(key)]
    for key in others:
        rule = "FIELD_DOC_CHANGED" if key in DOCUMENTING else "FIELD_MEANING_CHANGED"
        yield Difference(rule, path, before.get(key, NOTHING), after.get(key, NOTHING), key)
    if not others:
        yield Difference("FIELD_DOC_CHANGED", path, NOTHING if old is None else "{}", NOTHING if new is None else "{}", "")


def _texts(found: Attributes | None) -> dict[str, str]:
    return {} if found is None else {key: json_text(value) for key, value in json.loads(found.text).items()}

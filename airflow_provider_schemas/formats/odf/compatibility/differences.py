"""The differences between two ODF schemas, field by field, down through structs, lists and maps; no policy is applied.

Each difference has the id of its rule, a path, and both sides. Paths are those of all our reports: `a.b` a field
of a struct, `a[]` the items of a list, `m{}` the values of a map and `m{key}` its keys.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.formats.odf.compatibility.field_pairing import OURS, REFERENCE, Fields, WalkMode
from airflow_provider_schemas.formats.odf.compatibility.type_changes import key_rule, type_rule
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.model.attributes import Attributes, json_text
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, List, Map, Struct, nesting_error, without_option

NOTHING: Final = "nothing"
# Attributes that do not change the meaning of values: words for people, and hints how bytes are laid out. The wrong
# domain of the first is printed in the specification's own table.
DOCUMENTING: Final = frozenset({
    "opendatafabric.org/description",
    "opendatafabric.net/description",
    "arrow.apache.org/bufferEncoding",
    "arrow.apache.org/dateEncoding",
    "arrow.apache.org/decimalEncoding",
})  # fmt: skip


class SchemaDifference(msgspec.Struct, frozen=True):
    """One difference; of an attribute with its key, which is empty where only an empty map was added or dropped."""

    rule: str
    path: str
    old: str = ""
    new: str = ""
    attribute: str | None = None


def differences(old: DataSchema, new: DataSchema, *, reference_compatible: bool = False) -> tuple[SchemaDifference, ...]:
    """Return all differences: none exactly where the schemas are equal.

    Reference compatible finds what the reference finds, defects included.
    """
    checked_schema(old)
    checked_schema(new)
    walk = _SchemaWalk(REFERENCE if reference_compatible else OURS)
    try:
        return tuple(walk.schema(old, new))
    except RecursionError:
        raise nesting_error() from None


class _Position(NamedTuple):
    """A position in two schemas."""

    path: str = ""
    in_key: bool = False
    """Whether it is inside the key of a map."""

    def field(self, name: str) -> "_Position":
        if not self.path:
            return self._replace(path=word(name))
        return self._replace(path=f"{self.path}.{word(name)}")

    def part(self, step: str) -> "_Position":
        return _Position(f"{self.path}{MARKS[step]}", self.in_key or step == "key")


class _SchemaWalk:
    """Walks through two schemas side by side, and yields their differences."""

    def __init__(self, mode: WalkMode) -> None:
        self.mode = mode

    def schema(self, old: DataSchema, new: DataSchema) -> Iterator[SchemaDifference]:
        yield from _attribute_differences(old.extra, new.extra, "")
        yield from self.fields(old.fields, new.fields, _Position())

    def fields(self, old: Fields, new: Fields, parent: _Position) -> Iterator[SchemaDifference]:
        if old == new:
            return
        pairs = self.mode.pair(old, new)
        for before, after in pairs.common:
            if before != after:
                position = parent.field(after.name)
                yield from self.types(before.type, after.type, position)
                yield from _attribute_differences(before.extra, after.extra, position.path)
        for field in pairs.added:
            yield _added_field(field, parent.field(field.name))
        for field in pairs.dropped:
            yield _dropped_field(field, parent.field(field.name))
        for field, old_place, new_place in pairs.moved:
            yield SchemaDifference("FIELD_REORDERED", parent.field(field.name).path, f"place {old_place}", f"place {new_place}")

    def types(self, old: DataType, new: DataType, position: _Position) -> Iterator[SchemaDifference]:
        if old == new:
            return
        if old.optional is not new.optional:
            rule = "NULLABILITY_RELAXED" if new.optional else "NULLABILITY_TIGHTENED"
            yield SchemaDifference(rule, position.path, type_text(old), type_text(new))
        if old.optional or new.optional:
            yield from self.types(without_option(old), without_option(new), position)
        elif old.kind is new.kind and old.kind in self.mode.enters:
            yield from _CONTAINERS[old.kind](self, old, new, position)
        else:
            yield _changed_type(old, new, position)

    # ------------------------------------------------------------ containers

    def struct(self, old: Struct, new: Struct, position: _Position) -> Iterator[SchemaDifference]:
        yield from self.fields(old.fields, new.fields, position)

    def list(self, old: List, new: List, position: _Position) -> Iterator[SchemaDifference]:
        item_differences = list(self.types(old.item, new.item, position.part("element")))
        if old.fixed_length != new.fixed_length and (self.mode.reports_length_beside_items or not item_differences):
            yield _changed_type(old, new, position)
        yield from item_differences

    def map(self, old: Map, new: Map, position: _Position) -> Iterator[SchemaDifference]:
        if old.keys_sorted is not new.keys_sorted:
            yield _changed_type(msgspec.structs.replace(old, key=new.key, value=new.value), new, position)
        yield from self.types(old.key, new.key, position.part("key"))
        yield from self.types(old.value, new.value, position.part("value"))


_CONTAINERS: Mapping[Kind, Callable[[_SchemaWalk, Any, Any, _Position], Iterator[SchemaDifference]]] = {
    Kind.STRUCT: _SchemaWalk.struct,
    Kind.LIST: _SchemaWalk.list,
    Kind.MAP: _SchemaWalk.map,
}


def _added_field(field: DataField, position: _Position) -> SchemaDifference:
    if position.in_key:
        return SchemaDifference("MAP_KEY_STRUCT_CHANGED", position.path, NOTHING, type_text(field.type))
    rule = "FIELD_ADDED_NULLABLE" if field.type.optional else "FIELD_ADDED_REQUIRED"
    return SchemaDifference(rule, position.path, new=type_text(field.type))


def _dropped_field(field: DataField, position: _Position) -> SchemaDifference:
    if position.in_key:
        return SchemaDifference("MAP_KEY_STRUCT_CHANGED", position.path, type_text(field.type), NOTHING)
    return SchemaDifference("FIELD_DROPPED", position.path, type_text(field.type))


def _changed_type(old: DataType, new: DataType, position: _Position) -> SchemaDifference:
    rule = key_rule(old, new) if position.in_key else type_rule(old, new)
    return SchemaDifference(rule, position.path, type_text(old), type_text(new))


# ---------------------------------------------------------------- attributes


def _attribute_differences(old: Attributes | None, new: Attributes | None, path: str) -> Iterator[SchemaDifference]:
    """Yield a difference for each attribute that differs, or one where only an empty map was added or dropped."""
    if old == new:
        return
    before = _json_texts(old)
    after = _json_texts(new)
    changed = [key for key in sorted(before | after) if before.get(key) != after.get(key)]
    for key in changed:
        rule = "FIELD_DOC_CHANGED" if key in DOCUMENTING else "FIELD_MEANING_CHANGED"
        yield SchemaDifference(rule, path, before.get(key, NOTHING), after.get(key, NOTHING), key)
    if not changed:
        yield SchemaDifference("FIELD_DOC_CHANGED", path, _map_text(old), _map_text(new), "")


def _json_texts(extra: Attributes | None) -> dict[str, str]:
    """Return the attributes with each value as JSON."""
    if extra is None:
        return {}
    return {key: json_text(value) for key, value in json.loads(extra.text).items()}


def _map_text(extra: Attributes | None) -> str:
    return NOTHING if extra is None else "{}"

"""When two ODF schemas count as the same, when one holds the other, and when one may follow: one relation, from the specification.

It answers yes or no and explains nothing, and shares no code with the comparison that it is the measure of.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, List, Map, Option, Struct, without_option

Fields = tuple[DataField, ...]


def _never(_: DataField) -> bool:
    return False


def _always(_: DataField) -> bool:
    return True


def _is_option(one: DataField) -> bool:
    return isinstance(one.type, Option)


class Relation(NamedTuple):
    """What does not count, and which fields only one side may have."""

    ignore: frozenset[str]
    may_go: Callable[[DataField], bool] = _never
    may_come: Callable[[DataField], bool] = _never

    def schemas(self, old: DataSchema, new: DataSchema) -> bool:
        return self.extras(old, new) and self.fields(old.fields, new.fields)

    def extras(self, old: DataSchema | DataField, new: DataSchema | DataField) -> bool:
        return "attributes" in self.ignore or old.extra == new.extra

    def fields(self, old: Fields, new: Fields) -> bool:
        mine, theirs = _numbered(old), _numbered(new)
        common = [name for name in mine if name in theirs]
        return (
            all(self.may_go(one) for name, one in mine.items() if name not in theirs)
            and all(self.may_come(one) for name, one in theirs.items() if name not in mine)
            and ("order" in self.ignore or common == [name for name in theirs if name in mine])
            and all(self.extras(mine[name], theirs[name]) and self.types(mine[name].type, theirs[name].type) for name in common)
        )

    def types(self, old: DataType, new: DataType) -> bool:
        if isinstance(old, Option) or isinstance(new, Option):
            may_differ = "optionality" in self.ignore or old.kind is new.kind
            return may_differ and self.types(without_option(old), without_option(new))
        if isinstance(old, Struct) and isinstance(new, Struct):
            return self.fields(old.fields, new.fields)
        if isinstance(old, List) and isinstance(new, List):
            return old.fixed_length == new.fixed_length and self.types(old.item, new.item)
        if isinstance(old, Map) and isinstance(new, Map):
            keys = Relation(self.ignore).types(old.key, new.key)
            return keys and old.keys_sorted is new.keys_sorted and self.types(old.value, new.value)
        return old == new


def _numbered(fields: Iterable[DataField]) -> dict[tuple[str, int], DataField]:
    seen: Counter[str] = Counter()
    found = {}
    for one in fields:
        found[one.name, seen[one.name]] = one
        seen[one.name] += 1
    return found


def result(old: DataSchema, new: DataSchema, ignore: frozenset[str]) -> str:
    """The word for how they compare."""
    if old == new:
        return "Identical"
    return "Equivalent" if Relation(ignore).schemas(old, new) else "NonEquivalent"


def holds(schema: DataSchema, other: DataSchema, ignore: frozenset[str]) -> bool:
    """Whether the first is a superset of the other."""
    return Relation(ignore, may_go=_always).schemas(schema, other)


def may_follow(old: DataSchema, new: DataSchema, ignore: frozenset[str]) -> bool | None:
    """Whether the new one may follow where this does not count; None if it changes nothing."""
    return None if old == new else Relation(ignore | {"order", "attributes"}, may_come=_is_option).schemas(old, new)

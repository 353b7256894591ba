"""Two schemas whose ids do not compare, matched by name.

Fields of one name are one field; the rest is new or gone. A gone and a new field of one list that may be one
renamed field are a candidate, with reasons. A rename is never assumed: a person has to confirm it.
"""

from collections.abc import Sequence
from itertools import product

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.common.short_repr import ShortRepr, listed, named
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import Field, RowType, children, field, rebuilt, row

# Reasons are compared pair by pair; beyond this a list is too different for candidates to help.
_MOST_PAIRS = 10_000
_LIKE = 0.6


class RenameCandidate(ShortRepr, Struct, frozen=True):
    """A field that is gone and one that is new, which may be the same."""

    old: str
    new: str
    reasons: tuple[str, ...]

    def _short_text(self) -> str:
        return f"{named(self.old)} -> {named(self.new)}: {listed(self.reasons)}"


def matched_by_name(old: TableSchema, new: TableSchema) -> tuple[TableSchema, tuple[RenameCandidate, ...]]:
    """Return the new schema with the ids of the old one where names agree, and ids never used before where not."""
    matching = _Matching(old.highest_field_id)
    fields = matching.fields(old.fields, new.fields, "")
    return msgspec.structs.replace(new, fields=fields, highest_field_id=matching.ids.highest), tuple(matching.candidates)


class _Matching:
    """One matching: hands out ids and collects candidates."""

    def __init__(self, highest: int) -> None:
        self.ids = FieldIds(highest)
        self.candidates: list[RenameCandidate] = []

    def fields(self, old: Sequence[Field], new: Sequence[Field], path: str) -> tuple[Field, ...]:
        old_by_name = {field.name: field for field in old}
        names = {field.name for field in new}
        matched = [self.field(old_by_name.get(field.name), field, f"{path}{field.name}") for field in new]
        gone = [(place, field) for place, field in enumerate(old) if field.name not in names]
        fresh = [(place, field) for place, field in enumerate(new) if field.name not in old_by_name]
        if len(gone) * len(fresh) <= _MOST_PAIRS:
            candidates = (_candidate(before, after, path) for before, after in product(gone, fresh))
            self.candidates += [candidate for candidate in candidates if candidate is not None]
        return tuple(matched)

    def field(self, old: Field | None, new: Field, path: str) -> Field:
        if old is None:
            number = self.ids.next()
            return field(number, new.name, self.ids.assigned(new.type), new.description, new.default)
        return field(old.id, new.name, self.type(old.type, new.type, path), new.description, new.default)

    def type(self, old: DataType, new: DataType, path: str) -> DataType:
        """Return the new type with the ids of the old one inside."""
        if isinstance(old, RowType) and isinstance(new, RowType):
            return row(self.fields(old.fields, new.fields, f"{path}.")).with_nullable(new.nullable)
        if old.root is not new.root:
            return self.ids.assigned(new)
        parts = zip(children(old), children(new), strict=True)
        return rebuilt(new, [self.type(mine, theirs, f"{path}.{word}") for (word, mine), (_, theirs) in parts])


def _candidate(gone: tuple[int, Field], fresh: tuple[int, Field], path: str) -> RenameCandidate | None:
    """Return a candidate, where the types fit and there is one reason more."""
    old = gone[1]
    new = fresh[1]
    type_reason = _type_reason(old.type, new.type)
    if not type_reason:
        return None
    reasons = [type_reason]
    if gone[0] == fresh[0]:
        reasons.append("same place")
    if _are_similar(old.name, new.name):
        reasons.append("similar name")
    if old.description is not None and old.description == new.description:
        reasons.append("same comment")
    if len(reasons) == 1:
        return None
    return RenameCandidate(f"{path}{old.name}", f"{path}{new.name}", tuple(reasons))


def _type_reason(old: DataType, new: DataType) -> str:
    if same_type(old, new):
        return "same type"
    if cast_support(old, new).lossless:
        return "wider type"
    return ""


def _are_similar(old: str, new: str) -> bool:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, old[:100].casefold(), new[:100].casefold()).ratio() >= _LIKE

"""Two schemas whose ids do not compare, matched by name.

Fields of one name are one field; the rest is new or gone. Where a gone and a new field of one list may be
one that was renamed, that is said, with reasons. It is never assumed: a person has to say it.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import Field, RowType, children, field, rebuilt, row

# Reasons are compared pair by pair; beyond this a list is too different for candidates to help.
_MOST_PAIRS = 10_000
_LIKE = 0.6


class RenameCandidate(Struct, frozen=True):
    """A field that is gone and one that is new, which may be the same."""

    old: str
    new: str
    reasons: tuple[str, ...]


def matched_by_name(old: TableSchema, new: TableSchema) -> tuple[TableSchema, tuple[RenameCandidate, ...]]:
    """The new schema with the ids of the old one where names agree, and ids never used before where not."""
    matching = _Matching(old.highest_field_id)
    fields = matching.fields(old.fields, new.fields, "")
    return msgspec.structs.replace(new, fields=fields, highest_field_id=matching.ids.highest), tuple(matching.candidates)


class _Matching:
    def __init__(self, highest: int) -> None:
        self.ids = FieldIds(highest)
        self.candidates: list[RenameCandidate] = []

    def fields(self, old: Sequence[Field], new: Sequence[Field], path: str) -> tuple[Field, ...]:
        there = {one.name: one for one in old}
        names = {one.name for one in new}
        matched = [self.field(there.get(one.name), one, f"{path}{one.name}") for one in new]
        gone = [(place, one) for place, one in enumerate(old) if one.name not in names]
        fresh = [(place, one) for place, one in enumerate(new) if one.name not in there]
        if len(gone) * len(fresh) <= _MOST_PAIRS:
            self.candidates += [found for one in gone for other in fresh if (found := _candidate(one, other, path))]
        return tuple(matched)

    def field(self, old: Field | None, new: Field, path: str) -> Field:
        number = self.ids.next() if old is None else old.id
        kind = self.ids.assigned(new.type) if old is None else self.type(old.type, new.type, path)
        return field(number, new.name, kind, new.description, new.default)

    def type(self, old: DataType, new: DataType, path: str) -> DataType:
        """The new type with the ids of the old one inside."""
        if isinstance(old, RowType) and isinstance(new, RowType):
            return row(self.fields(old.fields, new.fields, f"{path}.")).with_nullable(new.nullable)
        if old.root is not new.root:
            return self.ids.assigned(new)
        parts = zip(children(old), children(new), strict=True)
        return rebuilt(new, [self.type(mine, theirs, f"{path}.{word}") for (word, mine), (_, theirs) in parts])


def _candidate(gone: tuple[int, Field], fresh: tuple[int, Field], path: str) -> RenameCandidate | None:
    from difflib import SequenceMatcher

    (old_place, old), (new_place, new) = gone, fresh
    reasons = [
        reason
        for reason, holds in (
            ("same type", same_type(old.type, new.type)),
            ("wider type", not same_type(old.type, new.type) and cast_support(old.type, new.type).lossless),
            ("same place", old_place == new_place),
            ("similar name", SequenceMatcher(None, old.name[:100].casefold(), new.name[:100].casefold()).ratio() >= _LIKE),
            ("same comment", old.description is not None and old.description == new.description),
        )
        if holds
    ]
    typed = any(reason.endswith("type") for reason in reasons)
    return RenameCandidate(f"{path}{old.name}", f"{path}{new.name}", tuple(reasons)) if typed and len(reasons) > 1 else None

"""New fields that may be existing ones under another name: the file does not say so, and a person has to decide.

`core.evolution.match_by_name` decides which pairs of fields are candidates; this module chooses the fields to compare.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate, matched_by_name
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType, atomic
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.table_file.field_paths import Steps, dotted

# So many pairs take a second; and so many `match_by_name` compares at once.
_MAX_PAIRS = 50_000
_MAX_PAIRS_AT_ONCE = 10_000
_MAX_NAMES = 3


class ListedField(NamedTuple):
    """A field of the file: its name and type, its description and default where the file has them, and its entry."""

    name: str
    type: DataType
    texts: Mapping[str, str | None]
    entry: str


Pair = tuple[ListedField, Field | None]
"""A field of the file, with the existing field that it is; None for a new one."""


def candidate_faults(existing: Sequence[Field], unknown: Collection[str], pairs: Sequence[Pair], path: Steps) -> list[Fault]:
    """Return a fault for each new field that may be one of the fields that the file does not mention.

    `existing` are the fields of the table that stay, under their new names; `unknown` are the names of those that
    the file does not mention.
    """
    fresh = [listed for listed, before in pairs if before is None]
    if len(fresh) * len(unknown) > _MAX_PAIRS:
        return [_too_many_fault(fresh, len(unknown))]
    candidates: defaultdict[str, list[RenameCandidate]] = defaultdict(list)
    for candidate in _find_candidates(existing, unknown, pairs, fresh):
        candidates[candidate.new].append(candidate)
    return [_candidate_fault(listed, candidates[listed.name], path) for listed in fresh if listed.name in candidates]


# ---------------------------------------------------------------- the search


def _find_candidates(
    existing: Sequence[Field], unknown: Collection[str], pairs: Sequence[Pair], fresh: Sequence[ListedField]
) -> Iterator[RenameCandidate]:
    """Yield all candidates; the fields are compared in blocks of a size that `match_by_name` takes."""
    gone = [field.name for field in existing if field.name in unknown]
    new = [listed.name for listed in fresh]
    for old_names in _blocks(gone, _MAX_PAIRS_AT_ONCE):
        for new_names in _blocks(new, max(1, _MAX_PAIRS_AT_ONCE // len(old_names))):
            yield from _compare(existing, pairs, frozenset(old_names), frozenset(new_names))


def _blocks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))


# The type of fields that are not to be compared: they stand on both sides, and so they are neither gone nor new.
_NOT_COMPARED = atomic(Root.BOOLEAN)


def _compare(existing: Sequence[Field], pairs: Sequence[Pair], gone: Collection[str], new: Collection[str]) -> tuple[RenameCandidate, ...]:
    """Compare the gone fields with the new ones. All ids are equal here, so that only names, types and places count."""
    before = [_comparable(field.name, field.type, field.description, gone) for field in existing]
    after = [_comparable(listed.name, listed.type, listed.texts.get("description"), new) for listed, _ in pairs]
    names_before = {field.name for field in before}
    names_after = {field.name for field in after}
    before += [nested.field(0, field.name, _NOT_COMPARED) for field in after if field.name not in names_before and field.name not in new]
    after += [nested.field(0, name, _NOT_COMPARED) for name in sorted(names_before - names_after - set(gone))]
    return matched_by_name(_schema(before), _schema(after))[1]


def _comparable(name: str, kind: DataType, description: str | None, compared: Collection[str]) -> Field:
    return nested.field(0, name, numbered(kind) if name in compared else _NOT_COMPARED, description)


def _schema(fields: Sequence[Field]) -> TableSchema:
    return TableSchema(tuple(fields), len(fields))


# ---------------------------------------------------------------- the faults


def _too_many_fault(fresh: Sequence[ListedField], unknown: int) -> Fault:
    message = f"{len(fresh)} fields are new, and {unknown} of the table are not mentioned: nobody can tell which of them were renamed."
    fix = "List those that stay, and drop those that shall go; or add the new ones in smaller steps."
    return Fault("table-file.rename-candidate", fresh[0].entry, message, fix)


def _candidate_fault(listed: ListedField, candidates: Sequence[RenameCandidate], path: Steps) -> Fault:
    likely = sorted(candidates, key=lambda candidate: len(candidate.reasons), reverse=True)
    names = ", ".join(f"{shown(candidate.old)} ({', '.join(candidate.reasons)})" for candidate in likely[:_MAX_NAMES])
    if len(likely) > _MAX_NAMES:
        names += f" and {len(likely) - _MAX_NAMES} more"
    new = dotted((*path, listed.name))
    old = likely[0].old
    was, keep = (f"{{{new}: {old}}}", f"name {old} in the type") if path else (old, f"list {old} as a column")
    message = f"{shown(new)} is new, and the file does not mention {names} of the table: it may be the same, renamed."
    fix = f"Write `was: {was}` if it was renamed, `dropped: [{dotted((*path, old))}]` if that shall go, or {keep} to keep both."
    return Fault("table-file.rename-candidate", listed.entry, message, fix)

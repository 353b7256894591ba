"""New fields that may be ones of the table under another name, which nobody has said: a person has to.

What makes a pair of fields a candidate is decided by `core.evolution.match_by_name`; here are the fields that may be pairs.
"""

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
_MOST_PAIRS = 50_000
_AT_ONCE = 10_000
_SHOWN = 3


class Wanted(NamedTuple):
    """A field that the file names, what it says about it beyond the type, and the entry that says it."""

    name: str
    type: DataType
    said: Mapping[str, str | None]
    entry: str


Pair = tuple[Wanted, Field | None]


def candidate_faults(there: Sequence[Field], unknown: Collection[str], pairs: Sequence[Pair], path: Steps) -> list[Fault]:
    """A fault for each new field that may be one of those that the file does not mention.

    There are the fields of the table that stay, under their names of now; the pairs are those of the file, each with
    the one that it is.
    """
    fresh = [want for want, before in pairs if before is None]
    if len(fresh) * len(unknown) > _MOST_PAIRS:
        return [_too_many(fresh, len(unknown))]
    found: dict[str, list[RenameCandidate]] = {}
    for one in _candidates(there, unknown, pairs, fresh):
        found.setdefault(one.new, []).append(one)
    return [_fault(want, found[want.name], path) for want in fresh if want.name in found]


def _candidates(
    there: Sequence[Field], unknown: Collection[str], pairs: Sequence[Pair], fresh: Sequence[Wanted]
) -> Iterator[RenameCandidate]:
    """All of them, in blocks of a size that `match_by_name` takes."""
    gone = [one.name for one in there if one.name in unknown]
    new = [one.name for one in fresh]
    for some in _blocks(gone, _AT_ONCE):
        for others in _blocks(new, max(1, _AT_ONCE // len(some))):
            yield from _compared(there, pairs, frozenset(some), frozenset(others))


def _blocks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))


# For fields that are not to be compared: they stand on both sides, and so they are neither gone nor new.
_FOUND = atomic(Root.BOOLEAN)


def _compared(there: Sequence[Field], pairs: Sequence[Pair], gone: Collection[str], new: Collection[str]) -> tuple[RenameCandidate, ...]:
    # Ids mean nothing here, inside a type neither.
    mine = [nested.field(0, one.name, numbered(one.type) if one.name in gone else _FOUND, one.description) for one in there]
    theirs = [
        nested.field(0, want.name, numbered(want.type) if want.name in new else _FOUND, want.said.get("description")) for want, _ in pairs
    ]
    names, others = {one.name for one in mine}, {one.name for one in theirs}
    mine += [nested.field(0, one.name, _FOUND) for one in theirs if one.name not in names and one.name not in new]
    theirs += [nested.field(0, name, _FOUND) for name in sorted(names - others - set(gone))]
    return matched_by_name(_schema(mine), _schema(theirs))[1]


def _schema(fields: Sequence[Field]) -> TableSchema:
    return TableSchema(tuple(fields), len(fields))


def _too_many(fresh: Sequence[Wanted], unknown: int) -> Fault:
    message = f"{len(fresh)} fields are new, and {unknown} of the table are not mentioned: nobody can tell which of them were renamed."
    fix = "List those that stay, and drop those that shall go; or add the new ones in smaller steps."
    return Fault("table-file.rename-candidate", fresh[0].entry, message, fix)


def _fault(want: Wanted, some: list[RenameCandidate], path: Steps) -> Fault:
    likely = sorted(some, key=lambda one: -len(one.reasons))
    each = [f"{shown(one.old)} ({', '.join(one.reasons)})" for one in likely[:_SHOWN]]
    more = f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
    new, old = dotted((*path, want.name)), likely[0].old
    message = f"{shown(new)} is new, and the file does not mention {', '.join(each)}{more} of the table: it may be the same, renamed."
    was, keep = (f"{{{new}: {old}}}", f"name {old} in the type") if path else (old, f"list {old} as a column")
    fix = f"Write `was: {was}` if it was renamed, `dropped: [{dotted((*path, old))}]` if that shall go, or {keep} to keep both."
    return Fault("table-file.rename-candidate", want.entry, message, fix)

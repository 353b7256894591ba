"""Is old data still readable? One difference, judged against every schema under which files may have been written.

Types and NULL do not compose: a step that is fine from the last schema may not be so from an earlier one, and
the other way round. So each of them is asked.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain, pairwise
from operator import add
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.changes.field_paths import by_ids
from airflow_provider_schemas.core.comparison.added_and_dropped import column_of, field_in
from airflow_provider_schemas.core.comparison.type_changes import type_rule
from airflow_provider_schemas.core.difference import CALLED_OTHERWISE, RETURNED, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, describe, holds, outcome, readable
from airflow_provider_schemas.core.report import Answers, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, children

# Rules that need not hold for an engine that cannot convert: then it is a gap.
LOSSLESS_RULES = frozenset({"TYPE_WIDENED", "TYPE_WIDENED_ENGINE_GAP", "TIMESTAMP_PRECISION_RAISED", "LENGTH_RELAXED"})
_GAP = "TYPE_WIDENED_ENGINE_GAP"
# Engines that never convert the key of a map.
_FROZEN_KEYS = frozenset({"iceberg-v2"})


class Written(NamedTuple):
    """The schemas under which files may have been written."""

    past: History
    old: TableSchema | None
    """The newest schema, if it is one of them."""

    def __bool__(self) -> bool:
        return bool(self.past.numbers) or self.old is not None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the schemas, lowest first."""
        return self.past.numbers if self.old is None else (*self.past.numbers, self.old.id)

    def columns(self, steps: Sequence[int | str]) -> list[tuple[Field, Sequence[int]]]:
        """Return what the column was with which a path of ids begins, and in which schemas."""
        found: list[tuple[Field, Sequence[int]]] = [(state.field, state.numbers) for state in column_of(self.past, steps)]
        newest = self.old.column(steps[0]) if self.old is not None and isinstance(steps[0], int) else None
        if self.old is not None and newest is not None:
            found.append((newest, (self.old.id,)))
        return found


class Hit(Struct, frozen=True):
    """What a difference means for the files of some schemas."""

    rule: str
    old: str
    answers: Answers
    versions: tuple[int, ...]
    gaps: str = ""


def hits(seen: Observation, files: Written, readers: Sequence[Reader]) -> Iterator[Hit]:
    """The answers for old files, those of the newest schema and others; none, if no file is concerned."""
    # The type of a key is seen at its column too, and judged there against every file.
    typed = isinstance(seen.before, DataType) and isinstance(seen.after, DataType) and not seen.rule.endswith("_FIELD_RETYPED")
    if typed and seen.where.column is not None:
        ask = _null_hits if seen.rule.startswith("NULLABILITY") else _type_hits
        yield from ask(seen, files, readers)
    elif seen.rule == "FIELD_ADDED_REQUIRED":
        if _was_missing(seen, files):  # one that returns may never have been missing in a file
            yield Hit(seen.rule, seen.old, RULES[seen.rule].answers(seen.variant), ())
    elif seen.rule in CALLED_OTHERWISE:
        if any(_is_called_otherwise(column, seen) for column, _ in files.columns(seen.where.steps)):
            yield Hit(seen.rule, seen.old, RULES[seen.rule].answers(seen.variant), ())
    elif files:
        # Iceberg keeps the partition spec of every file.
        iceberg = seen.rule == "PARTITION_KEYS_CHANGED" and all(one.name == "iceberg-v2" for one in readers)
        yield Hit(seen.rule, seen.old, RULES[seen.rule].answers("iceberg" if iceberg else seen.variant), ())


def _is_called_otherwise(column: Field, seen: Observation) -> bool:
    """Whether files of the column have the field under another name than the new one: those of the new name need no conversion."""
    field = field_in(column, seen.where.steps)
    return field is not None and bool(field.name != seen.after.name)


def lost_versions(seen: Observation, found: Sequence[Hit], files: Written, readers: Sequence[Reader]) -> tuple[int, ...]:
    """Return the versions whose files some of the readers cannot read rightly after the change, lowest first."""
    if seen.rule not in CALLED_OTHERWISE:
        return tuple(number for hit in found if _answer(hit.answers, readers) is Verdict.BREAK for number in hit.versions)
    if all(reader.by != "name" for reader in readers):
        return ()
    otherwise = [numbers for column, numbers in files.columns(seen.where.steps) if _is_called_otherwise(column, seen)]
    return tuple(sorted(number for numbers in otherwise for number in numbers))


def _answer(answers: Answers, readers: Sequence[Reader]) -> Verdict:
    return worst(answers.data_by_id if one.by == "id" else answers.data_by_name for one in readers)


def _type_hits(seen: Observation, files: Written, readers: Sequence[Reader]) -> Iterator[Hit]:
    found: dict[tuple[str, str], tuple[DataType, list[Sequence[int]]]] = {}
    for kind, numbers in _kinds(seen, files):
        if not same_type(kind, seen.after):
            rule = _rule(seen, kind)
            found.setdefault((rule, str(kind)), (kind, []))[1].append(numbers)
    for (rule, text), (kind, several) in found.items():
        yield _hit(Hit(rule, text, RULES[rule].answers(), _in_order(several)), kind, seen.after, readers)


def _in_order(several: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the numbers of several ranges, lowest first: thousands of them, most often in order already."""
    if all(before[-1] < after[0] for before, after in pairwise(several)):
        return reduce(add, map(tuple, several))
    return tuple(sorted(chain.from_iterable(several)))


def _rule(seen: Observation, kind: DataType) -> str:
    own = kind == seen.before or seen.rule.startswith("MAP_KEY") or (kind.root is seen.after.root and not isinstance(kind, AtomicType))
    return seen.rule if own else type_rule(kind, seen.after)


def _hit(hit: Hit, before: DataType, after: DataType, readers: Sequence[Reader]) -> Hit:
    """What the engines make of it."""
    if hit.rule == "MAP_KEY_WIDENED":
        frozen = any(one.name in _FROZEN_KEYS for one in readers)
        return replace(hit, answers=RULES[hit.rule].answers("frozen" if frozen else ""))
    if hit.rule in LOSSLESS_RULES:
        stuck = [one for one in readers if not readable(one.name, before, after)]
        return replace(hit, rule=_GAP, answers=RULES[_GAP].answers(), gaps=_said(stuck, before, after)) if stuck else hit
    return replace(hit, gaps=consequences(readers, before, after))


def consequences(readers: Sequence[Reader], before: DataType, after: DataType) -> str:
    """What the engines make of old files, as far as somebody has measured it."""
    return _said([one for one in readers if one.name != "paimon"], before, after)


def _said(readers: Sequence[Reader], before: DataType, after: DataType) -> str:
    if not (isinstance(before, AtomicType) and isinstance(after, AtomicType)):
        return ""
    known = [(one.name, outcome(one.name, before, after)) for one in readers]
    return ", ".join(f"{name} {describe(found)}" for name, found in known if found is not Outcome.EXACT)


# What an engine does with a file whatever the values in it are.
_STOPS = frozenset({Outcome.ERROR, Outcome.REFUSED, Outcome.ABSENT})


def stops(reader: Reader, before: DataType, after: DataType) -> bool:
    """Whether the engine reads no file of the old type as the new one at all."""
    return isinstance(before, AtomicType) and isinstance(after, AtomicType) and outcome(reader.name, before, after) in _STOPS


def _null_hits(seen: Observation, files: Written, readers: Sequence[Reader]) -> Iterator[Hit]:
    answers = RULES[seen.rule].answers()
    if seen.rule == "NULLABILITY_RELAXED":
        yield Hit(seen.rule, seen.old, answers, ())
        return
    # A file without the field gives NULL as well.
    kinds = [*_kinds(seen, files)]
    sound = {number for kind, numbers in kinds if not kind.nullable for number in numbers}
    sound -= {number for kind, numbers in kinds if kind.nullable for number in numbers}
    versions = [number for number in files.numbers if number not in sound]
    if versions:
        yield Hit(seen.rule, seen.old, answers, tuple(versions))


def _kinds(seen: Observation, files: Written) -> Iterator[tuple[DataType, Sequence[int]]]:
    """The types that the place had, and in which schemas; NOT NULL counts where the difference is about it."""
    newest = files.old if seen.variant == RETURNED else None
    for column, numbers in Written(files.past, newest).columns((seen.where.column or 0,)):
        kind = kind_in(column, seen)
        if kind is not None:
            yield kind, numbers
    if files.old is not None and seen.variant != RETURNED:
        yield seen.before, (files.old.id,)


def kind_in(column: Field, seen: Observation) -> DataType | None:
    """Return the type that the place has in what its column was, as the difference compares it."""
    kind = by_ids(column.type, seen.where.steps[1:])
    return kind if kind is None or seen.rule.startswith("NULLABILITY") else kind.with_nullable(True)


def _was_missing(seen: Observation, files: Written) -> bool:
    """Whether a field was not there in one of the schemas."""
    steps = seen.where.steps
    there = {number for column, numbers in files.columns(steps) if field_in(column, steps) is not None for number in numbers}
    return len(there) < len(files.numbers)


def unreadable_as(kind: DataType | None, target: DataType, readers: Sequence[Reader]) -> bool:
    """Return whether some of the readers cannot read files of one type rightly as the other."""
    if kind is None or same_type(kind, target):
        return False
    rule = type_rule(kind, target)
    return _answer(_hit(Hit(rule, str(kind), RULES[rule].answers(), ()), kind, target, readers).answers, readers) is Verdict.BREAK


def unheld(kind: DataType, reader: Reader) -> DataType | None:
    """The first type inside this one that the engine has no counterpart for."""
    if not holds(reader.name, kind):
        return kind
    return next((found for _, part in children(kind) if (found := unheld(part, reader)) is not None), None)

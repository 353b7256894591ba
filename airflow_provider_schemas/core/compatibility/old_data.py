"""Is old data still readable? One difference, judged against every schema under which files may have been written.

A step that is fine from the last schema may break files of an earlier one, and the other way round: types and NULL do
not compose. So the difference is judged against each of the schemas.
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
from airflow_provider_schemas.core.comparison.fields_by_ids import column_of, field_in
from airflow_provider_schemas.core.comparison.type_changes import type_rule
from airflow_provider_schemas.core.difference import CALLED_OTHERWISE, RETURNED, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, describe, outcome, readable
from airflow_provider_schemas.core.report import Answers, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field

# Rules that need not hold for an engine that cannot convert: then it is a gap.
LOSSLESS_RULES = frozenset({"TYPE_WIDENED", "TYPE_WIDENED_ENGINE_GAP", "TIMESTAMP_PRECISION_RAISED", "LENGTH_RELAXED"})
_GAP = "TYPE_WIDENED_ENGINE_GAP"
# Engines that never convert the key of a map.
_FROZEN_KEYS = frozenset({"iceberg-v2", "spark-iceberg"})
# What an engine does with a file whatever the values in it are.
_STOPS = frozenset({Outcome.ERROR, Outcome.REFUSED, Outcome.ABSENT})


class FileSchemas(NamedTuple):
    """The schemas under which files may have been written."""

    counted_history: History
    """The earlier ones: those whose files the policy wants to stay readable."""
    old: TableSchema | None
    """The schema before the step, if it is one of them."""

    def __bool__(self) -> bool:
        return bool(self.counted_history.numbers) or self.old is not None

    @property
    def versions(self) -> tuple[int, ...]:
        """Return the versions of the schemas, lowest first."""
        return self.counted_history.numbers if self.old is None else (*self.counted_history.numbers, self.old.id)

    def columns(self, steps: Sequence[int | str]) -> list[tuple[Field, Sequence[int]]]:
        """Return what the column at the start of a path of ids was, each time with the schemas in which it was that."""
        columns: list[tuple[Field, Sequence[int]]] = [(state.field, state.numbers) for state in column_of(self.counted_history, steps)]
        if self.old is None or not isinstance(steps[0], int):
            return columns
        newest = self.old.column(steps[0])
        if newest is not None:
            columns.append((newest, (self.old.id,)))
        return columns


class OldDataEffect(Struct, frozen=True):
    """What a difference means for the files of some schemas; often nothing bad: its answers say."""

    rule: str
    old: str
    """What the files hold: a type, or what the old schema says."""
    answers: Answers
    versions: tuple[int, ...]
    gaps: str = ""


def old_data_effects(observation: Observation, files: FileSchemas, readers: Sequence[Reader]) -> Iterator[OldDataEffect]:
    """Yield the answers for old files, those of the newest schema and others; none, if no file is concerned."""
    if _compares_types(observation):
        judge_types = _null_effects if observation.rule.startswith("NULLABILITY") else _type_effects
        yield from judge_types(observation, files, readers)
    elif _concerns_files(observation, files):
        variant = _variant(observation, readers)
        yield OldDataEffect(observation.rule, observation.old, RULES[observation.rule].answers(variant), ())


def _compares_types(observation: Observation) -> bool:
    """Return whether the difference is between two types of one place. The type of a key is judged at its column, against every file."""
    if observation.rule.endswith("_FIELD_RETYPED") or observation.where.column is None:
        return False
    return isinstance(observation.before, DataType) and isinstance(observation.after, DataType)


def _concerns_files(observation: Observation, files: FileSchemas) -> bool:
    if observation.rule == "FIELD_ADDED_REQUIRED":
        return _was_missing(observation, files)  # a field that returns may never have been missing in a file
    if observation.rule in CALLED_OTHERWISE:
        return any(_is_called_otherwise(column, observation) for column, _ in files.columns(observation.where.steps))
    return bool(files)


def _variant(observation: Observation, readers: Sequence[Reader]) -> str:
    # Iceberg keeps the partition spec of every file.
    if observation.rule == "PARTITION_KEYS_CHANGED" and all(reader.name in _FROZEN_KEYS for reader in readers):
        return "iceberg"
    return observation.variant


def _was_missing(observation: Observation, files: FileSchemas) -> bool:
    """Return whether the field was not there in one of the schemas."""
    steps = observation.where.steps
    there: set[int] = set()
    for column, versions in files.columns(steps):
        if field_in(column, steps) is not None:
            there.update(versions)
    return len(there) < len(files.versions)


def _is_called_otherwise(column: Field, observation: Observation) -> bool:
    """Return whether files of the column have the field under another name than the new one: those of the new name need no conversion."""
    field = field_in(column, observation.where.steps)
    return field is not None and bool(field.name != observation.after.name)


# ---------------------------------------------------------------- versions that are lost


def lost_versions(
    observation: Observation, effects: Sequence[OldDataEffect], files: FileSchemas, readers: Sequence[Reader]
) -> tuple[int, ...]:
    """Return the versions whose files some of the readers cannot read rightly after the change, lowest first."""
    lost: list[int] = []
    if observation.rule not in CALLED_OTHERWISE:
        for effect in effects:
            if _answer(effect.answers, readers) is Verdict.BREAK:
                lost += effect.versions
        return tuple(lost)
    if all(reader.by != "name" for reader in readers):
        return ()
    for column, versions in files.columns(observation.where.steps):
        if _is_called_otherwise(column, observation):
            lost += versions
    return tuple(sorted(lost))


def unreadable_as(kind: DataType | None, target: DataType, readers: Sequence[Reader]) -> bool:
    """Return whether some of the readers cannot read files of one type rightly as the other."""
    if kind is None or same_type(kind, target):
        return False
    rule = type_rule(kind, target)
    effect = _for_engines(OldDataEffect(rule, str(kind), RULES[rule].answers(), ()), kind, target, readers)
    return _answer(effect.answers, readers) is Verdict.BREAK


def _answer(answers: Answers, readers: Sequence[Reader]) -> Verdict:
    return worst(answers.data(reader.by) for reader in readers)


# ---------------------------------------------------------------- types


def _type_effects(observation: Observation, files: FileSchemas, readers: Sequence[Reader]) -> Iterator[OldDataEffect]:
    """Yield an effect for each type that the place had in files, and each rule that speaks of it."""
    by_type: dict[tuple[str, str], tuple[DataType, list[Sequence[int]]]] = {}
    for kind, versions in _kinds(observation, files):
        if not same_type(kind, observation.after):
            key = (_rule(observation, kind), str(kind))
            by_type.setdefault(key, (kind, []))[1].append(versions)
    for (rule, text), (kind, ranges) in by_type.items():
        effect = OldDataEffect(rule, text, RULES[rule].answers(), _in_order(ranges))
        yield _for_engines(effect, kind, observation.after, readers)


def _in_order(ranges: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the versions of several ranges, lowest first: thousands of them, most often in order already."""
    if all(before[-1] < after[0] for before, after in pairwise(ranges)):
        return reduce(add, map(tuple, ranges))
    return tuple(sorted(chain.from_iterable(ranges)))


def _rule(observation: Observation, kind: DataType) -> str:
    """Return the rule for files of a type: that of the observation, where they hold what the last schema has."""
    if kind == observation.before or observation.rule.startswith("MAP_KEY"):
        return observation.rule
    if kind.root is observation.after.root and not isinstance(kind, AtomicType):
        return observation.rule
    return type_rule(kind, observation.after)


def _for_engines(effect: OldDataEffect, before: DataType, after: DataType, readers: Sequence[Reader]) -> OldDataEffect:
    """Return the effect with what the engines make of files of the earlier type."""
    if effect.rule == "MAP_KEY_WIDENED":
        frozen = any(reader.name in _FROZEN_KEYS for reader in readers)
        return replace(effect, answers=RULES[effect.rule].answers("frozen" if frozen else ""))
    if effect.rule not in LOSSLESS_RULES:
        measured = [reader for reader in readers if reader.name != "paimon"]
        return replace(effect, gaps=_consequences(measured, before, after))
    stuck = [reader for reader in readers if not readable(reader.name, before, after)]
    if not stuck:
        return effect
    return replace(effect, rule=_GAP, answers=RULES[_GAP].answers(), gaps=_consequences(stuck, before, after))


def _consequences(readers: Sequence[Reader], before: DataType, after: DataType) -> str:
    """Say what engines make of old files, as far as that was measured."""
    if not (isinstance(before, AtomicType) and isinstance(after, AtomicType)):
        return ""
    outcomes = [(reader.name, outcome(reader.name, before, after)) for reader in readers]
    return ", ".join(f"{name} {describe(result)}" for name, result in outcomes if result is not Outcome.EXACT)


def stops(reader: Reader, before: DataType, after: DataType) -> bool:
    """Return whether the engine reads no file of the old type as the new one at all."""
    return isinstance(before, AtomicType) and isinstance(after, AtomicType) and outcome(reader.name, before, after) in _STOPS


# ---------------------------------------------------------------- NULL


def _null_effects(observation: Observation, files: FileSchemas, readers: Sequence[Reader]) -> Iterator[OldDataEffect]:
    """Yield the effect for files that may hold NULL; a file without the field gives NULL as well."""
    answers = RULES[observation.rule].answers()
    if observation.rule == "NULLABILITY_RELAXED":
        yield OldDataEffect(observation.rule, observation.old, answers, ())
        return
    without_null: set[int] = set()
    with_null: set[int] = set()
    for kind, kind_versions in _kinds(observation, files):
        (with_null if kind.nullable else without_null).update(kind_versions)
    sound = without_null - with_null
    versions = tuple(version for version in files.versions if version not in sound)
    if versions:
        yield OldDataEffect(observation.rule, observation.old, answers, versions)


# ---------------------------------------------------------------- what a place was


def _kinds(observation: Observation, files: FileSchemas) -> Iterator[tuple[DataType, Sequence[int]]]:
    """Yield the types that the place had, and in which schemas; NOT NULL counts where the difference is about it."""
    returned = observation.variant == RETURNED
    columns = FileSchemas(files.counted_history, files.old if returned else None).columns((observation.where.column or 0,))
    for column, versions in columns:
        kind = kind_in(column, observation)
        if kind is not None:
            yield kind, versions
    if files.old is not None and not returned:
        yield observation.before, (files.old.id,)


def kind_in(column: Field, observation: Observation) -> DataType | None:
    """Return the type that the place has in what its column was, as the difference compares it."""
    kind = by_ids(column.type, observation.where.steps[1:])
    if kind is None or observation.rule.startswith("NULLABILITY"):
        return kind
    return kind.with_nullable(True)

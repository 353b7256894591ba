"""Is old data still readable? One difference, judged against every schema under which files may have been written.

Types and NULL do not compose: a step that is fine from the last schema may not be so from an earlier one, and
the other way round. So each of them is asked.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.changes.field_paths import by_ids
from airflow_provider_schemas.core.comparison.added_and_dropped import field_at
from airflow_provider_schemas.core.comparison.type_changes import type_rule
from airflow_provider_schemas.core.difference import RETURNED, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, describe, holds, outcome, readable
from airflow_provider_schemas.core.report import Answers
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import children

# Rules that need not hold for a reader that cannot convert: then it is a gap.
LOSSLESS_RULES = frozenset({"TYPE_WIDENED", "TYPE_WIDENED_ENGINE_GAP", "TIMESTAMP_PRECISION_RAISED", "LENGTH_RELAXED"})
_GAP = "TYPE_WIDENED_ENGINE_GAP"
# Readers that never convert the key of a map.
_FROZEN_KEYS = frozenset({"iceberg-v2"})


class Hit(Struct, frozen=True):
    """What a difference means for the files of some schemas."""

    rule: str
    old: str
    answers: Answers
    versions: tuple[int, ...]
    gaps: str = ""


def hits(seen: Observation, old: TableSchema, files: Sequence[TableSchema], readers: Sequence[Reader]) -> Iterator[Hit]:
    """The answers for old files, those of the old schema and others; none, if no file is concerned."""
    # The type of a key is seen at its column too, and judged there against every file.
    typed = isinstance(seen.before, DataType) and isinstance(seen.after, DataType) and not seen.rule.endswith("_FIELD_RETYPED")
    if typed and seen.where.column is not None:
        ask = _null_hits if seen.rule.startswith("NULLABILITY") else _type_hits
        yield from ask(seen, old, files, readers)
    elif seen.rule == "FIELD_ADDED_REQUIRED":
        if any(field_at(one, seen.where.steps) is None for one in files):  # one that returns may never have been missing in a file
            yield Hit(seen.rule, seen.old, RULES[seen.rule].answers(seen.variant), ())
    elif files:
        # Iceberg keeps the partition spec of every file.
        iceberg = seen.rule == "PARTITION_KEYS_CHANGED" and all(one.name == "iceberg-v2" for one in readers)
        yield Hit(seen.rule, seen.old, RULES[seen.rule].answers("iceberg" if iceberg else seen.variant), ())


def _type_hits(seen: Observation, old: TableSchema, files: Sequence[TableSchema], readers: Sequence[Reader]) -> Iterator[Hit]:
    found: dict[tuple[str, str], tuple[DataType, list[int]]] = {}
    for schema in files:
        kind = _kind(schema, seen, old)
        if kind is not None and not same_type(kind, seen.after):
            rule = _rule(seen, kind)
            found.setdefault((rule, str(kind)), (kind, []))[1].append(schema.id)
    for (rule, text), (kind, versions) in found.items():
        yield _hit(Hit(rule, text, RULES[rule].answers(), tuple(versions)), kind, seen.after, readers)


def _rule(seen: Observation, kind: DataType) -> str:
    own = kind == seen.before or seen.rule.startswith("MAP_KEY") or (kind.root is seen.after.root and not isinstance(kind, AtomicType))
    return seen.rule if own else type_rule(kind, seen.after)


def _hit(hit: Hit, before: DataType, after: DataType, readers: Sequence[Reader]) -> Hit:
    """What the readers make of it."""
    if hit.rule == "MAP_KEY_WIDENED":
        frozen = any(one.name in _FROZEN_KEYS for one in readers)
        return replace(hit, answers=RULES[hit.rule].answers("frozen" if frozen else ""))
    if hit.rule in LOSSLESS_RULES:
        stuck = [one for one in readers if not readable(one.name, before, after)]
        return replace(hit, rule=_GAP, answers=RULES[_GAP].answers(), gaps=_said(stuck, before, after)) if stuck else hit
    return replace(hit, gaps=consequences(readers, before, after))


def consequences(readers: Sequence[Reader], before: DataType, after: DataType) -> str:
    """What the readers make of old files, as far as somebody has measured it."""
    return _said([one for one in readers if one.name != "paimon"], before, after)


def _said(readers: Sequence[Reader], before: DataType, after: DataType) -> str:
    if not (isinstance(before, AtomicType) and isinstance(after, AtomicType)):
        return ""
    known = [(one.name, outcome(one.name, before, after)) for one in readers]
    return ", ".join(f"{name} {describe(found)}" for name, found in known if found is not Outcome.EXACT)


# What a reader does with a file whatever the values in it are.
_STOPS = frozenset({Outcome.ERROR, Outcome.REFUSED, Outcome.ABSENT})


def stops(reader: Reader, before: DataType, after: DataType) -> bool:
    """Whether the reader reads no file of the old type as the new one at all."""
    return isinstance(before, AtomicType) and isinstance(after, AtomicType) and outcome(reader.name, before, after) in _STOPS


def _null_hits(seen: Observation, old: TableSchema, files: Sequence[TableSchema], readers: Sequence[Reader]) -> Iterator[Hit]:
    answers = RULES[seen.rule].answers()
    if seen.rule == "NULLABILITY_RELAXED":
        yield Hit(seen.rule, seen.old, answers, ())
        return
    # A file without the field gives NULL as well.
    versions = [schema.id for schema in files if (kind := _kind(schema, seen, old)) is None or kind.nullable]
    if versions:
        yield Hit(seen.rule, seen.old, answers, tuple(versions))


def _kind(schema: TableSchema, seen: Observation, old: TableSchema) -> DataType | None:
    """The type that the place had in a schema; NOT NULL counts where the difference is about it."""
    if schema is old and seen.variant != RETURNED:
        known: DataType = seen.before
        return known
    column = schema.column(seen.where.column or 0)
    kind = None if column is None else by_ids(column.type, seen.where.steps[1:])
    return kind if kind is None or seen.rule.startswith("NULLABILITY") else kind.with_nullable(True)


def unheld(kind: DataType, reader: Reader) -> DataType | None:
    """The first type inside this one that the reader has no counterpart for."""
    if not holds(reader.name, kind):
        return kind
    return next((found for _, part in children(kind) if (found := unheld(part, reader)) is not None), None)

"""Which SetDataSchema may follow which in a chain: what may change, and what may change once after a raw Arrow schema.

Order and attributes never count. Optionality counts, except in the one step from a raw Arrow schema, whose flags
nobody set on purpose. Optional fields may be added, at any depth but not in the key of a map. Every other change
needs another dataset.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding, Report, Verdict, at_most, worst
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.comparison import ASPECTS, Aspect, is_ignored
from airflow_provider_schemas.formats.odf.compatibility.differences import SchemaDifference, differences
from airflow_provider_schemas.formats.odf.compatibility.findings import NO_CHANGE, finding
from airflow_provider_schemas.formats.odf.compatibility.system_columns import Vocabulary, check_system_columns
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema

# Differences that a later schema may have even if their aspect is not ignored.
MIGRATIONS = frozenset({"FIELD_ADDED_NULLABLE"} | {rule for rule, aspect in ASPECTS.items() if aspect is not Aspect.OPTIONALITY})
_ALWAYS_IGNORED = frozenset({Aspect.ORDER, Aspect.ATTRIBUTES})
_FIXES = {
    "FIELD_DROPPED": "Keep it. A chain has no renames either: offer it under another name by adding an Option field.",
    "NULLABILITY_RELAXED": "Keep it required; only the step away from a raw Arrow schema may change that.",
    "NULLABILITY_TIGHTENED": "Keep it optional; only the step away from a raw Arrow schema may change that.",
    "NO_CHANGE": "Leave the event out.",
}
_KEEP = "Keep {old} and add a field beside it, as an Option; or start another dataset."
_FIRST_MIGRATION = "the schema before was raw Arrow, so that optionality may change this once"


class Declared(NamedTuple):
    """The schema of a SetDataSchema, and whether the event had a raw Arrow schema, which was converted."""

    schema: DataSchema
    legacy: bool = False


GivenSchema: TypeAlias = DataSchema | Declared | tuple[DataSchema, bool]


def may_follow(
    previous: GivenSchema | Sequence[GivenSchema] | None,
    new: GivenSchema,
    *,
    vocabulary: Vocabulary | None = None,
    reference_compatible: bool = False,
) -> Report:
    """Report whether a new schema may be appended after earlier ones, of which the last one counts.

    A refused difference breaks, with a fix. Wrong system columns only warn, as in the reference.
    Reference compatible accepts and refuses what the reference does, defects included.
    """
    last = _last_declared(previous)
    appended = _declared(new)
    if appended.legacy:
        return Report(notes=("a raw Arrow schema is not checked against the one before it",))
    system = check_system_columns(appended.schema, vocabulary, reference_compatible=reference_compatible)
    warnings = tuple(_at_most_warn(warning, warning.verdict) for warning in system.findings)
    if last is None:
        return Report(warnings, notes=system.notes)
    changes = differences(last.schema, appended.schema, reference_compatible=reference_compatible)
    ignored = _ALWAYS_IGNORED
    if last.legacy:
        ignored |= {Aspect.OPTIONALITY}
    findings = [_judge(change, ignored) for change in changes] or [finding(NO_CHANGE, Verdict.BREAK, _FIXES["NO_CHANGE"])]
    notes = system.notes
    if last.legacy and any(ASPECTS.get(change.rule) is Aspect.OPTIONALITY for change in changes):
        notes = (_FIRST_MIGRATION, *notes)
    return Report((*findings, *warnings), notes=notes)


def is_allowed(change: SchemaDifference, ignored: Collection[Aspect]) -> bool:
    """Return whether a later schema may have this difference, where these aspects are ignored."""
    return is_ignored(change, ignored) or change.rule in MIGRATIONS


def _judge(change: SchemaDifference, ignored: Collection[Aspect]) -> Finding:
    if not is_allowed(change, ignored):
        return finding(change, Verdict.BREAK, _fix(change))
    allowed = finding(change)
    return _at_most_warn(allowed, worst((allowed.data, allowed.jobs, allowed.writers)))


def _fix(change: SchemaDifference) -> str:
    """Return what to do instead of a refused change; empty where the fix of its rule serves."""
    if change.rule in _FIXES:
        return _FIXES[change.rule]
    if change.rule == "FIELD_ADDED_REQUIRED":
        return ""
    return _KEEP.format(old=change.old)


def _at_most_warn(judged: Finding, verdict: Verdict) -> Finding:
    return replace(judged, verdict=at_most(Verdict.WARN, verdict))


# ---------------------------------------------------------------- arguments


def _last_declared(previous: GivenSchema | Sequence[GivenSchema] | None) -> Declared | None:
    if previous is None:
        return None
    if not isinstance(previous, list | tuple) or _is_pair(previous):
        return _declared(previous)
    if not previous:
        return None
    return _declared(previous[-1])


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], bool)


def _declared(value: object) -> Declared:
    if isinstance(value, tuple) and _is_pair(value):
        return Declared(checked_schema(value[0]), value[1])
    if isinstance(value, DataSchema):
        return Declared(checked_schema(value))
    message = f"{shown(value)} is neither a schema nor a schema with whether it was raw Arrow."
    raise FormatError(message, code="odf.not-a-schema", fix="Pass the schema, or Declared(schema, legacy=True).")

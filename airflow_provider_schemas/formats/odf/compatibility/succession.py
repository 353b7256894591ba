"""Which SetDataSchema may follow which in a chain: what may change, and what an earlier raw Arrow schema excuses once.

Order and attributes never count. Optionality counts, but for the one step in which a chain goes over from a raw
Arrow schema, whose flags nobody meant. Besides, optional fields may be added, at any depth but not in the key of a
map. All else needs another dataset.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding, Report, Verdict, at_most, worst
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.comparison import ASPECTS, Aspect, is_ignored
from airflow_provider_schemas.formats.odf.compatibility.differences import Difference, differences
from airflow_provider_schemas.formats.odf.compatibility.findings import NO_CHANGE, finding
from airflow_provider_schemas.formats.odf.compatibility.system_columns import Vocabulary, check_system_columns
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema

# What a later schema may bring even where it counts.
MIGRATIONS = frozenset({"FIELD_ADDED_NULLABLE"} | {rule for rule, one in ASPECTS.items() if one is not Aspect.OPTIONALITY})
_ALWAYS = frozenset({Aspect.ORDER, Aspect.ATTRIBUTES})
_FIXES = {
    "FIELD_DROPPED": "Keep it. A chain has no renames either: offer it under another name by adding an Option field.",
    "NULLABILITY_RELAXED": "Keep it required; only the step away from a raw Arrow schema may change that.",
    "NULLABILITY_TIGHTENED": "Keep it optional; only the step away from a raw Arrow schema may change that.",
    "NO_CHANGE": "Leave the event out.",
}
_KEEP = "Keep {old} and add a field beside it, as an Option; or start another dataset."


class Declared(NamedTuple):
    """The schema of a SetDataSchema, and whether it was a raw Arrow schema there and was converted for us."""

    schema: DataSchema
    legacy: bool = False


Earlier = DataSchema | Declared | tuple[DataSchema, bool]


class Step(StrEnum):
    """What comes of a new schema."""

    NO_CHANGE = "no change"
    ACCEPTED = "accepted"
    REFUSED = "refused"


def may_follow(
    previous: Earlier | Sequence[Earlier] | None,
    new: DataSchema | Declared | tuple[DataSchema, bool],
    *,
    vocabulary: Vocabulary | None = None,
    reference_compatible: bool = False,
) -> Report:
    """Whether a new schema may be appended after earlier ones, of which the last one counts; each may say that it was raw Arrow.

    What is refused breaks, with a fix. What is wrong with system columns only warns, as it does in the reference.
    Reference compatible lets through and refuses what the reference does, defects and all.
    """
    last, coming = _last(previous), _declared(new)
    if coming.legacy:
        return Report(notes=("a raw Arrow schema is not checked against the one before it",))
    system = check_system_columns(coming.schema, vocabulary, reference_compatible=reference_compatible)
    warnings = tuple(_warned(one) for one in system.findings)
    if last is None:
        return Report(warnings, notes=system.notes)
    found = differences(last.schema, coming.schema, reference_compatible=reference_compatible)
    ignored = _ALWAYS | {Aspect.OPTIONALITY} if last.legacy else _ALWAYS
    judged = tuple(_judged(one, ignored) for one in found) or (_no_change(),)
    notes = (_FIRST_MIGRATION,) if any(ASPECTS.get(one.rule) is Aspect.OPTIONALITY for one in found) and last.legacy else ()
    return Report((*judged, *warnings), notes=(*notes, *system.notes))


_FIRST_MIGRATION = "the schema before was raw Arrow, so that optionality may change this once"


def step(found: Sequence[Difference], ignored: Collection[Aspect]) -> Step:
    """What comes of these differences, where these aspects do not count."""
    if not found:
        return Step.NO_CHANGE
    return Step.ACCEPTED if all(_is_allowed(one, ignored) for one in found) else Step.REFUSED


def _is_allowed(one: Difference, ignored: Collection[Aspect]) -> bool:
    return is_ignored(one, ignored) or one.rule in MIGRATIONS


def _judged(one: Difference, ignored: Collection[Aspect]) -> Finding:
    if not _is_allowed(one, ignored):
        return finding(one, Verdict.BREAK, _FIXES.get(one.rule, "") or _kept(one))
    made = finding(one)
    return _with(made, at_most(Verdict.WARN, worst((made.data, made.jobs, made.writers))))


def _kept(one: Difference) -> str:
    return "" if one.rule == "FIELD_ADDED_REQUIRED" else _KEEP.format(old=one.old)


def _no_change() -> Finding:
    return finding(NO_CHANGE, Verdict.BREAK, _FIXES["NO_CHANGE"])


def _warned(one: Finding) -> Finding:
    return _with(one, at_most(Verdict.WARN, one.verdict))


def _with(one: Finding, verdict: Verdict) -> Finding:
    return replace(one, verdict=verdict)


# ---------------------------------------------------------------- what is handed in


def _last(previous: object) -> Declared | None:
    if previous is None or (isinstance(previous, list | tuple) and not previous):
        return None
    several = isinstance(previous, list | tuple) and not _is_pair(previous)
    return _declared(previous[-1] if several else previous)  # type: ignore[index]  # only a list gets there


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], bool)


def _declared(value: object) -> Declared:
    if isinstance(value, tuple) and _is_pair(value):
        return Declared(checked_schema(value[0]), value[1])
    if isinstance(value, DataSchema):
        return Declared(checked_schema(value))
    message = f"{shown(value)} is neither a schema nor a schema with whether it was raw Arrow."
    raise FormatError(message, code="odf.not-a-schema", fix="Pass the schema, or Declared(schema, legacy=True).")

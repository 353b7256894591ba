"""Whether two ODF schemas are identical, equivalent except for what is ignored, or neither; and whether one is a superset of the other.

Order, optionality and attributes may be ignored. Everything else always counts.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

import msgspec

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.odf.compatibility.differences import SchemaDifference, differences
from airflow_provider_schemas.formats.odf.model.schema import DataSchema


class Aspect(StrEnum):
    """What a comparison may ignore."""

    ORDER = "order"
    OPTIONALITY = "optionality"
    ATTRIBUTES = "attributes"


ASPECTS: Mapping[str, Aspect] = {
    "FIELD_REORDERED": Aspect.ORDER,
    "NULLABILITY_RELAXED": Aspect.OPTIONALITY,
    "NULLABILITY_TIGHTENED": Aspect.OPTIONALITY,
    "FIELD_DOC_CHANGED": Aspect.ATTRIBUTES,
    "FIELD_MEANING_CHANGED": Aspect.ATTRIBUTES,
}


class SchemaComparison(msgspec.Struct, frozen=True):
    """The answer, with everything that differs."""

    differences: tuple[SchemaDifference, ...] = ()


class Identical(SchemaComparison, frozen=True):
    """Nothing differs."""


class Equivalent(SchemaComparison, frozen=True):
    """All differences are ignored ones."""


class NonEquivalent(SchemaComparison, frozen=True):
    """At least one difference counts."""


def compare(
    old: DataSchema, new: DataSchema, *, ignore: Collection[str] = frozenset(), reference_compatible: bool = False
) -> Identical | Equivalent | NonEquivalent:
    """Compare two schemas, ignoring `order`, `optionality`, `attributes` or several of them. By default everything counts."""
    ignored = aspects(ignore)
    all_differences = differences(old, new, reference_compatible=reference_compatible)
    if not all_differences:
        return Identical()
    if all(is_ignored(difference, ignored) for difference in all_differences):
        return Equivalent(all_differences)
    return NonEquivalent(all_differences)


def is_superset_of(
    schema: DataSchema, other: DataSchema, *, ignore: Collection[str] = frozenset(), reference_compatible: bool = False
) -> bool:
    """Return whether a schema has everything that another one has, unchanged; it may have more, in structs too."""
    ignored = aspects(ignore)
    all_differences = differences(schema, other, reference_compatible=reference_compatible)
    return all(difference.rule == "FIELD_DROPPED" or is_ignored(difference, ignored) for difference in all_differences)


def is_ignored(difference: SchemaDifference, ignored: Collection[Aspect]) -> bool:
    """Return whether a difference is of an ignored aspect."""
    return ASPECTS.get(difference.rule) in ignored


def aspects(words: Collection[str]) -> frozenset[Aspect]:
    """Return the aspects with these names, or raise a FormatError."""
    listed: Iterable[str] = words
    if isinstance(words, str):
        listed = (words,)
    try:
        names = tuple(listed)
        wrong = [name for name in names if name not in Aspect.__members__.values()]
    except TypeError:
        raise FormatError(f"{shown(words)} is no list of words.", code="odf.unknown-aspect", path="ignore", fix=_FIX) from None
    if wrong:
        raise FormatError.of(Fault("odf.unknown-aspect", "ignore", f"{shown(name)} cannot be ignored.", _fix(name)) for name in wrong)
    return frozenset(map(Aspect, names))


_FIX = f"Name some of {', '.join(Aspect)}."


def _fix(name: object) -> str:
    if not isinstance(name, str):
        return _FIX
    return did_you_mean(name, Aspect)

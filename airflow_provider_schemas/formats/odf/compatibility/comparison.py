"""Whether two ODF schemas are identical, equivalent but for what shall not count, or neither; and whether one holds the other.

Order, optionality and attributes may be left out of account. Everything else always counts.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

import msgspec

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.odf.compatibility.differences import Difference, differences
from airflow_provider_schemas.formats.odf.model.schema import DataSchema


class Aspect(StrEnum):
    """What may be left out of account."""

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


class Compared(msgspec.Struct, frozen=True):
    """The answer, with everything that differs."""

    differences: tuple[Difference, ...] = ()


class Identical(Compared, frozen=True):
    """Nothing differs."""


class Equivalent(Compared, frozen=True):
    """All that differs shall not count."""


class NonEquivalent(Compared, frozen=True):
    """Something counts."""


def compare(
    old: DataSchema, new: DataSchema, *, ignore: Collection[str] = frozenset(), reference_compatible: bool = False
) -> Identical | Equivalent | NonEquivalent:
    """Compare, leaving out `order`, `optionality`, `attributes` or several of them. By default everything counts."""
    ignored = aspects(ignore)
    found = differences(old, new, reference_compatible=reference_compatible)
    if not found:
        return Identical()
    return Equivalent(found) if all(is_ignored(one, ignored) for one in found) else NonEquivalent(found)


def is_superset_of(
    schema: DataSchema, other: DataSchema, *, ignore: Collection[str] = frozenset(), reference_compatible: bool = False
) -> bool:
    """Whether a schema has all that another one has, as the other has it; what it has besides is fine, in structs too."""
    ignored = aspects(ignore)
    found = differences(schema, other, reference_compatible=reference_compatible)
    return all(one.rule == "FIELD_DROPPED" or is_ignored(one, ignored) for one in found)


def is_ignored(one: Difference, ignored: Collection[Aspect]) -> bool:
    """Whether a difference shall not count."""
    return ASPECTS.get(one.rule) in ignored


def aspects(words: Collection[str]) -> frozenset[Aspect]:
    """The aspects that are named, or a FormatError."""
    found: Iterable[str] = (words,) if isinstance(words, str) else words
    try:
        given = tuple(found)
        wrong = [one for one in given if one not in Aspect.__members__.values()]
    except TypeError:
        raise FormatError(f"{shown(words)} is no list of words.", code="odf.unknown-aspect", path="ignore", fix=_FIX) from None
    if wrong:
        raise FormatError.of(Fault("odf.unknown-aspect", "ignore", f"{shown(one)} cannot be ignored.", _fix(one)) for one in wrong)
    return frozenset(map(Aspect, given))


_FIX = f"Name some of {', '.join(Aspect)}."


def _fix(one: object) -> str:
    return did_you_mean(one, Aspect) if isinstance(one, str) else _FIX

"""What we answer to the vectors of the comparison: in our own way, and as the reference."""

from typing import Any

from airflow_provider_schemas.formats.odf.comparison import aspects, compare, is_superset_of
from airflow_provider_schemas.formats.odf.differences import differences
from airflow_provider_schemas.formats.odf.succession import Step, step
from tests.conformance.odf import defects as known
from tests.conformance.odf.plain_schema import schema_of
from tests.conformance.rows import Content

_STEPS = {Step.NO_CHANGE: "no-op error", Step.ACCEPTED: True, Step.REFUSED: False}


def answer(content: Content, *, reference_compatible: bool = False) -> dict[str, Any]:
    """Our answer, in the form of the vectors."""
    old, new, ignore = schema_of(content["lhs"]), schema_of(content["rhs"]), content["ignore"]
    found = differences(old, new, reference_compatible=reference_compatible)
    return {
        "result": type(compare(old, new, ignore=ignore, reference_compatible=reference_compatible)).__name__,
        "allowed_as_next_SetDataSchema_given_ignore_set": _STEPS[step(found, aspects(ignore))],
        "lhs_is_superset_of_rhs": is_superset_of(old, new, ignore=ignore, reference_compatible=reference_compatible),
    }


def reference_answer(content: Content) -> dict[str, Any]:
    """The answer of the reference, defects and all."""
    return answer(content, reference_compatible=True)


def defects(content: Content) -> set[str]:
    """The known defects of the reference that the row may show."""
    return known.defects(schema_of(content["lhs"]), schema_of(content["rhs"]), frozenset(content["ignore"]))

"""What we answer to the vectors of the comparison: in our own way, as the reference, and as the specification has it."""

from typing import Any

from airflow_provider_schemas.formats.odf.compatibility.comparison import aspects, compare, is_superset_of
from airflow_provider_schemas.formats.odf.compatibility.differences import differences
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization import yaml_text
from tests.conformance.odf import relation
from tests.conformance.rows import Content
from tests.formats.odf.support.follows import follows


def answer(content: Content, *, reference_compatible: bool = False) -> dict[str, Any]:
    """Our answer, in the form of the vectors."""
    old, new, ignore = _read(content)
    found = differences(old, new, reference_compatible=reference_compatible)
    return _answered(
        type(compare(old, new, ignore=ignore, reference_compatible=reference_compatible)).__name__,
        _following(follows(found, aspects(ignore))),
        is_superset_of(old, new, ignore=ignore, reference_compatible=reference_compatible),
    )


def reference_answer(content: Content) -> dict[str, Any]:
    """The answer of the reference, defects and all, as we give it to who asks for it."""
    return answer(content, reference_compatible=True)


def specified_answer(content: Content) -> dict[str, Any]:
    """The answer that the specification asks for."""
    old, new, ignore = _read(content)
    following = _following(relation.may_follow(old, new, ignore))
    return _answered(relation.result(old, new, ignore), following, relation.holds(old, new, ignore))


def _following(follows: bool | None) -> bool | str:
    return "no-op error" if follows is None else follows


def _read(content: Content) -> tuple[DataSchema, DataSchema, frozenset[str]]:
    return yaml_text.load(content["lhs"]).schema, yaml_text.load(content["rhs"]).schema, frozenset(content["ignore"])


def _answered(result: str, allowed: bool | str, superset: bool) -> dict[str, Any]:
    return {
        "result": result,
        "allowed_as_next_SetDataSchema_given_ignore_set": allowed,
        "lhs_is_superset_of_rhs": superset,
    }


def schemas(content: Content) -> tuple[DataSchema, DataSchema]:
    """Both schemas of a row."""
    return _read(content)[:2]

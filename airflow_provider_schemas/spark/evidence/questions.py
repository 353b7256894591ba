"""What evidence would make bearable of a plan: which values must not be NULL, and which must fit a narrower type.

A plan names the rules that break; what they ask of values is found by holding the data against the result of the plan, as validating
does. The result is looked at under the names that the columns have now: a column may be renamed by the same plan.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.severity import PROVABLE
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt

TIGHTENED: Final = "NULLABILITY_TIGHTENED"
ASKED: Final = frozenset({TIGHTENED, *PROVABLE})


class ProofQuestion(Struct, frozen=True):
    """What has to be so of all live values at a path."""

    path: str
    column: str
    """The column as it is called now."""
    now: DataType
    """The type of that column now."""
    kind: DataType
    """The type that is wanted; of the column, if the question is about the column."""
    not_null: bool
    """Whether the question is that no value is NULL; else that all fit the type."""
    whole: bool
    """Whether it is the column itself, and nothing inside it."""
    id: int


def find_questions(plan: Plan, base: TableSchema) -> list[ProofQuestion]:
    """Return what the findings of a plan ask of the data that is there."""
    wanted = {(finding.rule == TIGHTENED, finding.path) for finding in plan.report.findings if finding.rule in ASKED}
    questions: dict[tuple[bool, str], ProofQuestion] = {}
    for place in _find_places(plan.result, base):
        for path, not_null in product((place.path_now, place.path_then), (True, False)):
            if (not_null, path) in wanted:
                questions.setdefault((not_null, place.path_now), _ask(place, not_null=not_null))
    return list(questions.values())


def _ask(place: "_PlanPlace", *, not_null: bool) -> ProofQuestion:
    column = place.column
    is_whole = place.path_now == word(column.name)
    return ProofQuestion(place.path_now, column.name, column.type, place.kind, not_null, is_whole, place.id)


def under_old_names(result: TableSchema, base: TableSchema) -> tuple[Field, ...]:
    """Return the columns of the result that are there now, under the names that they and the fields inside them have now."""
    return tuple(_with_old_name(new, old) for new, old in _pairs(result.fields, base.fields))


def _pairs(new: Iterable[Field], old: Iterable[Field]) -> Iterator[tuple[Field, Field]]:
    """Yield each new field that is there now, with the field that it was."""
    by_id = {field.id: field for field in old}
    for field in new:
        if field.id in by_id:
            yield field, by_id[field.id]


def _with_old_name(new: Field, old: Field) -> Field:
    return Field(new.id, old.name, new.wire).with_type(_with_old_names(new.type, old.type))


def _with_old_names(new: DataType, old: DataType) -> DataType:
    if isinstance(new, RowType) and isinstance(old, RowType):
        fields = tuple(_with_old_name(field, before) for field, before in _pairs(new.fields, old.fields))
        return RowType(fields).with_nullable(new.nullable)
    parts = list(zip(children(new), children(old), strict=False))
    if not parts or new.root is not old.root:
        return new
    return rebuilt(new, [_with_old_names(part, before) for (_, part), (_, before) in parts])


# ---------------------------------------------------------------- places


class _PlanPlace(NamedTuple):
    """A place of the result that is there now."""

    path_now: str
    path_then: str
    kind: DataType
    """Its type then."""
    id: int
    """The id of its field."""
    column: Field
    """The column that it lies in, as it is now."""


def _find_places(result: TableSchema, base: TableSchema) -> Iterator[_PlanPlace]:
    for new, old in _pairs(result.fields, base.fields):
        yield from _find_inside(_PlanPlace(word(old.name), word(new.name), new.type, new.id, old), old.type)


def _find_inside(place: _PlanPlace, old: DataType) -> Iterator[_PlanPlace]:
    """Yield the place itself, and those inside it. `old` is its type now."""
    yield place
    new = place.kind
    if isinstance(new, RowType) and isinstance(old, RowType):
        for field, before in _pairs(new.fields, old.fields):
            now = f"{place.path_now}.{word(before.name)}"
            then = f"{place.path_then}.{word(field.name)}"
            yield from _find_inside(_PlanPlace(now, then, field.type, field.id, place.column), before.type)
    elif new.root is old.root:
        for (step, part), (_, part_before) in zip(children(new), children(old), strict=False):
            now = f"{place.path_now}{MARKS[step]}"
            then = f"{place.path_then}{MARKS[step]}"
            yield from _find_inside(_PlanPlace(now, then, part, place.id, place.column), part_before)

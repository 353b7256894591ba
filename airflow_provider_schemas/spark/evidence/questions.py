"""What evidence would make bearable of a plan: which values must not be NULL, and which must fit a narrower type.

A plan names the rules that break; what they ask of values is found by holding the data against the result of the plan, as validating
does. The result is looked at under the names that the columns have now: a column may be renamed by the same plan.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.severity import PROVABLE
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt

TIGHTENED: Final = "NULLABILITY_TIGHTENED"
ASKED: Final = frozenset({TIGHTENED, *PROVABLE})


class Question(Struct, frozen=True):
    """What has to be so of all live values at a path."""

    path: str
    column: str
    """The column as it is called now."""
    now: DataType
    """The type of that column now."""
    kind: DataType
    """The type that is wanted; of the column, if it is the column that is asked about."""
    not_null: bool
    """Whether it is asked that no value is NULL; else that all fit the type."""
    whole: bool
    """Whether it is the column itself, and nothing inside it."""
    id: int


def questions(plan: Plan, base: TableSchema) -> list[Question]:
    """What the findings of a plan ask of the data that is there."""
    asked = {(one.rule == TIGHTENED, one.path) for one in plan.report.findings if one.rule in ASKED}
    found: dict[tuple[bool, str], Question] = {}
    for old, new, column, kind, number in _places(plan.result, base):
        for path in (old, new):
            for not_null in (True, False):
                if (not_null, path) in asked:
                    found.setdefault(
                        (not_null, old), Question(old, column.name, column.type, kind, not_null, old == word(column.name), number)
                    )
    return list(found.values())


def under_old_names(result: TableSchema, base: TableSchema) -> tuple[Field, ...]:
    """The columns of the result that are there now, under the names that they and the fields inside them have now."""
    there = {one.id: one for one in base.fields}
    return tuple(_renamed(one, there[one.id]) for one in result.fields if one.id in there)


def _renamed(new: Field, old: Field) -> Field:
    return Field(new.id, old.name, new.wire).with_type(_inside(new.type, old.type))


def _inside(new: DataType, old: DataType) -> DataType:
    if isinstance(new, RowType) and isinstance(old, RowType):
        there = {one.id: one for one in old.fields}
        return RowType(tuple(_renamed(one, there[one.id]) for one in new.fields if one.id in there)).with_nullable(new.nullable)
    parts = list(zip(children(new), children(old), strict=False))
    if not parts or new.root is not old.root:
        return new
    return rebuilt(new, [_inside(part, before) for (_, part), (_, before) in parts])


# ---------------------------------------------------------------- places

_Place = tuple[str, str, Field, DataType, int]


def _places(result: TableSchema, base: TableSchema) -> Iterator[_Place]:
    """Every place of the result that is there now: its path now and then, the column as it is now, its type then, the id of its field."""
    there: Mapping[int, Field] = {one.id: one for one in base.fields}
    for one in result.fields:
        if one.id in there:
            old = there[one.id]
            for paths, kind, number in _inner((word(old.name), word(one.name)), one.type, old.type, one.id):
                yield *paths, old, kind, number


def _inner(paths: tuple[str, str], new: DataType, old: DataType, number: int) -> Iterator[tuple[tuple[str, str], DataType, int]]:
    """The place itself, and those inside it."""
    yield paths, new, number
    before, after = paths
    if isinstance(new, RowType) and isinstance(old, RowType):
        there = {one.id: one for one in old.fields}
        for one in new.fields:
            if one.id in there:
                was = there[one.id]
                yield from _inner((f"{before}.{word(was.name)}", f"{after}.{word(one.name)}"), one.type, was.type, one.id)
    elif new.root is old.root:
        for (step, part), (_, was_part) in zip(children(new), children(old), strict=False):
            yield from _inner((f"{before}{MARKS[step]}", f"{after}{MARKS[step]}"), part, was_part, number)

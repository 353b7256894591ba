"""The parts of types: what the types of thousands of columns are made of, counted in few steps."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, fields_of, parts_of


class Parts(NamedTuple):
    """What the types of some fields are made of, down to the innermost."""

    texts: frozenset[str]
    """The atomic types that occur, as the file spells them."""
    containers: Mapping[Root, int]
    """How many containers there are of each root."""
    rows: Sequence[RowType]
    fields: Sequence[Field]
    """The fields of the rows."""
    depth: int
    """How many containers stand one inside the other, at most."""


def parts(fields: Iterable[Field]) -> Parts:
    """Return what the types of these fields are made of. Level by level and class by class: files are wide and seldom deep."""
    texts: set[str] = set()
    counts: Counter[Root] = Counter()
    rows: list[RowType] = []
    inner_fields: list[Field] = []
    level: list[Any] = [field.wire for field in fields]
    depth = 0
    while containers := [part for part in level if type(part) is not str]:
        texts.update([part for part in level if type(part) is str])
        level = []
        for same in _by_class(containers):
            counts[same[0].root] += len(same)
            if isinstance(same[0], RowType):
                rows += same
                inner_fields += fields_of(same)
            level += parts_of(same)
        depth += 1
    texts.update(level)
    return Parts(frozenset(texts), counts, rows, inner_fields, depth)


def _by_class(containers: list[Any]) -> Iterable[list[Any]]:
    """Yield the containers, those of one class together."""
    classes = set(map(type, containers))
    if len(classes) == 1:
        yield containers
        return
    for kind in classes:
        yield [container for container in containers if type(container) is kind]

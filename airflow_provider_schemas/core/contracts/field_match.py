"""Which field of a struct is meant by a name: the one that bore it when the job was written, else the one that bears it now.

Names are compared as Spark compares them, in any case, and the exact spelling goes first.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.types.nested import Field, RowType


class Match(NamedTuple):
    """The field that is meant, if it is there, and what was it when the job was written."""

    field: Field | None
    before: Field | None = None
    taken: Field | None = None
    """Another field that bears the name of one that is gone."""


def match(name: str, there: Sequence[Field], before: Sequence[Field] = ()) -> Match:
    """Find the field that a job means by a name; before is the struct as the job knew it, if anybody knows."""
    was = called(name, before)
    named = called(name, there)
    if was is None or (named is not None and named.id == was.id):
        return Match(named, was)
    return Match(next((one for one in there if one.id == was.id), None), was, named)


def called(name: str, fields: Iterable[Field]) -> Field | None:
    """The field of this name; or the only one of this name in another case."""
    alike = [one for one in fields if one.name == name or one.name.lower() == name.lower()]
    exact = next((one for one in alike if one.name == name), None)
    return exact or (alike[0] if len(alike) == 1 else None)


def fields_of(kind: object) -> tuple[Field, ...]:
    """The fields of a struct; none of anything else."""
    return kind.fields if isinstance(kind, RowType) else ()


def out_of_order(path: str, names: Sequence[str], matched: Sequence[Field], there: Sequence[Field]) -> Iterator[Lack]:
    """The fields that stand where a job that goes by position expects others. Path is that of the struct, empty for the table."""
    if len(matched) != len(there):
        return
    for name, mine, theirs in zip(names, matched, there, strict=True):
        if mine.id != theirs.id:
            at = f"{path}.{word(theirs.name)}" if path else theirs.name
            yield Lack("EXPECT_ORDER", at, name, theirs.name, theirs.id)

"""Which field of a struct is meant by a name: the one that bore it when the job was written, else the one that bears it now.

Names are compared as Spark compares them, in any case, and the exact spelling goes first.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.types.nested import Field, RowType


class Match(NamedTuple):
    """The field that is meant, if it is there, and what was it when the job was written."""

    field: Field | None
    before: Field | None = None
    taken: Field | None = None
    """Another field that bears the name of one that is gone."""


class Matcher:
    """Finds the fields of one struct that a job means by names; before is the struct as the job knew it, if anybody knows.

    Aliased gives the field that keeps a name as an alias.
    """

    def __init__(self, there: Sequence[Field], before: Sequence[Field] = (), aliased: Callable[[str], Field | None] | None = None) -> None:
        self._aliased = aliased
        self._there, self._before = FieldNames(there), FieldNames(before)
        self._by_id = {field.id: field for field in there}

    def match(self, name: str) -> Match:
        """Return the field that is meant."""
        was, named = self._before.in_any_case(name), self._there.in_any_case(name)
        if named is None:
            meant = None if was is None else self._by_id.get(was.id)
            return Match(self.alias(name)) if meant is None else Match(meant, was)
        if was is None or named.id == was.id:
            return Match(named, was)
        return Match(self._by_id.get(was.id), was, named)

    def alias(self, name: str) -> Field | None:
        """Return the field that keeps the name as an alias, where no other bears it."""
        return None if self._aliased is None else self._aliased(name)


def twice(path: str, first: str) -> Lack:
    """The second of two names that mean one field: the table has it once."""
    because = f"{path} is not there beside {first}: they are one field of the table"
    return Lack("EXPECT_FIELD_MISSING", path, because=because, fix=f"Take {path} or {first} out of the job.")


def same_name(name: str, other: str) -> bool:
    """Whether Spark takes them for one name."""
    return name.lower() == other.lower()


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

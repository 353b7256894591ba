"""Which field of a struct a name means: the one that had it when the job was written, else the one that has it now.

Names are compared as Spark compares them, in any case, and the exact spelling goes first.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType


class Match(NamedTuple):
    """The field that a name means, if it is there, and what it was when the job was written."""

    field: Field | None
    before: Field | None = None
    taken: Field | None = None
    """Another field that has the name of one that is gone."""

    @property
    def type_before(self) -> DataType | None:
        """Return the type of the field when the job was written, if it was there."""
        if self.before is None:
            return None
        return self.before.type


class Matcher:
    """Finds the fields of one struct that a job means by names; before is the struct as the job knew it, if anybody knows.

    Aliased finds the field that keeps a name as an alias.
    """

    def __init__(self, there: Sequence[Field], before: Sequence[Field] = (), aliased: Callable[[str], Field | None] | None = None) -> None:
        self._aliased = aliased
        self._there = FieldNames(there)
        self._before = FieldNames(before)
        self._by_id = {field.id: field for field in there}

    def match(self, name: str) -> Match:
        """Return the field that a name means."""
        before = self._before.in_any_case(name)
        named = self._there.in_any_case(name)
        if named is not None and (before is None or named.id == before.id):
            return Match(named, before)
        meant = None if before is None else self._by_id.get(before.id)
        if named is not None:
            return Match(meant, before, named)
        if meant is not None:
            return Match(meant, before)
        return Match(self.alias(name))

    def alias(self, name: str) -> Field | None:
        """Return the field that keeps the name as an alias, where no other has it."""
        if self._aliased is None:
            return None
        return self._aliased(name)


def twice(path: str, first: str) -> Lack:
    """Return that a job names one field of the table twice; path is the second name."""
    because = f"{path} is not there beside {first}: they are one field of the table"
    return Lack("EXPECT_FIELD_MISSING", path, because=because, fix=f"Take {path} or {first} out of the job.")


def same_name(name: str, other: str) -> bool:
    """Return whether Spark takes two names for one."""
    return name.lower() == other.lower()


def case_variant(differs_in_case: bool) -> str:
    """Return the variant of a rule about names that differ in case only."""
    if differs_in_case:
        return "case"
    return ""


def fields_of(kind: DataType | None) -> tuple[Field, ...]:
    """Return the fields of a struct; none of any other type."""
    if isinstance(kind, RowType):
        return kind.fields
    return ()


def out_of_order(path: str, names: Sequence[str], matched: Sequence[Field], there: Sequence[Field]) -> Iterator[Lack]:
    """Yield the fields that stand where a job that goes by position expects others. Path is that of the struct, empty for the table."""
    if len(matched) != len(there):
        return
    for name, mine, theirs in zip(names, matched, there, strict=True):
        if mine.id != theirs.id:
            field_path = theirs.name
            if path:
                field_path = f"{path}.{word(theirs.name)}"
            yield Lack("EXPECT_ORDER", field_path, name, theirs.name, theirs.id)

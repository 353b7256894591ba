"""Is what another system would commit the schema that was judged? Field ids of what is new are that system's to give.

Fields that were there are the same when their ids are; new ones when they stand in the same struct under the same name. Everything
else has to be equal: names, types, NOT NULL, order, comments, defaults, and the attributes of each pair of fields. The ids of elements,
keys and values are numbers of the source, which no column here has, and are not compared.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.field_attributes import attributes
from airflow_provider_schemas.core.schema.foreign_attributes import ELEMENT_IDS
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children

_PREFIX = attribute_key(0)[:-1]


def equal_but_for_new_ids(judged: TableSchema, staged: TableSchema, known_ids: Collection[int]) -> tuple[str, ...]:
    """Return in what a staged schema differs from the judged one, as sentences; nothing where they differ in the ids of new fields only.

    Known are the ids of all fields that the table ever had, as far as anybody knows: a new field must not get one of them.
    """
    comparison = _Comparison(judged, staged, frozenset(known_ids))
    return tuple(comparison.differences())


class _Comparison:
    """The comparison of two schemas, and the pairs of fields that it has found."""

    def __init__(self, judged: TableSchema, staged: TableSchema, known: frozenset[int]) -> None:
        self.judged = judged
        self.staged = staged
        self.known = known
        self.given: set[int] = set()
        """The ids of the staged schema that were met."""

    def differences(self) -> Iterator[str]:
        """Yield every difference, fields first."""
        yield from self._fields(self.judged.fields, self.staged.fields, "")
        for name in ("partition_keys", "primary_keys", "comment"):
            yield from _difference(name.replace("_", " "), getattr(self.judged, name), getattr(self.staged, name))
        mine = _table_options(self.judged)
        theirs = _table_options(self.staged)
        for key in sorted({*mine, *theirs}):
            yield from _difference(f"option {key}", mine.get(key), theirs.get(key))

    def _fields(self, judged: Sequence[Field], staged: Sequence[Field], path: str) -> Iterator[str]:
        """Compare the fields of one struct, which stand in the same order."""
        where = path.removesuffix(".") or "the table"
        names = [field.name for field in judged]
        others = [field.name for field in staged]
        if names != others:
            yield f"{where} has the fields {_listed(names)}; staged are {_listed(others)}."
            return
        for mine, theirs in zip(judged, staged, strict=True):
            yield from self._field(mine, theirs, f"{path}{mine.name}")

    def _field(self, mine: Field, theirs: Field, path: str) -> Iterator[str]:
        yield from self._ids(mine.id, theirs.id, path)
        yield from self._types(mine.type, theirs.type, path)
        yield from _difference(f"the comment of {path}", mine.description, theirs.description)
        yield from _difference(f"the default of {path}", mine.default, theirs.default)
        yield from _difference(f"what is said about {path}", _attributes(self.judged, mine.id), _attributes(self.staged, theirs.id))

    def _ids(self, mine: int, theirs: int, path: str) -> Iterator[str]:
        """Compare the ids of a field: a known one stays, and a new one is new."""
        if theirs in self.given:
            yield f"{path} gets the id {theirs}, which another field has."
        self.given.add(theirs)
        if mine in self.known:
            yield from _difference(f"the id of {path}", mine, theirs)
        elif theirs in self.known:
            yield f"{path} is new, and gets the id {theirs}, which an earlier field had: its values would come back."

    def _types(self, mine: DataType, theirs: DataType, path: str) -> Iterator[str]:
        """Compare two types, and what is inside them."""
        inner = children(mine)
        if mine.root is not theirs.root or mine.nullable is not theirs.nullable or (not inner and not same_type(mine, theirs)):
            yield f"{path} is {mine}; staged is {theirs}."
        elif isinstance(mine, RowType) and isinstance(theirs, RowType):
            yield from self._fields(mine.fields, theirs.fields, f"{path}.")
        else:
            yield from _difference(f"the length of {path}", getattr(mine, "length", None), getattr(theirs, "length", None))
            for (step, part), (_, other) in zip(inner, children(theirs), strict=True):
                yield from self._types(part, other, f"{path}.{step}")


def _difference(what: str, mine: Any, theirs: Any) -> Iterator[str]:
    if mine != theirs:
        yield f"{what} is {mine!r}; staged is {theirs!r}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _attributes(schema: TableSchema, number: int) -> Mapping[str, Any]:
    if not schema.options:
        return {}
    return {key: value for key, value in attributes(schema, number).items() if key != ELEMENT_IDS}


def _table_options(schema: TableSchema) -> Mapping[str, str]:
    """Return the options but those of fields, which are compared with the fields."""
    return {key: value for key, value in schema.options.items() if not key.removeprefix(_PREFIX).isdecimal()}

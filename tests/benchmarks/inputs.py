"""What is measured: schemas of two shapes and any number of fields, and the changes made to them.

Flat is one column per field, of ten mixed types; nested is a ROW of ten fields per column, with rows,
arrays and maps inside. Both come in groups of ten fields, so a change can be spread evenly over either.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.core.changes.schema_change import SchemaChange

Json = dict[str, Any]

GROUP = 10
TYPES = {
    "count": "INT",
    "total": "BIGINT",
    "name": "STRING",
    "price": "DECIMAL(10, 2)",
    "ratio": "DOUBLE",
    "share": "FLOAT",
    "active": "BOOLEAN",
    "day": "DATE",
    "at": "TIMESTAMP(6)",
    "picture": "BYTES",
}


def _field(number: int, name: str, kind: str | Json) -> Json:
    return {"id": number, "name": name, "type": kind, "description": f"what the field {number} holds"}


def _row(*fields: Json) -> Json:
    return {"type": "ROW", "fields": list(fields)}


def _flat(groups: int) -> Iterator[Json]:
    for group in range(groups):
        for place, (word, kind) in enumerate(TYPES.items()):
            yield _field(GROUP * group + place, f"{word}_{group}", kind)


def _nested(groups: int) -> Iterator[Json]:
    for group in range(groups):
        first = GROUP * group
        place = _row(_field(first + 3, "city", "STRING"), _field(first + 4, "share", "DECIMAL(10, 2)"))
        item = _row(_field(first + 7, "sku", "STRING"), _field(first + 8, "price", "DOUBLE"))
        inside = _row(
            _field(first + 1, "count", "INT"),
            _field(first + 2, "place", place),
            _field(first + 5, "tags", {"type": "ARRAY", "element": "STRING"}),
            _field(first + 6, "items", {"type": "ARRAY", "element": item}),
            _field(first + 9, "by_day", {"type": "MAP", "key": "STRING", "value": "BIGINT"}),
        )
        yield _field(first, f"column_{group}", inside)


class Shape(NamedTuple):
    """How a schema is built, and the paths in each group of an INT, of a STRING and of a field to be added."""

    name: str
    fields: Callable[[int], Iterator[Json]]
    number: str
    text: str
    new: str


SHAPES = (
    Shape("flat", _flat, number="count_{group}", text="name_{group}", new="new_{which}"),
    Shape("nested", _nested, number="column_{group}.count", text="column_{group}.place.city", new="column_{group}.place.new_{which}"),
)


class Batch(StrEnum):
    """The batches of changes."""

    ADD = "add one column"
    RENAME = "rename one column"
    WIDEN = "widen one column"
    ADD_100 = "add 100 columns"
    MIXED_100 = "100 changes: add, rename, widen"
    INCOMING = "ten columns more and ten wider"


@dataclass(frozen=True)
class Input:
    """A schema of this shape with this many fields, and what is done to it."""

    shape: Shape
    size: int

    @property
    def groups(self) -> int:
        return self.size // GROUP

    @cached_property
    def file(self) -> bytes:
        """The schema file, in the layout in which Java writes it."""
        plain = {"version": 3, "id": 0, "fields": list(self.shape.fields(self.groups)), "highestFieldId": GROUP * self.groups - 1}
        rest = {"partitionKeys": [], "primaryKeys": [], "options": {"file.format": "parquet"}, "comment": "measured"}
        return TableSchema.from_json(json.dumps({**plain, **rest, "timeMillis": 1_700_000_000_000})).to_json().encode()

    @cached_property
    def schema(self) -> TableSchema:
        return TableSchema.from_json(self.file)

    @cached_property
    def document(self) -> Json:
        """The schema file as plain JSON values, for the translation to other schema languages."""
        return dict(json.loads(self.file))

    def changes(self, batch: Batch) -> tuple[SchemaChange, ...]:
        """A batch of changes to the schema, spread evenly over it."""
        mixed, wider = min(33, self.groups), min(10, self.groups)
        adds, renames, widenings = {
            Batch.ADD: (1, 0, 0),
            Batch.RENAME: (0, 1, 0),
            Batch.WIDEN: (0, 0, 1),
            Batch.ADD_100: (100, 0, 0),
            Batch.MIXED_100: (100 - 2 * mixed, mixed, mixed),
            Batch.INCOMING: (10, 0, wider),
        }[batch]
        texts = [f"ADD COLUMN {path} STRING COMMENT 'new'" for path in self._paths(self.shape.new, adds)]
        texts += [f"RENAME COLUMN {path} TO renamed_{which}" for which, path in enumerate(self._paths(self.shape.text, renames))]
        texts += [f"ALTER COLUMN {path} TYPE BIGINT" for path in self._paths(self.shape.number, widenings)]
        return tuple(parse_changes(texts))

    def _paths(self, template: str, count: int) -> list[str]:
        return [template.format(which=which, group=(2 * which + 1) * self.groups // (2 * count)) for which in range(count)]

    def after(self, batch: Batch) -> TableSchema:
        """The schema after the batch, read back from a file: two versions of a table share no objects."""
        return TableSchema.from_json(evolve(self.schema, self.changes(batch)).to_json())

"""A change of a table that every checker is asked about: the table before, the steps, and the table after."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from airflow_provider_schemas.core import Field, TableSchema, evolve
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.parsing import parse_columns


@dataclass(frozen=True)
class Table:
    """A table as people write it."""

    columns: str
    partition_keys: tuple[str, ...] = ()
    primary_keys: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)
    """The ids of columns that had another name before."""

    def schema(self) -> TableSchema:
        """The first schema of this table."""
        return TableSchema.create(self.columns, self.partition_keys, self.primary_keys, self.options)

    def unchecked(self, before: TableSchema) -> TableSchema:
        """The table as the successor of a schema, whatever the rules say of it: a column keeps the id of its name."""
        ids = {one.name: one.id for one in before.fields} | dict(self.ids)
        fields = tuple(_numbered(parse_columns(self.columns), ids, before.highest_field_id))
        highest = max(before.highest_field_id, *(one.id for one in fields))
        return TableSchema(fields, highest, self.partition_keys, self.primary_keys, Options(self.options), id=before.id + 1)


def _numbered(fields: Iterable[Field], ids: Mapping[str, int], highest: int) -> Iterator[Field]:
    for one in fields:
        highest += one.name not in ids
        yield msgspec.structs.replace(one, id=ids.get(one.name, highest))


@dataclass(frozen=True)
class Change:
    """One row of the page.

    The steps are our short texts. Where `evolve` refuses them, as it should, or does more than other tools do, `after`
    says what they lead to without it, so that every checker can be asked about that.
    """

    key: str
    title: str
    before: Table
    steps: tuple[str, ...]
    after: Table | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    """By new name, the old one that readers may go on using, for languages that have aliases."""

    def old(self) -> TableSchema:
        return self.before.schema()

    def new(self) -> TableSchema:
        before = self.old()
        return self.after.unchecked(before) if self.after else evolve(before, self.steps)

"""What a metaData action says, read: the schema, its digest, and what is wrong with the column mapping.

The schema is decoded when it is asked for, and remembered.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.foreign_attributes import LOCATION
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.delta import attributes, column_ids
from airflow_provider_schemas.formats.delta.column_ids import Path
from airflow_provider_schemas.formats.delta.digests import schema_digest
from airflow_provider_schemas.formats.delta.log_actions import Metadata
from airflow_provider_schemas.formats.delta.schema_reader import DeltaFacts, read_schema, schema_value

_MODE: Final = "delta.columnMapping.mode"
_HIGHEST: Final = "delta.columnMapping.maxColumnId"
_MODES: Final = frozenset({"id", "name"})
_SHOWN: Final = 5


class DeltaMetadata(Struct, frozen=True, dict=True, eq=False):
    """A metaData action."""

    source: Metadata

    @property
    def table_id(self) -> str:
        return self.source.id or ""

    @property
    def partition_columns(self) -> tuple[str, ...]:
        return self.source.partition_columns or ()

    @cached_property
    def mode(self) -> str:
        """How columns are mapped: id, name, or empty."""
        mode = self.source.settings.get(_MODE, "").lower()
        return mode if mode in _MODES else ""

    @cached_property
    def value(self) -> Any:
        """The schema as a value of JSON."""
        return schema_value(self.source.schema_string)

    @cached_property
    def digest(self) -> str:
        """The digest of the schema and of the partition columns; of a schema that is no JSON, that of its text."""
        try:
            value = self.value
        except FormatError:
            value = self.source.schema_string
        return schema_digest(value, self.partition_columns)

    @cached_property
    def ids(self) -> Mapping[Path, int]:
        """The ids of column mapping by the names in the data files; empty where columns go by their names."""
        return (column_ids.mapped_ids(self.value) or {}) if self.mode else {}

    def schema(self, number: int, location: str = "", known_ids: Mapping[Path, int] | None = None) -> TableSchema:
        """Return the schema as one of ours; `known_ids` are those of a later version of the table, where that is mapped."""
        about: dict[str, Any] = {}
        if location:
            about[LOCATION] = location
        if self.mode:
            about[attributes.COLUMN_MAPPING] = self.mode
        facts = DeltaFacts(
            highest_id=self._highest if self.mode else -1,
            attributes=about,
            partition_columns=self.partition_columns,
            comment=self.source.description,
            is_mapped=bool(self.mode),
            known_ids={} if self.mode else known_ids or {},
        )
        return read_schema(self.value, number, facts)

    @property
    def _highest(self) -> int:
        """The highest id that column mapping has given; -1 where the table does not say it."""
        text = self.source.settings.get(_HIGHEST, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1

    # ------------------------------------------------------------ what is wrong

    def mapping_faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the column mapping: what makes a reader find other data, or none."""
        if not self.mode:
            return
        fields = list(column_ids.all_fields(self.value))
        nameless = [field for field in fields if not isinstance(field.metadata.get(attributes.MAPPED_NAME), str)]
        if nameless:
            message = f"columns are mapped by {self.mode}, and {_places(list(map(_name, nameless)))} no name in the data files."
            fix = "Have the writer mended, and write the table anew: readers of Delta refuse it, or find nothing in these columns."
            yield Fault("delta.no-physical-name", "schemaString", message, fix)
        idless = [field for field in fields if not column_ids.is_id(field.metadata.get(attributes.MAPPED_ID))]
        if idless:
            message = f"columns are mapped by {self.mode}, and {_places(list(map(_name, idless)))} no id."
            yield Fault("delta.no-column-id", "schemaString", message, "Have the writer mended, and write the table anew.")
        owners = _owners_of_ids(fields)
        yield from _ids_given_twice(owners)
        yield from self._low_highest_id(owners)

    def _low_highest_id(self, owners: Mapping[int, list[str]]) -> Iterator[Fault]:
        highest = max(owners, default=-1)
        if self._highest >= highest:
            return
        said = self._highest if self._highest >= 0 else "missing"
        message = f"{_HIGHEST} is {said}, and {_places(owners[highest][:1])} the id {highest}: the next new column may get an id in use."
        fix = f"Set {_HIGHEST} to {highest} or more before a column is added."
        yield Fault("delta.low-max-column-id", _HIGHEST, message, fix)


def _owners_of_ids(fields: list[column_ids.NestedField]) -> Mapping[int, list[str]]:
    """Return what has each id: columns, and for readers of Iceberg the elements, keys and values inside them."""
    owners: dict[int, list[str]] = {}
    for field in fields:
        number = field.metadata.get(attributes.MAPPED_ID)
        if column_ids.is_id(number):
            owners.setdefault(number, []).append(_name(field))
        for part, number in column_ids.ids_of_parts(field).items():
            owners.setdefault(number, []).append(part)
    return owners


def _ids_given_twice(owners: Mapping[int, list[str]]) -> Iterator[Fault]:
    for number, several in sorted(owners.items()):
        if len(several) > 1:
            message = f"{_places(several)} the id {number}: who finds columns by id takes the data of one for the other."
            fix = "Find the writer that gave it twice, and write the table anew before anybody reads it."
            yield Fault("delta.column-id-twice", "schemaString", message, fix)


def _name(field: column_ids.NestedField) -> str:
    return str(field.source.get("name"))


def _places(names: list[str]) -> str:
    """Return names as the subject of a sentence, with its verb."""
    shown = ", ".join(names[:_SHOWN])
    if len(names) > _SHOWN:
        shown = f"{shown} and {len(names) - _SHOWN} more"
    return f"{shown} {'has' if len(names) == 1 else 'have'}"

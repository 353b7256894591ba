"""The fields of a table in all its versions: the names and the types that each has had."""

from collections.abc import Iterable
from functools import cached_property

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field


class KnownFields:
    """The fields of all versions that are there."""

    def __init__(self, versions: Iterable[Version]) -> None:
        newest_first = sorted(versions, key=lambda version: version.number, reverse=True)
        self.versions = {version.number: version for version in newest_first}

    def schema(self, number: int) -> TableSchema | None:
        """Return the schema of a version; None if it is not there."""
        version = self.versions.get(number)
        if version is None:
            return None
        return version.schema

    @cached_property
    def _columns(self) -> dict[int, dict[Field, int]]:
        """The forms of each column by its id, the newest first, with the newest version of each form."""
        columns: dict[int, dict[Field, int]] = {}
        for number, version in self.versions.items():
            for column in version.schema.fields:
                plain = Field(column.id, column.name, column.wire)
                columns.setdefault(column.id, {}).setdefault(plain, number)
        return columns

    def column(self, number: int) -> tuple[Field, ...]:
        """Return the forms that the column with this id has had, the newest first; none if no version has it."""
        return tuple(self._columns.get(number, ()))

    @cached_property
    def _ids_by_name(self) -> dict[str, set[int]]:
        ids: dict[str, set[int]] = {}
        for number, forms in self._columns.items():
            for column in forms:
                ids.setdefault(column.name, set()).add(number)
        return ids

    def called(self, name: str) -> frozenset[int]:
        """Return the ids of the columns that ever had the name."""
        return frozenset(self._ids_by_name.get(name, ()))

    @cached_property
    def _names_by_lower_case(self) -> dict[str, set[str]]:
        names: dict[str, set[str]] = {}
        for name in self._ids_by_name:
            names.setdefault(name.lower(), set()).add(name)
        return names

    def spellings(self, name: str) -> frozenset[str]:
        """Return the name if a column ever had it, else the names of columns that differ from it in case only."""
        if name in self._ids_by_name:
            return frozenset([name])
        return frozenset(self._names_by_lower_case.get(name.lower(), ()))

    def spelled(self, name: str) -> str:
        """Return the one way in which the table spells a name; the name itself, if there are several or none."""
        spellings = self.spellings(name)
        if len(spellings) != 1:
            return name
        return next(iter(spellings))

    def last_called(self, name: str, number: int) -> int:
        """Return the newest version in which the column with this id had the name."""
        return max(version for column, version in self._columns[number].items() if column.name == name)

"""What the versions of a table know of its fields: what each was called and of which types it was, and which versions fit a file."""

from collections.abc import Iterable
from functools import cached_property

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field


class KnownFields:
    """The fields of all versions that are there."""

    def __init__(self, versions: Iterable[Version]) -> None:
        self.versions = {one.number: one for one in sorted(versions, key=lambda one: one.number, reverse=True)}

    def schema(self, number: int) -> TableSchema | None:
        """The schema of a version; None if it is not there."""
        found = self.versions.get(number)
        return None if found is None else found.schema

    @cached_property
    def _columns(self) -> dict[int, dict[Field, int]]:
        found: dict[int, dict[Field, int]] = {}
        for number, version in self.versions.items():
            for one in version.schema.fields:
                plain = Field(one.id, one.name, one.wire)
                found.setdefault(one.id, {}).setdefault(plain, number)
        return found

    def column(self, number: int) -> tuple[Field, ...]:
        """What a column was, the newest first; nothing if no version has it."""
        return tuple(self._columns.get(number, ()))

    @cached_property
    def _called(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for number, fields in self._columns.items():
            for one in fields:
                found.setdefault(one.name, set()).add(number)
        return found

    def called(self, name: str) -> frozenset[int]:
        """The ids of the columns that were ever called so."""
        return frozenset(self._called.get(name, ()))

    @cached_property
    def _folded(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name in self._called:
            found.setdefault(name.lower(), set()).add(name)
        return found

    def spellings(self, name: str) -> frozenset[str]:
        """A name as the table spells it: if none of its columns was ever called so, those names that are so but for case."""
        return frozenset([name] if name in self._called else self._folded.get(name.lower(), ()))

    def spelled(self, name: str) -> str:
        """The one way in which the table spells a name; the name itself, if there are several or none."""
        alike = self.spellings(name)
        return next(iter(alike)) if len(alike) == 1 else name

    def last_called(self, name: str, number: int) -> int:
        """The newest version in which the column was called so."""
        return max(version for one, version in self._columns[number].items() if one.name == name)

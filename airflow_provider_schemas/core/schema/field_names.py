"""The fields of one struct by name, as Spark looks for them: the exact spelling first, else the only field of the name in another case."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from airflow_provider_schemas.core.types.nested import Field


class FieldNames:
    """An index of fields, so that ten thousand names are looked up in one walk over the struct."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self._exact = {field.name: field for field in fields}
        self._alike = _only_ones(self._exact)

    def in_any_case(self, name: str) -> Field | None:
        """Return the field of this name; or the only one of this name in another case."""
        return self._exact.get(name) or self._alike.get(name.lower())

    def ambiguous(self, name: str) -> tuple[str, ...]:
        """Return the names that differ from this one in case at most, if there are several: Spark tells them apart by no name."""
        small = name.lower()
        return tuple(self._spellings[small]) if small in self._alike and self._alike[small] is None else ()

    @cached_property
    def _spellings(self) -> Mapping[str, list[str]]:
        spellings: dict[str, list[str]] = {}
        for name in self._exact:
            spellings.setdefault(name.lower(), []).append(name)
        return spellings


def _only_ones(exact: Mapping[str, Field]) -> Mapping[str, Field | None]:
    """Return the fields by their names in lower case; None where several differ in case only."""
    alike: dict[str, Field | None] = {}
    for name, field in exact.items():
        small = name.lower()
        alike[small] = None if small in alike else field
    return alike

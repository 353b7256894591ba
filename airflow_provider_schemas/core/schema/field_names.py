"""The fields of one struct by name, as Spark looks for them: the exact spelling first, else the only field of the name in another case."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from airflow_provider_schemas.core.types.nested import Field


class FieldNames:
    """An index of fields, so that ten thousand names are looked up in one walk over the struct."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self._exact = {field.name: field for field in fields}
        self._alike = _index_by_lower_case(self._exact)

    def in_any_case(self, name: str) -> Field | None:
        """Return the field of this name; or the only one of this name in another case."""
        return self._exact.get(name) or self._alike.get(name.lower())

    def ambiguous(self, name: str) -> tuple[str, ...]:
        """Return the names that differ from this one in case at most, if there are several: Spark cannot tell them apart."""
        lower = name.lower()
        if lower not in self._alike or self._alike[lower] is not None:
            return ()
        return tuple(self._spellings[lower])

    @cached_property
    def _spellings(self) -> Mapping[str, list[str]]:
        spellings: dict[str, list[str]] = {}
        for name in self._exact:
            spellings.setdefault(name.lower(), []).append(name)
        return spellings


def _index_by_lower_case(exact: Mapping[str, Field]) -> Mapping[str, Field | None]:
    """Return the fields by their names in lower case; None where several differ in case only."""
    alike: dict[str, Field | None] = {}
    for name, field in exact.items():
        lower = name.lower()
        alike[lower] = None if lower in alike else field
    return alike

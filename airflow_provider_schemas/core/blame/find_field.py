"""Find the field that people mean by a path: as findings write it, as jobs write it, in another case, or by an alias."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from airflow_provider_schemas.core.blame.path_fields import FieldKey, PathField, path_fields
from airflow_provider_schemas.core.changes.field_paths import missing
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import ColumnNotFoundError


def field_at(fields: Iterable[PathField], text: str) -> PathField | None:
    """Return the field of this path; only if there is none, the one that jobs name so: `a.b` may be a column with a dot in its name."""
    called = None
    for found in fields:
        if found.path == text:
            return found
        if called is None and found.plain == text:
            called = found
    return called


class FieldFinder:
    """The fields of one schema, to be found by paths."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.fields: Mapping[FieldKey, PathField] = path_fields(schema)
        self._lookup = Lookup(schema)
        self._by_id = {found.field.id: found for found in reversed(self.fields.values())}

    def find(self, text: str) -> PathField | None:
        """Return the field that a path means, if there is one."""
        exact = field_at(self.fields.values(), text)
        if exact is not None:
            return exact
        folded = text.casefold()
        alike = [found for found in self.fields.values() if folded in (found.path.casefold(), found.plain.casefold())]
        if len(alike) == 1:
            return alike[0]
        located = self._lookup.called(tuple(text.split(".")))
        return None if located is None else self._by_id.get(located.field.id)

    def by_id(self, number: int) -> PathField | None:
        """Return the field of this id."""
        return self._by_id.get(number)

    def around(self, found: PathField) -> Iterator[PathField]:
        """Yield the fields that a field is inside of, from the inside out."""
        parent = self.fields.get(found.parent)
        while parent is not None:
            yield parent
            parent = self.fields.get(parent.parent)

    def missing(self, text: str) -> ColumnNotFoundError:
        """Return the error about a path that leads nowhere, with the names that may be meant."""
        names = text.split(".", MAX_DEPTH)
        for depth in range(len(names) - 1, 0, -1):
            parent = self.find(".".join(names[:depth]))
            if parent is not None:
                return missing(names[: depth + 1], self._names_inside(parent.key))
        return missing(names[:1], self._names_inside(None))

    def _names_inside(self, parent: FieldKey | None) -> Sequence[str]:
        if parent is None:
            return self.schema.names
        return [found.field.name for found in self.fields.values() if found.parent == parent]

"""What an engine makes of the types that a format has and the engine has not: another type in their place, or nothing at all.

A job sees the types of its engine. Spark reads Iceberg's `uuid` as a string, though our form of it is sixteen bytes.
This is data: a row for each type of a source, by the name that the attribute `logical` of a field gives it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from airflow_provider_schemas.core.engines.readers import READERS, Reader, holds
from airflow_provider_schemas.core.schema.field_attributes import attributes
from airflow_provider_schemas.core.schema.foreign_attributes import LOGICAL, UUID, is_foreign, logical_types
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, atomic
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt

# Engine -> name of a type in its source -> the type that a job of the engine sees. As the engine's own documentation says.
STAND_INS: Final[dict[str, Mapping[str, AtomicType]]] = {
    "spark-iceberg": {UUID: atomic(Root.VARCHAR, length=MAX_LENGTH)},
}
# What newer versions of an engine may have, or what nobody knows: a column of such a type is no reason to stop a job.
_DOUBTFUL: Final = frozenset({Root.OPAQUE, Root.GEOMETRY, Root.GEOGRAPHY})


def typing_engines(way: str, engines: Sequence[Reader]) -> tuple[str, ...]:
    """Return the engines whose types a job sees: the one that its contract names, else those that read the table."""
    named = way.partition(" ")[0]
    names = (named,) if named in READERS else tuple(engine.name for engine in engines)
    return tuple(dict.fromkeys(name for name in names if name in STAND_INS))


class EngineTypes:
    """The columns of a schema as a job of one engine sees them."""

    def __init__(self, engine: str, schema: TableSchema) -> None:
        self.engine = engine
        self._schema = schema
        self._is_foreign = is_foreign(schema)
        self._stand_ins = STAND_INS[engine]

    def of(self, field: Field) -> DataType:
        """Return the type of a field."""
        if not self._is_foreign:
            return field.type
        return self._seen(field.type, "", self._names(field))

    def unread(self, field: Field) -> DataType | None:
        """Return the first type in a field that the engine cannot read; None if it reads all of it, as far as is known."""
        return self._first_unread(self.of(field)) if self._is_foreign else None

    def unread_columns(self) -> Iterator[tuple[str, DataType]]:
        """Yield the columns that the engine cannot read, each with the type in it that the engine does not have."""
        for field in self._schema.fields if self._is_foreign else ():
            kind = self.unread(field)
            if kind is not None:
                yield field.name, kind.with_nullable(True)

    def _names(self, field: Field) -> Mapping[str, str]:
        values = attributes(self._schema, field.id)
        return logical_types(values) if LOGICAL in values else {}

    def _seen(self, kind: DataType, path: str, names: Mapping[str, str]) -> DataType:
        if isinstance(kind, AtomicType):
            stand_in = self._stand_ins.get(names.get(path, ""))
            return kind if stand_in is None else stand_in.with_nullable(kind.nullable)
        if isinstance(kind, RowType):
            return rebuilt(kind, [self.of(inner) for inner in kind.fields])
        parts = [self._seen(part, f"{path}.{step}".lstrip("."), names) for step, part in children(kind)]
        return rebuilt(kind, parts)

    def _first_unread(self, kind: DataType) -> DataType | None:
        if isinstance(kind, AtomicType):
            return None if kind.root in _DOUBTFUL or holds(self.engine, kind) else kind
        for _, part in children(kind):
            unread = self._first_unread(part)
            if unread is not None:
                return unread
        return None

"""The schema along a batch of changes: each names columns by what those before it have made of them."""

from collections.abc import Sequence

from airflow_provider_schemas.core.changes.field_paths import containers, row_within
from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange
from airflow_provider_schemas.core.evolution.evolve import attempt
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, children
from airflow_provider_schemas.formats.engine_sql.words import unsaid


class Steps:
    """The schema before and after the change that is being said. Worked out when asked for: most changes say all themselves."""

    def __init__(self, schema: TableSchema | None) -> None:
        self._before = schema
        self._after: TableSchema | None = None
        self._pending: list[SchemaChange] = []
        self._change: SchemaChange | None = None

    def go_to(self, change: SchemaChange) -> None:
        """Go on to the next change."""
        if self._change is not None:
            self._pending.append(self._change)
        self._change = change

    @property
    def before(self) -> TableSchema:
        """The schema before the change."""
        if self._before is not None and self._pending:
            self._before = _evolved(self._before, self._pending)
            self._pending = []
        return _known(self._before)

    @property
    def after(self) -> TableSchema:
        """The schema after the change."""
        return _known(_evolved(self.before, [self._change] if self._change is not None else []))

    def place(self, names: tuple[str, ...], move: Move | None) -> tuple[str, str]:
        """FIRST, AFTER and a name, or nothing: where the column or field at the path goes, which engines say in no other way."""
        if move is None or move.type is MoveType.FIRST:
            return (move.type.value, "") if move else ("", "")
        if move.type is MoveType.AFTER:
            return move.type.value, move.reference or ""
        beside = self.neighbours(names)
        place = [one.name for one in beside].index(names[-1])
        return ("AFTER", beside[place - 1].name) if place else ("FIRST", "")

    def type_before(self, names: tuple[str, ...]) -> DataType:
        """The type at the end of a path, before the change."""
        *around, last = names
        kinds: dict[str, DataType] = {one.name: one.type for one in self.before.fields}
        for name in around:
            kinds = dict(children(kinds[name])) if name in kinds else {}
        if last not in kinds:
            raise unsaid("there is no such column.")
        return kinds[last]

    def neighbours(self, names: tuple[str, ...]) -> Sequence[Field]:
        """The columns, or the fields of a ROW, among which the path ends after the change."""
        fields: Sequence[Field] = self.after.fields
        depth = 0
        while depth < len(names) - 1:
            one = next(part for part in fields if part.name == names[depth])
            depth += 1 + containers(one.type, names, depth + 1)
            row = row_within(one.type)
            fields = () if row is None else row.fields
        return fields


def _known(schema: TableSchema | None) -> TableSchema:
    if schema is None:
        raise unsaid("the statement depends on the schema, and no schema that takes these changes was given.")
    return schema


def _evolved(schema: TableSchema, changes: Sequence[SchemaChange]) -> TableSchema | None:
    after, refusals = attempt(schema, changes)
    return None if refusals else after

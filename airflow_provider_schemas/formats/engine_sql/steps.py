"""The schema before and after each change of a batch: a change names columns as the changes before it left them."""

from collections.abc import Sequence

from airflow_provider_schemas.core.changes.field_paths import containers, row_within
from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange
from airflow_provider_schemas.core.evolution.evolve import attempt
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, children
from airflow_provider_schemas.formats.engine_sql.words import inexpressible, quoted


class Steps:
    """The schema before and after the current change. Both are computed on demand, since most statements need neither."""

    def __init__(self, schema: TableSchema | None) -> None:
        self._before = schema
        self._after: TableSchema | None = None
        self._pending: list[SchemaChange] = []
        self._change: SchemaChange | None = None

    def go_to(self, change: SchemaChange) -> None:
        """Make a change the current one."""
        if self._change is not None:
            self._pending.append(self._change)
        self._change = change

    @property
    def before(self) -> TableSchema:
        """The schema before the current change."""
        if self._before is not None and self._pending:
            self._before = _evolved(self._before, self._pending)
            self._pending = []
        return _required(self._before)

    @property
    def after(self) -> TableSchema:
        """The schema after the current change."""
        changes = [] if self._change is None else [self._change]
        return _required(_evolved(self.before, changes))

    def field_before(self, names: tuple[str, ...], move: Move) -> str:
        """Return the name of the field after which a column or field goes; empty where it goes first."""
        if move.type is MoveType.FIRST:
            return ""
        if move.type is MoveType.AFTER and move.reference:
            return move.reference
        siblings = [field.name for field in self.siblings(names)]
        index = siblings.index(names[-1])
        return siblings[index - 1] if index else ""

    def type_before(self, names: tuple[str, ...]) -> DataType:
        """Return the type at the end of a path, before the current change."""
        *parents, last = names
        types: dict[str, DataType] = {column.name: column.type for column in self.before.fields}
        for parent in parents:
            types = dict(children(types[parent])) if parent in types else {}
        if last not in types:
            raise inexpressible("there is no such column.")
        return types[last]

    def siblings(self, names: tuple[str, ...]) -> Sequence[Field]:
        """Return the columns, or the fields of a ROW, among which a path ends after the current change."""
        fields: Sequence[Field] = self.after.fields
        depth = 0
        while depth < len(names) - 1:
            parent = next(field for field in fields if field.name == names[depth])
            depth += 1 + containers(parent.type, names, depth + 1)
            row = row_within(parent.type)
            fields = () if row is None else row.fields
        return fields


def position_clause(steps: Steps, names: tuple[str, ...], move: Move | None) -> str:
    """Return ` FIRST` or ` AFTER` a name, which all engines know; empty where nothing moves."""
    if move is None:
        return ""
    before = steps.field_before(names, move)
    return f" AFTER {quoted(before)}" if before else " FIRST"


def _required(schema: TableSchema | None) -> TableSchema:
    if schema is None:
        raise inexpressible("the statement depends on the schema, and no schema that takes these changes was given.")
    return schema


def _evolved(schema: TableSchema, changes: Sequence[SchemaChange]) -> TableSchema | None:
    after, refusals = attempt(schema, changes)
    return None if refusals else after

"""ODF schemas and the schemas of tables, both ways: an ODF schema in the store comes back as it was.

Columns get Paimon's types, and what these do not express is kept beside them: see `hints`. A column that was
renamed, moved or has changed its type since keeps its attributes, and loses the hint about a type that it no
longer has.
"""

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.field_attributes import attributes
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema, checked_schema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType as TableType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, MapType, MultisetType, RowType
from airflow_provider_schemas.core.validation.validity import require
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.base import Loaded, Loss, check_count, table_losses
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.schema import checked_schema as checked_odf
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct
from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf
from airflow_provider_schemas.formats.odf.serialization.writer import of_type
from airflow_provider_schemas.formats.odf.table import hints, leaf_types, nested_types

_LANGUAGE = "Open Data Fabric"

# Paimon's, ODF's, and what comes back where no attribute is read.
LOSSY = tuple((ours, str(of_type(odf)["kind"]), back) for ours, odf, back in leaf_types.LOSSY)


# ---------------------------------------------------------------- to a table


def to_table(schema: DataSchema) -> Loaded:
    """Return the schema of a table, which keeps the whole ODF schema; raise a FormatError for names that no table can have."""
    _check_depth(schema)
    maker = _ColumnMaker()
    fields = maker.fields(schema.fields, "")
    attributes = hints.split(schema.extra)
    maker.add_option(None, hints.hint_text(None, None, attributes.rest))
    table = TableSchema(tuple(fields), maker.ids.highest, options=Options(maker.options), comment=attributes.comment)
    collect(maker.faults, lambda: require(table))
    if maker.faults:
        raise FormatError.of(dict.fromkeys(maker.faults))
    return Loaded(table, tuple(maker.losses))


def _check_depth(schema: DataSchema) -> None:
    depth = 0
    level: list[DataType] = [field.type for field in checked_odf(schema).fields]
    while level:
        depth += 1
        level = list(chain.from_iterable(kind.parts for kind in level))
        check_count(len(level))
        if depth > MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} levels."
            raise FormatError(message, code="type.too-deep", fix="Flatten the schema.")


class _ColumnMaker:
    """Makes columns, parents before the fields inside them, with the hints beside them."""

    def __init__(self) -> None:
        self.ids = FieldIds(-1)
        self.options: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.losses: list[Loss] = []

    def add_option(self, number: int | None, text: str | None) -> None:
        """Keep a hint, if there is one, for the column with this id, or for the table."""
        if text is not None:
            self.options[attribute_key(number)] = text

    def fields(self, fields: tuple[DataField, ...], path: str) -> list[Field]:
        columns = [self.field(field, joined(path, field.name)) for field in fields]
        if path:
            self.faults += [fault._replace(path=f"{path}.{fault.path}"[:200]) for fault in nested.name_faults(columns)]
        return columns

    def field(self, field: DataField, path: str) -> Field:
        number = self.ids.next()
        attributes = hints.split(field.extra, field.type)
        column_type = self.type(field.type, attributes.type, path)
        hinted = field.type if attributes.type is None else None
        self.add_option(number, hints.hint_text(hinted, column_type, attributes.rest))
        self.add_loss(field.type, column_type, path)
        return nested.field(number, field.name, column_type, attributes.comment)

    def type(self, kind: DataType, known: TableType | None, path: str) -> TableType:
        """Return the type of a column: the known one with the fields of the ODF type, or the counterpart of the ODF type."""

        def members(struct: Struct) -> list[Field]:
            return self.fields(struct.fields, path)

        if known is None:
            return nested_types.to_table(kind, members)
        rows = [RowType(tuple(members(struct))) for struct in nested_types.odf_structs(kind)]
        return nested_types.with_rows(known, rows)

    def add_loss(self, kind: DataType, column: TableType, path: str) -> None:
        """Note a type that only the hint keeps."""
        opened = nested_types.open_odf(kind)
        opened_column = nested_types.open_table(column)
        if opened != hints.published(opened_column):
            message = f"it is {opened_column} in the table; that it was {_kinds_text(opened)} is kept beside the column."
            self.losses.append(Loss(path[:200], "kind", message))


def _kinds_text(kind: DataType) -> str:
    """Return the kinds of a type as text."""
    inside = ", ".join(map(_kinds_text, kind.parts))
    if not inside:
        return str(kind.kind)
    return f"{kind.kind}<{inside}>"


# ---------------------------------------------------------------- to ODF


def to_odf(schema: TableSchema) -> LoadedOdf:
    """Return the ODF schema of a table, with what ODF has no place for as losses."""
    reader = _ColumnReader(checked_schema(schema))
    hint = reader.hint(None, "")
    fields = tuple(reader.field(field, field.name) for field in schema.fields)
    extra = hints.join(hint.rest, schema.comment, None)
    return LoadedOdf(DataSchema(fields, extra), (*_table_losses(schema), *reader.losses))


class _ColumnReader:
    """Reads columns with the hints beside them, and collects losses."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.losses: list[Loss] = []

    def lost(self, path: str, what: str, message: str) -> None:
        self.losses.append(Loss(path[:200], what, message))

    def hint(self, number: int | None, path: str) -> hints.Hint:
        """Return the hint of the column with this id, or of the table, and note the other attributes as a loss."""
        key = attribute_key(number)
        if key not in self.schema.options:
            return hints.Hint()
        stored = attribute_object(self.schema.options[key]) if number is None else attributes(self.schema, number)
        values = stored or {}
        others = sorted(values.keys() - {hints.ODF})
        if others or not values:
            message = f"{_LANGUAGE} has no place for what {key} says"
            if others:
                message += f": {', '.join(others)[:200]}"
            self.lost(path, "attributes", f"{message}.")
        hint = hints.hint_of(values)
        if not hint.sound:
            self.lost(path, "hint", f"what {key} says of ODF cannot be read, and is left out.")
        return hint

    def field(self, field: Field, path: str) -> DataField:
        hint = self.hint(field.id, path)
        if field.default is not None:
            self.lost(path, "default", f"{_LANGUAGE} has no place for the default of a column.")
        opened = nested_types.open_table(field.type)
        structs = [self.struct(row, path) for row in nested_types.table_rows(field.type)]
        hinted = hints.hinted_type(hint, opened)
        if hinted is not None and len(nested_types.odf_structs(hinted)) != len(structs):
            hinted = None  # somebody has written the hint by hand
        if hint.type is not None and hinted is None:
            self.lost(path, "hint", f"the column has become {opened}: that it was {_kinds_text(hint.type)} no longer holds.")
        if hinted is not None:
            extra = hints.join(hint.rest, field.description, None)
            return DataField(field.name, nested_types.with_structs(hinted, structs), extra)
        extra = hints.join(hint.rest, field.description, self.kept_type(opened, path))
        return DataField(field.name, nested_types.with_structs(hints.published(opened), structs), extra)

    def struct(self, row: RowType, path: str) -> Struct:
        return Struct(tuple(self.field(field, f"{path}.{field.name}") for field in row.fields))

    def kept_type(self, column: TableType, path: str) -> TableType | None:
        """Return the type of a column if an attribute has to keep it, because ODF's says less; note the losses."""
        self.losses += _key_losses(column, path)
        if not hints.needs_attribute(column):
            return None
        message = f"{column} is ODF's {_kinds_text(hints.published(column))}; the attribute {hints.PAIMON_TYPE} keeps it."
        self.lost(path, "type", message)
        return column


def _key_losses(kind: TableType, path: str) -> Iterator[Loss]:
    if _has_nullable_keys(kind):
        yield Loss(path[:200], "nullability", "the keys of maps are never missing in ODF, unless an Option says so.")
    for word, part in nested.children(kind):
        yield from _key_losses(part, f"{path}.{word}")


def _has_nullable_keys(kind: TableType) -> bool:
    if isinstance(kind, MapType):
        return kind.key.nullable
    return isinstance(kind, MultisetType) and kind.element.nullable


def _table_losses(schema: TableSchema) -> Iterator[Loss]:
    column_prefix = attribute_key(0)[:-1]
    rest = {key: text for key, text in schema.options.items() if not key.startswith(column_prefix) and key != attribute_key(None)}
    yield from table_losses(replace(schema, options=Options(rest)), _LANGUAGE, keeps=("comment", "highest field id"))

"""ODF schemas and the schemas of tables, both ways: an ODF schema that lies in the store comes back as it was.

Columns get Paimon's types, and what these do not say lies beside them: see `hints`. A column that was
renamed, moved or has changed its type since keeps its attributes, and loses the hint about a type that it no
longer has.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from airflow_provider_schemas.core.schema.field_attributes import attributes
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema, attribute_key, attribute_object, checked_schema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType as TableType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, MapType, MultisetType
from airflow_provider_schemas.core.validation.validity import require
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.base import Loaded, Loss, check_count, table_losses
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.schema import checked_schema as checked_odf
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Struct
from airflow_provider_schemas.formats.odf.serialization.loaded import Loaded as LoadedOdf
from airflow_provider_schemas.formats.odf.serialization.writer import of_type
from airflow_provider_schemas.formats.odf.table import hints, leaf_types, nested_types

_LANGUAGE = "Open Data Fabric"

# Paimon's, ODF's, and what comes back where no attribute is read.
LOSSY = tuple((ours, str(of_type(odf)["kind"]), back) for ours, odf, back in leaf_types.LOSSY)


# ---------------------------------------------------------------- to a table


def to_table(schema: DataSchema) -> Loaded:
    """The schema of a table, which keeps all of this one; a FormatError names every name that a table cannot have."""
    _check_depth(schema)
    maker = _Maker()
    fields = maker.fields(schema.fields, "")
    said = hints.taken_apart(schema.extra)
    maker.option(None, hints.hint_text(None, None, said.rest))
    table = TableSchema(tuple(fields), maker.ids.highest, options=Options(maker.options), comment=said.comment)
    collect(maker.faults, lambda: require(table))
    if maker.faults:
        raise FormatError.of(dict.fromkeys(maker.faults))
    return Loaded(table, tuple(maker.losses))


def _check_depth(schema: DataSchema) -> None:
    level, depth = [one.type for one in checked_odf(schema).fields], 0
    while level:
        level, depth = [part for kind in level for part in kind.parts], depth + 1
        check_count(len(level))
        if depth > MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} levels."
            raise FormatError(message, code="type.too-deep", fix="Flatten the schema.")


class _Maker:
    """Makes columns, parents before the fields inside them, and what lies beside them."""

    def __init__(self) -> None:
        self.ids = FieldIds(-1)
        self.options: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.losses: list[Loss] = []

    def option(self, number: int | None, text: str | None) -> None:
        if text is not None:
            self.options[attribute_key(number)] = text

    def fields(self, fields: tuple[DataField, ...], path: str) -> list[Field]:
        made = [self.field(one, f"{path}.{one.name}" if path else one.name) for one in fields]
        if path:
            self.faults += [_further_out(fault, path) for fault in nested.name_faults(made)]
        return made

    def field(self, field: DataField, path: str) -> Field:
        number = self.ids.next()
        said = hints.taken_apart(field.extra, field.type)
        column = self.type(field.type, said.type, path)
        kind = None if said.type is not None else field.type
        self.option(number, hints.hint_text(kind, column, said.rest))
        self.tell(field.type, column, path)
        return nested.field(number, field.name, column, said.comment)

    def type(self, kind: DataType, known: TableType | None, path: str) -> TableType:
        def members(struct: Struct) -> list[Field]:
            return self.fields(struct.fields, path)

        if known is None:
            return nested_types.to_table(kind, members)
        rows = [nested.RowType(tuple(members(one))) for one in nested_types.odf_structs(kind)]
        return nested_types.with_rows(known, rows)

    def tell(self, kind: DataType, column: TableType, path: str) -> None:
        opened, back = nested_types.open_odf(kind), hints.published(nested_types.open_table(column))
        if opened != back:
            message = f"it is {nested_types.open_table(column)} in the table; that it was {_shown(opened)} is kept beside the column."
            self.losses.append(Loss(path[:200], "kind", message))


def _shown(kind: DataType) -> str:
    """The kinds of a type, as people write them."""
    inside = ", ".join(map(_shown, kind.parts))
    return f"{kind.kind}<{inside}>" if inside else str(kind.kind)


def _further_out(fault: Fault, path: str) -> Fault:
    """The fault about a field inside another, by the path of the whole."""
    return fault._replace(path=f"{path}.{fault.path}"[:200])


# ---------------------------------------------------------------- to ODF


def to_odf(schema: TableSchema) -> LoadedOdf:
    """The ODF schema of a table, and what ODF has no place for."""
    reader = _Reader(checked_schema(schema))
    hint = reader.hint(None, "")
    fields = tuple(reader.field(one, one.name) for one in schema.fields)
    extra = hints.put_together(hint.rest, schema.comment, None)
    return LoadedOdf(DataSchema(fields, extra), (*_table_losses(schema), *reader.losses))


class _Reader:
    """Reads columns with what lies beside them, and collects what has no place."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.losses: list[Loss] = []

    def lost(self, path: str, what: str, message: str) -> None:
        self.losses.append(Loss(path[:200], what, message))

    def hint(self, number: int | None, path: str) -> hints.Hint:
        key = attribute_key(number)
        if key not in self.schema.options:
            return hints.Hint()
        said = attribute_object(self.schema.options[key]) if number is None else attributes(self.schema, number)
        others = sorted((said or {}).keys() - {hints.ODF})
        if others or not said:
            self.lost(path, "attributes", f"{_LANGUAGE} has no place for what {key} says{': ' if others else ''}{', '.join(others)[:200]}.")
        hint = hints.hint_of(said or {})
        if not hint.sound:
            self.lost(path, "hint", f"what {key} says of ODF cannot be read, and is left out.")
        return hint

    def field(self, field: Field, path: str) -> DataField:
        hint, column = self.hint(field.id, path), field.type
        if field.default is not None:
            self.lost(path, "default", f"{_LANGUAGE} has no place for the default of a column.")
        opened = nested_types.open_table(column)
        known = hints.hinted(hint, opened)
        kind = hints.published(opened) if known is None else known
        structs = [Struct(tuple(self.field(one, f"{path}.{one.name}") for one in row.fields)) for row in nested_types.table_rows(column)]
        if len(nested_types.odf_structs(kind)) != len(structs):  # a hint that somebody has written by hand
            known, kind = None, hints.published(opened)
        if hint.type is not None and known is None:
            self.lost(path, "hint", f"the column has become {opened}: that it was {_shown(hint.type)} no longer holds.")
        return DataField(field.name, nested_types.filled(kind, structs), self.attributes(field, hint, None if known else opened, path))

    def attributes(self, field: Field, hint: hints.Hint, published: TableType | None, path: str) -> Attributes | None:
        """The attributes of a field; of a type that ODF says less of, one that tells it."""
        kept = None
        if published is not None:
            self.losses += _key_losses(published, path)
            if hints.needs_attribute(published):
                kept = published
                message = f"{published} is ODF's {_shown(hints.published(published))}; the attribute {hints.PAIMON_TYPE} keeps it."
                self.lost(path, "type", message)
        return hints.put_together(hint.rest, field.description, kept)


def _key_losses(kind: TableType, path: str) -> Iterator[Loss]:
    key = kind.key if isinstance(kind, MapType) else kind.element if isinstance(kind, MultisetType) else None
    if key is not None and key.nullable:
        yield Loss(path[:200], "nullability", "the keys of maps are never missing in ODF, unless an Option says so.")
    for word, part in nested.children(kind):
        yield from _key_losses(part, f"{path}.{word}")


def _table_losses(schema: TableSchema) -> Iterator[Loss]:
    ours = attribute_key(0)[:-1]
    rest = {key: text for key, text in schema.options.items() if not key.startswith(ours) and key != attribute_key(None)}
    yield from table_losses(replace(schema, options=Options(rest)), _LANGUAGE, keeps=("comment", "highest field id"))

"""A schema of Iceberg becomes one of ours: every id, name, type and comment, at every depth.

Reading applies none of the rules for new tables of Paimon: names may be blank or differ in case only. What our types
cannot hold are attributes.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Raw, Struct

from airflow_provider_schemas.core.schema.foreign_attributes import (
    ELEMENT_IDS,
    FORMAT,
    IDENTIFIER_FIELDS,
    INITIAL_DEFAULT,
    LOGICAL,
    WRITE_DEFAULT,
)
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types.nested import (
    MAX_DEPTH,
    ArrayType,
    ArrayTypeNotNull,
    Field,
    MapType,
    MapTypeNotNull,
    RowType,
    RowTypeNotNull,
    Wire,
    of_wire,
)
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.base import Faults, check_count
from airflow_provider_schemas.formats.iceberg import attributes, defaults, leaf_types
from airflow_provider_schemas.formats.iceberg.schema_json import (
    FieldJson,
    ListJson,
    MapJson,
    StructJson,
    TypeJson,
    decode_schema,
    given,
    plain_value,
)

# Iceberg's text -> ours, of optional types and of required ones. Texts with parameters are added as they are read; bounded, so that hostile
# files cannot fill the memory with them.
_PLAIN: Final = {text: ours for text, ours in leaf_types.FROM_ICEBERG.items() if text not in leaf_types.LOGICAL_TYPES}
_KNOWN: Final[tuple[dict[Any, str], dict[Any, str]]] = (_PLAIN, {text: f"{ours}{leaf_types.NOT_NULL}" for text, ours in _PLAIN.items()})
_MOST_KNOWN: Final = 10_000
_LONGEST_KNOWN: Final = 100


def _known_wire(source: FieldJson) -> str | None:
    """Return the type of a field that is nothing but a type which was read before."""
    if source.initial_default is UNSET and source.write_default is UNSET:
        return _KNOWN[source.required].get(source.type)
    return None


def _remember(text: str, required: bool, wire: str) -> None:
    if len(_KNOWN[required]) < _MOST_KNOWN and len(text) <= _LONGEST_KNOWN:
        _KNOWN[required][text] = wire


class TableFacts(Struct, frozen=True):
    """What a table says beside its schemas."""

    highest_id: int = -1
    attributes: Mapping[str, Any] = {}
    partition_keys: tuple[int, ...] = ()
    """The ids of the columns by whose own values the table is partitioned."""
    comment: str | None = None


NO_TABLE: Final = TableFacts()


def read_schema(raw: bytes | Raw, number: int | None = None, table: TableFacts = NO_TABLE) -> TableSchema:
    """Return the schema that Iceberg's JSON spells, or raise a FormatError that names its faults.

    The number is the schema's own id; a schema of the first version has none, and gets the one that is passed.
    """
    source = decode_schema(raw)
    check_count(len(source.fields))
    reader = _SchemaReader()
    fields = reader.fields(source.fields, "", 0)
    reader.check_ids()
    reader.faults.settle()
    table_attributes = {FORMAT: attributes.ICEBERG, **table.attributes}
    if source.identifier_field_ids:
        table_attributes[IDENTIFIER_FIELDS] = sorted(source.identifier_field_ids)
    reader.options.append(attributes.option(None, table_attributes))
    own = number if source.schema_id is None else source.schema_id
    return TableSchema(
        fields,
        max(max(reader.ids, default=-1), table.highest_id),
        partition_keys=_names(fields, table.partition_keys),
        options=Options(reader.options),
        comment=table.comment,
        id=own or 0,
    )


def _names(fields: tuple[Field, ...], numbers: tuple[int, ...]) -> tuple[str, ...]:
    if not numbers:
        return ()
    by_id = {field.id: field.name for field in fields}
    return tuple([by_id[number] for number in numbers if number in by_id])


class _SchemaReader:
    """Reads fields and types, and collects ids, options of attributes, and faults."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.options: list[tuple[str, str]] = []
        self.faults = Faults()

    def fields(self, sources: tuple[FieldJson, ...], path: str, depth: int) -> tuple[Field, ...]:
        """Return the fields of a struct, in order: of thousands, nearly all are of a type that needs no second look."""
        self.ids += [source.id for source in sources]
        fields = []
        for source, wire in zip(sources, map(_known_wire, sources), strict=True):
            if wire is not None:
                fields.append(Field(source.id, source.name, wire, source.doc))
            else:
                fields.append(self.unusual_field(source, f"{path}{source.name}", depth))
        if len({field.name for field in fields}) < len(fields):
            self.name_faults(fields, path)
        return tuple(fields)

    def unusual_field(self, source: FieldJson, path: str, depth: int) -> Field:
        """Return a field that is nested, or has attributes or parameters."""
        found = _FieldAttributes()
        wire = self.wire(source.type, source.required, _Place(path, depth, found))
        default = self.defaults(source, wire, path, found)
        values = found.values()
        if values:
            self.options.append(attributes.option(source.id, values))
        return Field(source.id, source.name, wire, source.doc, default)

    def wire(self, kind: TypeJson, required: bool, place: "_Place") -> Wire:
        """Return a type as a schema file spells it."""
        if place.depth > MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} levels."
            raise FormatError(message, code="type.too-deep", path=place.path[:200], fix="Flatten the schema.")
        if isinstance(kind, str):
            return self.leaf(kind, required, place)
        if isinstance(kind, StructJson):
            check_count(len(self.ids) + len(kind.fields))
            inner = self.fields(kind.fields, f"{place.path}.", place.depth + 1)
            return RowTypeNotNull(inner) if required else RowType(inner)
        if isinstance(kind, ListJson):
            element = self.part(kind.element_id, kind.element, kind.element_required, place.inner("element"))
            return ArrayTypeNotNull(element) if required else ArrayType(element)
        return self.map(kind, required, place)

    def map(self, kind: MapJson, required: bool, place: "_Place") -> Wire:
        key = self.part(kind.key_id, kind.key, True, place.inner("key"))
        value = self.part(kind.value_id, kind.value, kind.value_required, place.inner("value"))
        return MapTypeNotNull(key, value) if required else MapType(key, value)

    def part(self, number: int, kind: TypeJson, required: bool, place: "_Place") -> Wire:
        """Return the type of an element, key or value, and note its id."""
        self.ids.append(number)
        place.found.element_ids[place.part] = number
        return self.wire(kind, required, place)

    def leaf(self, text: str, required: bool, place: "_Place") -> Wire:
        # Java reads the names of types in any case.
        logical = text.lower() in leaf_types.LOGICAL_TYPES
        if logical:
            place.found.logical[place.part] = text.lower()
        try:
            ours = leaf_types.our_text(text)
        except SchemaError as error:
            for fault in error.faults:
                self.faults.add(fault.code, place.path, fault.message, fault.fix)
            return "BOOLEAN"
        wire = f"{ours}{leaf_types.NOT_NULL}" if required else ours
        if not logical:
            _remember(text, required, wire)
        return wire

    def defaults(self, source: FieldJson, wire: Wire, path: str, found: "_FieldAttributes") -> str | None:
        """Note the default of old rows, and return that of new ones where our columns can say it."""
        initial = given(source.initial_default)
        if initial is not None:
            found.more[INITIAL_DEFAULT] = plain_value(initial, path)
        write = given(source.write_default)
        if write is None:
            return None
        value = plain_value(write, path)
        text = None
        if isinstance(wire, str) and not found.logical:
            text = defaults.default_text(of_wire(wire), value)
        if text is None:
            found.more[WRITE_DEFAULT] = value
        return text

    def name_faults(self, fields: list[Field], path: str) -> None:
        """Note the names that stand twice in one struct: by name, only one of the fields would be found."""
        seen: set[str] = set()
        for field in fields:
            if field.name in seen:
                message = "two fields of one struct have this name."
                self.faults.add("fields.duplicate-name-in-row", f"{path}{field.name}", message, "Rename one of them.")
            seen.add(field.name)

    def check_ids(self) -> None:
        """Note the ids that two fields have: data of one would be read as the other."""
        if len(set(self.ids)) == len(self.ids):
            return
        seen: set[int] = set()
        for number in self.ids:
            if number in seen:
                message = f"two fields have the id {number}, so that data of one would be read as the other."
                fix = "Repair the table with the engine that wrote it."
                self.faults.add("iceberg.duplicate-field-id", str(number), message, fix)
            seen.add(number)


class _FieldAttributes:
    """The attributes of one field, from the types inside it; by the way from the field to them."""

    def __init__(self) -> None:
        self.element_ids: dict[str, int] = {}
        self.logical: dict[str, str] = {}
        self.more: dict[str, Any] = {}

    def values(self) -> dict[str, Any]:
        """Return the attributes. What the field itself is stands as a text, what the parts of its type are as an object."""
        values = dict(self.more)
        if self.logical:
            values[LOGICAL] = self.logical.get("", self.logical)
        if self.element_ids:
            values[ELEMENT_IDS] = self.element_ids
        return values


class _Place(NamedTuple):
    """Where a type stands: below which field, and how deep; `part` is the way to it from that field, through lists and maps."""

    path: str
    depth: int
    found: _FieldAttributes
    part: str = ""

    def inner(self, word: str) -> "_Place":
        """Return the place of an element, key or value."""
        part = f"{self.part}.{word}" if self.part else word
        return _Place(f"{self.path}.{word}", self.depth + 1, self.found, part)

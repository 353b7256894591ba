"""A schema of Delta becomes one of ours: every name, type and comment at every depth, and ids by which versions can be compared.

Reading applies none of the rules for new tables of Paimon: names may be blank or long. What our types cannot hold are attributes, or
types that are known by their text only.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.schema.foreign_attributes import FORMAT
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
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
from airflow_provider_schemas.core.types.nested import wire as to_wire
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.base import Faults, check_count
from airflow_provider_schemas.formats.delta import attributes, column_ids, leaf_types
from airflow_provider_schemas.formats.delta.column_ids import Path
from airflow_provider_schemas.formats.delta.declared_types import with_lengths

_ReadAtom = Callable[[], AtomicType]
_FIX: Final = "Restore the log, or write the schema as Delta's protocol says."
_OWN_KEYS: Final = frozenset({"name", "type", "nullable", "metadata"})
_KEPT_ELSEWHERE: Final = frozenset(
    {
        attributes.COMMENT,
        attributes.DEFAULT,
        attributes.DECLARED,
        attributes.COLLATIONS,
        attributes.MAPPED_ID,
        attributes.MAPPED_NAME,
        attributes.WIDENED,
        attributes.HIGH_WATER_MARK,
    }
)


class DeltaFacts(Struct, frozen=True):
    """What a table says beside its schema."""

    highest_id: int = -1
    attributes: Mapping[str, Any] = {}
    partition_columns: tuple[str, ...] = ()
    comment: str | None = None
    is_mapped: bool | None = None
    """Whether ids of column mapping count; None for a schema by itself, of which they are taken where they are."""
    known_ids: Mapping[Path, int] = {}
    """The ids that columns have in a later version of the table: it was mapped since, and the columns stayed."""


NO_TABLE: Final = DeltaFacts()


def schema_value(text: str | bytes) -> Any:
    """Return the JSON value of a schema, or raise a FormatError."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise FormatError("the schema is nested too deep.", code="json.too-deep", fix="Flatten the schema.") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise FormatError(f"the schema is no JSON: {error}.", code="json.invalid", path="schemaString", fix=_FIX) from None


def read_schema(value: Any, number: int = 0, table: DeltaFacts = NO_TABLE) -> TableSchema:
    """Return the schema that the JSON value of a StructType spells, or raise a FormatError that names its faults."""
    if not isinstance(value, dict) or value.get("type") != "struct" or not isinstance(value.get("fields"), list):
        fix = "Pass the JSON of a StructType, as schemaString has it."
        raise FormatError(f"{shown(value)} is no struct.", code="json.wrong-type", fix=fix)
    ids = _Ids(value, table)
    reader = _SchemaReader(ids)
    fields = reader.fields(value["fields"], _Place("", (), 0))
    reader.faults.settle()
    about: dict[str, Any] = {FORMAT: attributes.DELTA, **table.attributes}
    reader.options.append(attributes.option(None, about))
    names = {field.name for field in fields}
    return TableSchema(
        fields,
        max(ids.highest, table.highest_id),
        partition_keys=tuple([name for name in table.partition_columns if name in names]),
        options=Options(reader.options),
        comment=table.comment,
        id=number,
    )


class _Ids:
    """Gives each field its id: of column mapping, of a later version, of its name, or the next number."""

    def __init__(self, value: Any, table: DeltaFacts) -> None:
        self.highest = -1
        self._given = column_ids.mapped_ids(value) if table.is_mapped is not False else None
        self._counts = table.is_mapped is None
        self._known = table.known_ids
        self._taken: set[int] = set(table.known_ids.values())
        self.count = 0

    def next(self, path: Path) -> int:
        self.count += 1
        check_count(self.count)
        number = self._number(path)
        self.highest = max(self.highest, number)
        return number

    def _number(self, path: Path) -> int:
        if self._given is not None:
            return self._given[path]
        if self._counts:
            return self.count - 1
        known = self._known.get(path)
        if known is not None:
            return known
        number = column_ids.id_of_name(path)
        while number in self._taken:
            number += 1
        self._taken.add(number)
        return number


class _Place(NamedTuple):
    """Where a type stands: the path that people see, the one in the data files, and how deep; `collations` are those of its column."""

    path: str
    inside: Path
    depth: int
    column: str = ""
    collations: Mapping[str, Any] = {}

    def part(self, word: str) -> "_Place":
        """Return the place of an element, key or value."""
        return _Place(f"{self.path}.{word}", (*self.inside, word), self.depth + 1, f"{self.column}.{word}", self.collations)


class _SchemaReader:
    """Reads fields and types, and collects options of attributes, and faults."""

    def __init__(self, ids: _Ids) -> None:
        self.ids = ids
        self.options: list[tuple[str, str]] = []
        self.faults = Faults()

    def fault(self, path: str, message: str, code: str = "json.wrong-type") -> None:
        self.faults.add(code, path, message, _FIX)

    # ------------------------------------------------------------ fields

    def fields(self, sources: list[Any], place: _Place) -> tuple[Field, ...]:
        read = [self.field(source, place, number) for number, source in enumerate(sources)]
        fields = [field for field in read if field is not None]
        if len({field.name for field in fields}) < len(fields):
            self.name_faults(fields, place.path)
        return tuple(fields)

    def field(self, source: Any, place: _Place, number: int) -> Field | None:
        name = source.get("name") if isinstance(source, dict) else None
        if not isinstance(name, str) or len(name) > MAX_NAME:
            self.fault(f"{place.path}[{number}]", f"{shown(source)} is no field.")
            return None
        path = f"{place.path}.{name}" if place.path else name
        metadata = self.metadata(source, path)
        inside = (*place.inside, column_ids.name_in_files(source, metadata))
        own_id = self.ids.next(inside)
        own_collations = metadata.get(attributes.COLLATIONS)
        collations = own_collations if isinstance(own_collations, dict) else {}
        here = _Place(path, inside, place.depth + 1, name, collations)
        wire = self.wire(source.get("type"), self.flag(source, "nullable", path), here)
        declared = self.declared(wire, metadata)
        self.keep(own_id, metadata, source)
        return Field(own_id, name, declared, _text(metadata, attributes.COMMENT), _text(metadata, attributes.DEFAULT))

    def metadata(self, source: Mapping[str, Any], path: str) -> Mapping[str, Any]:
        metadata = source.get("metadata") or {}
        if not isinstance(metadata, dict):
            self.fault(path, f"the metadata are {shown(metadata)}.")
            return {}
        return metadata

    def flag(self, source: Mapping[str, Any], word: str, path: str) -> bool:
        """Return whether a type may be null: what does not say so may."""
        value = source.get(word, True)
        if not isinstance(value, bool):
            self.fault(path, f"{word!r} is {shown(value)}.")
            return True
        return value

    def keep(self, number: int, metadata: Mapping[str, Any], source: Mapping[str, Any]) -> None:
        """Keep what a field says that our fields have no place for."""
        about: dict[str, Any] = {}
        if attributes.MAPPED_NAME in metadata:
            about[attributes.PHYSICAL_NAME] = metadata[attributes.MAPPED_NAME]
        if attributes.WIDENED in metadata:
            about[attributes.TYPE_CHANGES] = metadata[attributes.WIDENED]
        rest = {key: value for key, value in metadata.items() if key not in _KEPT_ELSEWHERE}
        rest |= {f"{key} of the field": value for key, value in source.items() if key not in _OWN_KEYS}
        if rest:
            about[attributes.METADATA] = rest
        if about:
            self.options.append(attributes.option(number, about))

    def declared(self, wire: Wire, metadata: Mapping[str, Any]) -> Wire:
        """Return a type with the lengths of its CHARs and VARCHARs, where the metadata describe it."""
        text = metadata.get(attributes.DECLARED)
        if not isinstance(text, str):
            return wire
        kind = with_lengths(of_wire(wire), text)
        return wire if kind is None else to_wire(kind)

    def name_faults(self, fields: list[Field], path: str) -> None:
        """Note the names that stand twice in one struct: by name, only one of the fields would be found."""
        seen: set[str] = set()
        for field in fields:
            if field.name in seen:
                at = f"{path}.{field.name}" if path else field.name
                self.fault(at, "two fields of one struct have this name.", "fields.duplicate-name-in-row")
            seen.add(field.name)

    # ------------------------------------------------------------ types

    def wire(self, kind: Any, nullable: bool, place: _Place) -> Wire:
        """Return a type as a schema file spells it."""
        if place.depth > MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} levels."
            raise FormatError(message, code="type.too-deep", path=place.path[:200], fix="Flatten the schema.")
        if isinstance(kind, str):
            return self.leaf(kind, nullable, place)
        if not isinstance(kind, dict) or not isinstance(kind.get("type"), str):
            self.fault(place.path, f"{shown(kind)} is no type.")
            return "BOOLEAN"
        if kind["type"] == "struct":
            return self.struct(kind, nullable, place)
        if kind["type"] == "array":
            element = self.wire(kind.get("elementType"), self.flag(kind, "containsNull", place.path), place.part("element"))
            return ArrayType(element) if nullable else ArrayTypeNotNull(element)
        if kind["type"] == "map":
            key = self.wire(kind.get("keyType"), False, place.part("key"))
            value = self.wire(kind.get("valueType"), self.flag(kind, "valueContainsNull", place.path), place.part("value"))
            return MapType(key, value) if nullable else MapTypeNotNull(key, value)
        return self.atom(lambda: leaf_types.opaque_object(kind), nullable, place)

    def struct(self, kind: Mapping[str, Any], nullable: bool, place: _Place) -> Wire:
        members = kind.get("fields")
        if not isinstance(members, list):
            self.fault(place.path, f"the fields of a struct are {shown(members)}.")
            return "BOOLEAN"
        inner = self.fields(members, place)
        return RowType(inner) if nullable else RowTypeNotNull(inner)

    def leaf(self, text: str, nullable: bool, place: _Place) -> Wire:
        collation = place.collations.get(place.column)
        if collation is None:
            return self.atom(lambda: leaf_types.our_type(text), nullable, place)
        return self.atom(lambda: leaf_types.collated(leaf_types.our_type(text), collation), nullable, place)

    def atom(self, read: _ReadAtom, nullable: bool, place: _Place) -> Wire:
        try:
            return to_wire(read().with_nullable(nullable))
        except SchemaError as error:
            for fault in error.faults:
                self.faults.add(fault.code, place.path, fault.message, fault.fix)
            return "BOOLEAN"


def _text(metadata: Mapping[str, Any], key: str) -> str | None:
    value = metadata.get(key)
    return value if isinstance(value, str) else None

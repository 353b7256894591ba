"""The tables of a schema inside a block, read as fields and types, with all faults at once."""

import json
import struct
from collections.abc import Callable, Iterator
from typing import Final, NoReturn, TypeAlias

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.odf.flatbuffer.layout import (
    DATA_FIELD,
    DATA_SCHEMA,
    EMPTY,
    EXTRA_ATTRIBUTES,
    KINDS,
    MAX_DEPTH,
    SCHEMA_DEPTH,
    TYPES,
)
from airflow_provider_schemas.formats.odf.flatbuffer.reader import Buffer, broken
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, UNITS, Kind, Parameter, ParameterForm, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import below
from airflow_provider_schemas.formats.odf.model.types import PARAMETRIC, PLAIN, DataField, DataType

_ParameterValue: TypeAlias = DataType | tuple[DataField, ...] | TimeUnit | bool | int | str | None

_NEWER: Final = "Read it with a newer release of this library, if there is one; otherwise ask whoever wrote it."
_WRITER: Final = "Ask whoever wrote the block: ODF has no schema without it."
_UNITS_BY_NUMBER: Final = {number: unit for unit, number in UNITS.items()}


def read_schema(buffer: Buffer, at: int) -> DataSchema:
    """Read the schema in the table at a place."""
    return _SchemaReader(buffer).schema(at)


class _SchemaReader:
    """Reads the tables at places of a buffer."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.attributes_by_place: dict[int, Attributes] = {}

    def schema(self, at: int) -> DataSchema:
        fields_slot, extra_slot = self.buffer.slots(at, DATA_SCHEMA)
        if not fields_slot:
            raise _absent("fields", "the schema has no list of fields")
        fields = self.fields(at + fields_slot, SCHEMA_DEPTH)
        if not extra_slot:
            return DataSchema(fields)
        return DataSchema(fields, self.attributes(at + extra_slot))

    def fields(self, at: int, depth: int) -> tuple[DataField, ...]:
        faults: list[Fault] = []
        fields = []
        for number, place in enumerate(self.buffer.tables_at(at)):
            try:
                fields.append(self.field(self.buffer.follow(place), depth + 1))
            except FormatError as error:
                faults.extend(fault.at(f"fields[{number}]") for fault in error.faults)
                if len(faults) >= MAX_FAULTS or self.buffer.exhausted:
                    break
        if faults:
            raise FormatError.of(faults)
        return tuple(fields)

    def field(self, at: int, depth: int) -> DataField:
        name_slot, tag_slot, type_slot, extra_slot = self.buffer.slots(at, DATA_FIELD)
        if not name_slot:
            raise _absent("name", "the field has no name")
        name = self.text("name", at + name_slot)
        kind = self.type("type", at, tag_slot, type_slot, depth)
        if not extra_slot:
            return DataField(name, kind)
        return DataField(name, kind, self.attributes(at + extra_slot))

    def text(self, key: str, at: int) -> str:
        try:
            return self.buffer.text_at(at)
        except FormatError as error:
            raise below(key, error) from None

    def attributes(self, at: int) -> Attributes:
        """Read the attributes; a text to which several fields point is read once."""
        try:
            place = self.buffer.follow(at)
            if place not in self.attributes_by_place:
                (entries,) = self.buffer.slots(place, EXTRA_ATTRIBUTES)
                if not entries:
                    raise _absent("", "the attributes have no entries")
                self.attributes_by_place[place] = _attributes(self.buffer.text_at(place + entries))
        except FormatError as error:
            raise below("extra", error) from None
        return self.attributes_by_place[place]

    # ------------------------------------------------------------ types

    def type(self, key: str, at: int, tag_slot: int, type_slot: int, depth: int) -> DataType:
        """Read the type in two slots of the table at a place."""
        number = self.buffer.data[at + tag_slot] if tag_slot else 0
        if not number or not type_slot:
            raise _absent(key, "there is no type")
        if number not in KINDS:
            raise FormatError(f"{number} is the tag of no type.", code="odf.unknown-kind", path=key, fix=_NEWER)
        if depth >= MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} tables."
            raise FormatError(message, code="odf.too-deep", path=key, fix="Flatten them: no implementation of ODF reads them.")
        try:
            return self.type_of_kind(KINDS[number], self.buffer.follow(at + type_slot), depth + 1)
        except FormatError as error:
            raise below(key, error) from None

    def type_of_kind(self, kind: Kind, at: int, depth: int) -> DataType:
        """Read the parameters of a kind in the table at a place, and return the type."""
        if kind in PLAIN:
            self.buffer.slots(at, EMPTY)
            return PLAIN[kind]
        slots = iter(self.buffer.slots(at, TYPES[kind]))
        return PARAMETRIC[kind](*[self.parameter(parameter, at, slots, depth) for parameter in PARAMETERS[kind]])

    def parameter(self, parameter: Parameter, at: int, slots: Iterator[int], depth: int) -> _ParameterValue:
        """Read the value of a parameter in the next slot; a type takes two."""
        slot = next(slots)
        form = parameter.form
        if form is ParameterForm.TYPE:
            return self.type(parameter.key, at, slot, next(slots), depth)
        if form is ParameterForm.FIELDS:
            if not slot:
                raise _absent(parameter.key, "the struct has no list of fields")
            return self.fields(at + slot, depth)
        if not slot:
            return 0 if parameter.required else None
        if form is ParameterForm.TEXT:
            return self.text(parameter.key, at + slot)
        return _SCALARS[form](self.buffer.data, at + slot)


def _unit(data: bytes, at: int) -> TimeUnit:
    (number,) = struct.unpack_from("<h", data, at)
    if number not in _UNITS_BY_NUMBER:
        raise FormatError(f"{number} is no unit of time.", code="odf.unknown-unit", path="unit", fix=_NEWER)
    return _UNITS_BY_NUMBER[number]


def _number(code: str) -> Callable[[bytes, int], int]:
    unpack = struct.Struct(f"<{code}").unpack_from
    return lambda data, at: int(unpack(data, at)[0])


_SCALARS: Final[dict[ParameterForm, Callable[[bytes, int], TimeUnit | bool | int]]] = {
    ParameterForm.U64: _number("Q"),
    ParameterForm.U32: _number("I"),
    ParameterForm.I32: _number("i"),
    ParameterForm.BOOL: lambda data, at: data[at] != 0,
    ParameterForm.UNIT: _unit,
}


def _attributes(text: str) -> Attributes:
    try:
        values = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise broken(f"the attributes {shown(text)} are no JSON", "odf.attribute") from None
    if not isinstance(values, dict):
        raise broken(f"the attributes {shown(text)} are no map", "odf.attribute")
    return Attributes(values)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _absent(key: str, message: str) -> FormatError:
    return FormatError(f"{message}.", code="odf.missing-key", path=key, fix=_WRITER)

"""The tables of a schema inside a block, read as fields and types; what is wrong with them is all told at once."""

import json
import struct
from collections.abc import Callable
from typing import Any, Final

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
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, UNITS, Form, Kind, Parameter, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PARAMETRIC, PLAIN, DataField, DataType

_NEWER: Final = "Read it with a newer release of this library, if there is one; otherwise ask whoever wrote it."
_WRITER: Final = "Ask whoever wrote the block: ODF has no schema without it."
_BY_NUMBER: Final = {number: unit for unit, number in UNITS.items()}


def read_schema(buffer: Buffer, at: int) -> DataSchema:
    """The schema whose table is here."""
    return _Reader(buffer).schema(at)


class _Reader:
    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.known: dict[int, Attributes] = {}

    def schema(self, at: int) -> DataSchema:
        fields, extra = self.buffer.slots(at, DATA_SCHEMA)
        if not fields:
            raise _absent("fields", "the schema has no list of fields")
        found = self.fields(at + fields, SCHEMA_DEPTH)
        return DataSchema(found, self.attributes(at + extra) if extra else None)

    def fields(self, at: int, depth: int) -> tuple[DataField, ...]:
        faults: list[Fault] = []
        found = []
        for number, place in enumerate(self.buffer.tables_at(at)):
            try:
                found.append(self.field(self.buffer.follow(place), depth + 1))
            except FormatError as error:
                faults.extend(one.at(f"fields[{number}]") for one in error.faults)
                if len(faults) >= MAX_FAULTS or self.buffer.exhausted:
                    break
        if faults:
            raise FormatError.of(faults)
        return tuple(found)

    def field(self, at: int, depth: int) -> DataField:
        name, tag, kind, extra = self.buffer.slots(at, DATA_FIELD)
        if not name:
            raise _absent("name", "the field has no name")
        text = self.text("name", at + name)
        return DataField(text, self.type("type", at, tag, kind, depth), self.attributes(at + extra) if extra else None)

    def text(self, key: str, at: int) -> str:
        try:
            return self.buffer.text_at(at)
        except FormatError as error:
            raise _under(key, error) from None

    def attributes(self, at: int) -> Attributes:
        """The attributes; the same text is read once, however often it is pointed at."""
        try:
            place = self.buffer.follow(at)
            if place not in self.known:
                (entries,) = self.buffer.slots(place, EXTRA_ATTRIBUTES)
                if not entries:
                    raise _absent("", "the attributes have no entries")
                self.known[place] = _attributes(self.buffer.text_at(place + entries))
        except FormatError as error:
            raise _under("extra", error) from None
        return self.known[place]

    # ------------------------------------------------------------ types

    def type(self, key: str, at: int, tag: int, offset: int, depth: int) -> DataType:
        """The type in two slots of the table that is here."""
        number = self.buffer.data[at + tag] if tag else 0
        if not number or not offset:
            raise _absent(key, "there is no type")
        if number not in KINDS:
            raise FormatError(f"{number} is the tag of no type.", code="odf.unknown-kind", path=key, fix=_NEWER)
        if depth >= MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} tables."
            raise FormatError(message, code="odf.too-deep", path=key, fix="Flatten them: no implementation of ODF reads them.")
        try:
            return self.inside(KINDS[number], self.buffer.follow(at + offset), depth + 1)
        except FormatError as error:
            raise _under(key, error) from None

    def inside(self, kind: Kind, at: int, depth: int) -> DataType:
        """The type whose table is here."""
        if kind in PLAIN:
            self.buffer.slots(at, EMPTY)
            return PLAIN[kind]
        slots = iter(self.buffer.slots(at, TYPES[kind]))
        return PARAMETRIC[kind](*[self.parameter(one, at, next(slots), slots, depth) for one in PARAMETERS[kind]])

    def parameter(self, one: Parameter, at: int, slot: int, rest: Any, depth: int) -> Any:
        if one.form is Form.TYPE:
            return self.type(one.key, at, slot, next(rest), depth)
        if one.form is Form.FIELDS and not slot:
            raise _absent(one.key, "the struct has no list of fields")
        if one.form is Form.FIELDS:
            return self.fields(at + slot, depth)
        if one.form is Form.TEXT:
            return self.text(one.key, at + slot) if slot else None
        if not slot:
            return 0 if one.required else None
        return _SCALARS[one.form](self.buffer.data, at + slot)


def _unit(data: bytes, at: int) -> TimeUnit:
    (number,) = struct.unpack_from("<h", data, at)
    if number not in _BY_NUMBER:
        raise FormatError(f"{number} is no unit of time.", code="odf.unknown-unit", path="unit", fix=_NEWER)
    return _BY_NUMBER[number]


def _number(code: str) -> Callable[[bytes, int], int]:
    unpack = struct.Struct(f"<{code}").unpack_from
    return lambda data, at: int(unpack(data, at)[0])


_SCALARS: Final[dict[Form, Callable[[bytes, int], Any]]] = {
    Form.U64: _number("Q"),
    Form.U32: _number("I"),
    Form.I32: _number("i"),
    Form.BOOL: lambda data, at: data[at] != 0,
    Form.UNIT: _unit,
}


def _attributes(text: str) -> Attributes:
    try:
        values = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise broken(f"the attributes {shown(text)} are no JSON", "odf.attribute") from None
    if not isinstance(values, dict):
        raise broken(f"the attributes {shown(text)} are no map", "odf.attribute")
    return Attributes(values)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _under(key: str, error: FormatError) -> FormatError:
    return FormatError.of(one.at(key) for one in error.faults)


def _absent(key: str, message: str) -> FormatError:
    return FormatError(f"{message}.", code="odf.missing-key", path=key, fix=_WRITER)

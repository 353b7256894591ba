"""Plain values of a document, read as schemas, fields and types of ODF: strictly, and with every fault at once.

A type may be the name of a kind alone; kinds and units have three spellings; null for an optional parameter
equals leaving it out. All else is exact: keys are closed, and a text is not taken for a number. Names may repeat.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Loss, check_count
from airflow_provider_schemas.formats.odf.model.attribute_keys import odd_keys
from airflow_provider_schemas.formats.odf.model.attributes import Attributes, PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import (
    PARAMETERS,
    SPELLED_KINDS,
    SPELLED_UNITS,
    Kind,
    Parameter,
    ParameterForm,
    TimeUnit,
)
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import DocumentFaults, is_map, joined, members, number, unknown_key, word
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH, PARAMETRIC, PLAIN, DataField, DataType

_ParameterValue: TypeAlias = DataType | tuple[DataField, ...] | TimeUnit | bool | int | str | None

_FIELD_KEYS: Final = ("name", "type", "extra")
_KEYS: Final = {kind: ("kind", *(parameter.key for parameter in PARAMETERS.get(kind, ()))) for kind in Kind}
_SIMPLE: Final = {text: PLAIN[kind] for text, kind in SPELLED_KINDS.items() if kind in PLAIN}
_QUOTE: Final = "Write the name of a kind, or a map with a kind; 'Null' is the kind only in quotes."


def schema_of(value: PlainValue, path: str = "") -> DataSchema:
    """Return the schema in a map, or raise a FormatError with every fault of it."""
    reader = DocumentReader()
    schema = reader.schema(value, path)
    reader.faults.settle()
    assert schema is not None  # noqa: S101  # without a fault there is a schema
    return schema


def type_of(value: PlainValue, path: str = "") -> DataType:
    """Return the type in a map or in the name of a kind, or raise a FormatError with every fault of it."""
    reader = DocumentReader()
    kind = reader.data_type(value, path, 1)
    reader.faults.settle()
    assert kind is not None  # noqa: S101  # without a fault there is a type
    return kind


class DocumentReader:
    """Reads plain values, and gathers the faults. A method that returns None for a value has added a fault."""

    def __init__(self, *, infinite: bool = True) -> None:
        self.faults = DocumentFaults()
        self.warnings: list[Loss] = []
        self.count = 0
        self.infinite = infinite
        """Whether infinity and NaN become null in attributes, as they do in YAML, or are refused."""

    def schema(self, value: PlainValue, path: str) -> DataSchema | None:
        """Read the schema in a map."""
        entries = members(value, path, ("fields", "extra"), ("fields",), self.faults)
        extra = self.attributes(entries.get("extra"), joined(path, "extra"))
        if "fields" not in entries:
            return None
        fields = self.fields(entries["fields"], joined(path, "fields"), 1)
        if fields is None:
            return None
        return DataSchema(fields, extra)

    def fields(self, value: PlainValue, path: str, level: int) -> tuple[DataField, ...] | None:
        """Read the fields in a list, with types at this level of nesting."""
        if not isinstance(value, list | tuple):
            self.faults.wrong(value, path, "a list of fields")
            return None
        self.count += len(value)
        check_count(self.count)
        read = [self.field(entry, f"{path}[{place}]", level) for place, entry in enumerate(value)]
        fields = tuple(field for field in read if field is not None)
        if len(fields) < len(read):
            return None
        return fields

    def field(self, value: PlainValue, path: str, level: int) -> DataField | None:
        """Read the field in a map."""
        entries = members(value, path, _FIELD_KEYS, ("name", "type"), self.faults)
        name = entries.get("name")
        if "name" in entries and not isinstance(name, str):
            self.faults.wrong(name, f"{path}.name", "text", "Put it in quotes.")
        kind = None
        if "type" in entries:
            kind = self.data_type(entries["type"], f"{path}.type", level)
        extra = None
        if "extra" in entries:
            extra = self.attributes(entries["extra"], f"{path}.extra")
        if kind is None or not isinstance(name, str):
            return None
        return DataField(name, kind, extra)

    # ------------------------------------------------------------ types

    def data_type(self, value: PlainValue, path: str, level: int) -> DataType | None:
        """Read the type in a map or a name."""
        if level > MAX_DEPTH:
            self.faults.add("odf.too-deep", path, f"a type is nested deeper than {MAX_DEPTH} levels.", "Flatten it.")
            return None
        if isinstance(value, str):
            return _SIMPLE.get(value) or self.type_of_kind(self.kind(value, path), {}, path, level)
        if not is_map(value):
            self.faults.wrong(value, path, "a type", _QUOTE)
            return None
        if "kind" not in value:
            self.faults.add("odf.missing-key", joined(path, "kind"), "the key kind is missing.", "Add kind, with the name of a kind.")
            return None
        tag = value["kind"]
        if len(value) == 1 and isinstance(tag, str) and tag in _SIMPLE:
            return _SIMPLE[tag]
        return self.type_of_kind(self.kind(tag, joined(path, "kind")), value, path, level)

    def kind(self, value: PlainValue, path: str) -> Kind | None:
        """Read the kind in a name."""
        if isinstance(value, str):
            return SPELLED_KINDS.get(value) or word(value, path, SPELLED_KINDS, "a kind", self.faults, code="odf.unknown-kind")
        self.faults.wrong(value, path, "the name of a kind", _QUOTE)
        return None

    def type_of_kind(self, kind: Kind | None, value: Mapping[str, Any], path: str, level: int) -> DataType | None:
        """Read the parameters of a kind, and return the type."""
        if kind is None:
            return None
        known = _KEYS[kind]
        for key in value:
            if key not in known:
                unknown_key(key, path, known[1:], self.faults)
        if kind in PLAIN:
            return PLAIN[kind]
        before = len(self.faults)
        values = {parameter.name: self.parameter(parameter, value, joined(path, parameter.key), level) for parameter in PARAMETERS[kind]}
        if len(self.faults) > before:
            return None
        return PARAMETRIC[kind](**values)

    def parameter(self, parameter: Parameter, entries: Mapping[str, Any], path: str, level: int) -> _ParameterValue:
        """Read the value of a parameter; None if it is absent, too."""
        key = parameter.key
        if key not in entries:
            if parameter.required:
                self.faults.add("odf.missing-key", path, f"the key {key} is missing.", f"Add {key}: {_WANTED[parameter.form]}.")
            return None
        value = entries[key]
        if value is None and not parameter.required:
            return None
        return _PARAMETER_READERS[parameter.form](self, value, path, level + 1)

    def unit(self, value: PlainValue, path: str, _: int) -> TimeUnit | None:
        """Read a unit of time."""
        return word(value, path, SPELLED_UNITS, "a unit of time", self.faults, code="odf.unknown-unit")

    def boolean(self, value: PlainValue, path: str, _: int) -> bool | None:
        """Read true or false."""
        if isinstance(value, bool):
            return value
        self.faults.wrong(value, path, "true or false")
        return None

    def text(self, value: PlainValue, path: str, _: int) -> str | None:
        """Read a text."""
        if isinstance(value, str):
            return value
        self.faults.wrong(value, path, "text", "Put it in quotes.")
        return None

    # ------------------------------------------------------------ attributes

    def attributes(self, value: PlainValue, path: str) -> Attributes | None:
        """Read the attributes in a map; None if they are absent, too."""
        if value is None:
            return None
        if not is_map(value):
            self.faults.wrong(value, path, "a map of attributes")
            return None
        self.warnings += odd_keys(value, path)
        try:
            return Attributes(value)
        except FormatError:
            return self.attributes_one_by_one(value, path)

    def attributes_one_by_one(self, values: Mapping[str, Any], path: str) -> Attributes:
        """Read each attribute by itself, so that each fault is noted at its key; infinity and NaN become null, as in JSON."""
        sound: dict[str, Any] = {}
        for key, value in values.items():
            finite = _without_infinity(value, 0) if self.infinite else value
            try:
                sound |= Attributes({key: finite})
            except FormatError as error:
                for fault in error.faults:
                    self.faults.add(fault.code, joined(path, fault.path or str(key)), fault.message, fault.fix)
        return Attributes(sound)


_WANTED: Final = {
    **dict.fromkeys((ParameterForm.U64, ParameterForm.U32, ParameterForm.I32), "a whole number"),
    ParameterForm.BOOL: "true or false",
    ParameterForm.UNIT: "a unit of time",
    ParameterForm.TEXT: "text",
    ParameterForm.TYPE: "a type",
    ParameterForm.FIELDS: "a list of fields",
}
_PARAMETER_READERS: Final[dict[ParameterForm, Callable[[DocumentReader, PlainValue, str, int], _ParameterValue]]] = {
    ParameterForm.U64: lambda reader, value, path, _: number(value, path, ParameterForm.U64, reader.faults),
    ParameterForm.U32: lambda reader, value, path, _: number(value, path, ParameterForm.U32, reader.faults),
    ParameterForm.I32: lambda reader, value, path, _: number(value, path, ParameterForm.I32, reader.faults),
    ParameterForm.BOOL: DocumentReader.boolean,
    ParameterForm.UNIT: DocumentReader.unit,
    ParameterForm.TEXT: DocumentReader.text,
    ParameterForm.TYPE: DocumentReader.data_type,
    ParameterForm.FIELDS: DocumentReader.fields,
}
# Attributes refuses deeper values by itself.
_DEPTH_LIMIT: Final = 400


def _without_infinity(value: PlainValue, depth: int) -> PlainValue:
    """Return the value with null in the place of infinity and NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if depth > _DEPTH_LIMIT:
        return value
    if isinstance(value, Mapping):
        return {key: _without_infinity(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_infinity(part, depth + 1) for part in value]
    return value

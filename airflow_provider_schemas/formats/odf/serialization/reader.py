"""Plain values, as a document holds them, to schemas, fields and types of ODF: strictly, and with every fault at once.

A type may be the name of a kind alone; kinds and units have three spellings; null for a parameter that may be
left out equals leaving it out. All else is exact: keys are closed, and a number is no text. Names may repeat.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Loss, check_count
from airflow_provider_schemas.formats.odf.model.attribute_keys import odd_keys
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, SPELLED_KINDS, SPELLED_UNITS, Form, Kind, Parameter
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import Faults, is_map, joined, members, number, unknown_key, word
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH, PARAMETRIC, PLAIN, DataField, DataType

_FIELD_KEYS: Final = ("name", "type", "extra")
_KEYS: Final = {kind: ("kind", *(one.key for one in PARAMETERS.get(kind, ()))) for kind in Kind}
_SIMPLE: Final = {text: PLAIN[kind] for text, kind in SPELLED_KINDS.items() if kind in PLAIN}
_QUOTE: Final = "Write the name of a kind, or a map with a kind; 'Null' is the kind only in quotes."


def schema_of(value: Any, path: str = "") -> DataSchema:
    """The schema that a map stands for, or a FormatError with all that is wrong with it."""
    reader = Reader()
    found = reader.schema(value, path)
    reader.faults.settle()
    assert found is not None  # noqa: S101  # without a fault there is a schema
    return found


def type_of(value: Any, path: str = "") -> DataType:
    """The type that a map or the name of a kind stands for, likewise."""
    reader = Reader()
    found = reader.data_type(value, path, 1)
    reader.faults.settle()
    assert found is not None  # noqa: S101  # without a fault there is a type
    return found


class Reader:
    """Reads, and gathers the faults. What cannot be read is None, with at least one fault more."""

    def __init__(self, *, infinite: bool = True) -> None:
        self.faults = Faults()
        self.warnings: list[Loss] = []
        self.count = 0
        self.infinite = infinite
        """Whether infinity and the like become null in attributes, as they do in YAML, or are refused."""

    def schema(self, value: Any, path: str) -> DataSchema | None:
        """The schema of a map."""
        found = members(value, path, ("fields", "extra"), ("fields",), self.faults)
        extra = self.attributes(found.get("extra"), joined(path, "extra"))
        fields = self.fields(found["fields"], joined(path, "fields"), 1) if "fields" in found else None
        return None if fields is None else DataSchema(fields, extra)

    def fields(self, value: Any, path: str, level: int) -> tuple[DataField, ...] | None:
        """The fields of a list; their types are this deep."""
        if not isinstance(value, list | tuple):
            self.faults.wrong(value, path, "a list of fields")
            return None
        self.count += len(value)
        check_count(self.count)
        found = [self.field(one, f"{path}[{place}]", level) for place, one in enumerate(value)]
        whole = tuple(one for one in found if one is not None)
        return whole if len(whole) == len(found) else None

    def field(self, value: Any, path: str, level: int) -> DataField | None:
        """The field of a map."""
        found = members(value, path, _FIELD_KEYS, ("name", "type"), self.faults)
        name = found.get("name")
        if "name" in found and not isinstance(name, str):
            self.faults.wrong(name, f"{path}.name", "text", "Put it in quotes.")
        kind = self.data_type(found["type"], f"{path}.type", level) if "type" in found else None
        extra = found.get("extra")
        extra = None if extra is None else self.attributes(extra, f"{path}.extra")
        return DataField(name, kind, extra) if isinstance(name, str) and kind is not None else None

    # ------------------------------------------------------------ types

    def data_type(self, value: Any, path: str, level: int) -> DataType | None:
        """The type of a map or a name."""
        if level > MAX_DEPTH:
            self.faults.add("odf.too-deep", path, f"a type is nested deeper than {MAX_DEPTH} levels.", "Flatten it.")
            return None
        if isinstance(value, str):
            return _SIMPLE.get(value) or self.of_kind(self.kind(value, path), {}, path, level)
        if not is_map(value):
            self.faults.wrong(value, path, "a type", _QUOTE)
            return None
        if "kind" not in value:
            self.faults.add("odf.missing-key", joined(path, "kind"), "the key kind is missing.", "Add kind, with the name of a kind.")
            return None
        tag = value["kind"]
        if len(value) == 1 and isinstance(tag, str) and tag in _SIMPLE:
            return _SIMPLE[tag]
        return self.of_kind(self.kind(tag, joined(path, "kind")), value, path, level)

    def kind(self, value: Any, path: str) -> Kind | None:
        """The kind of a name."""
        if isinstance(value, str):
            return SPELLED_KINDS.get(value) or word(value, path, SPELLED_KINDS, "a kind", self.faults, code="odf.unknown-kind")
        self.faults.wrong(value, path, "the name of a kind", _QUOTE)
        return None

    def of_kind(self, kind: Kind | None, value: Mapping[str, Any], path: str, level: int) -> DataType | None:
        """The type of a kind, with its parameters."""
        if kind is None:
            return None
        known = _KEYS[kind]
        for key in value:
            if key not in known:
                unknown_key(key, path, known[1:], self.faults)
        if kind in PLAIN:
            return PLAIN[kind]
        before = len(self.faults)
        found = {one.name: self.parameter(one, value, joined(path, one.key), level) for one in PARAMETERS[kind]}
        return PARAMETRIC[kind](**found) if len(self.faults) == before else None

    def parameter(self, one: Parameter, value: Mapping[str, Any], path: str, level: int) -> Any:
        """The value of a parameter; None if it is absent, too."""
        if one.key not in value:
            if one.required:
                self.faults.add("odf.missing-key", path, f"the key {one.key} is missing.", f"Add {one.key}: {_WANTED[one.form]}.")
            return None
        given = value[one.key]
        return None if given is None and not one.required else _FORMS[one.form](self, given, path, level + 1)

    def number(self, value: Any, path: str, form: Form) -> int | None:
        """A whole number."""
        return number(value, path, form, self.faults)

    def unit(self, value: Any, path: str, _: int) -> Any:
        """A unit of time."""
        return word(value, path, SPELLED_UNITS, "a unit of time", self.faults, code="odf.unknown-unit")

    def exactly(self, value: Any, path: str, kind: type, wanted: str) -> Any:
        """A value of this Python type."""
        if isinstance(value, kind):
            return value
        self.faults.wrong(value, path, wanted, "Put it in quotes." if kind is str else "")
        return None

    # ------------------------------------------------------------ attributes

    def attributes(self, value: Any, path: str) -> Attributes | None:
        """The attributes of a map; None if they are absent, too."""
        if value is None:
            return None
        if not is_map(value):
            self.faults.wrong(value, path, "a map of attributes")
            return None
        self.warnings += odd_keys(value, path)
        try:
            return Attributes(value)
        except FormatError:
            return self.mended(value, path)

    def mended(self, value: Mapping[str, Any], path: str) -> Attributes | None:
        """The attributes with null for what is no number, which is what JSON makes of it; each fault at its key."""
        found: dict[str, Any] = {}
        for key, one in value.items():
            try:
                found |= Attributes({key: _finite(one, 0) if self.infinite else one})
            except FormatError as error:
                for fault in error.faults:
                    self.faults.add(fault.code, joined(path, fault.path or str(key)), fault.message, fault.fix)
        return Attributes(found)


_WANTED: Final = {
    **dict.fromkeys((Form.U64, Form.U32, Form.I32), "a whole number"),
    Form.BOOL: "true or false",
    Form.UNIT: "a unit of time",
    Form.TEXT: "text",
    Form.TYPE: "a type",
    Form.FIELDS: "a list of fields",
}
_FORMS: Final[dict[Form, Callable[[Reader, Any, str, int], Any]]] = {
    Form.U64: lambda reader, value, path, _: reader.number(value, path, Form.U64),
    Form.U32: lambda reader, value, path, _: reader.number(value, path, Form.U32),
    Form.I32: lambda reader, value, path, _: reader.number(value, path, Form.I32),
    Form.BOOL: lambda reader, value, path, _: reader.exactly(value, path, bool, "true or false"),
    Form.UNIT: Reader.unit,
    Form.TEXT: lambda reader, value, path, _: reader.exactly(value, path, str, "text"),
    Form.TYPE: Reader.data_type,
    Form.FIELDS: Reader.fields,
}
# Deeper ones are refused by Attributes itself.
_DEEP: Final = 400


def _finite(value: Any, depth: int) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if depth > _DEEP:
        return value
    if isinstance(value, Mapping):
        return {key: _finite(one, depth + 1) for key, one in value.items()}
    return [_finite(one, depth + 1) for one in value] if isinstance(value, list | tuple) else value

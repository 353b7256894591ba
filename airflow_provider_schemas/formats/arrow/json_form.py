"""Arrow's schemas in the JSON that Arrow's own project defines for exchange between its implementations, both ways.

It has a line a column. The form of each type is a row of a table: fixed members, and members that hold a parameter.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow.model import LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType, joined
from airflow_provider_schemas.formats.base import Faults, JsonValue, check_count, json_member

_UNITS: Final = {"s": "SECOND", "ms": "MILLISECOND", "us": "MICROSECOND", "ns": "NANOSECOND"}
_INTERVALS: Final = {"YearMonth": "YEAR_MONTH", "DayTime": "DAY_TIME", "MonthDayNano": "MONTH_DAY_NANO"}


class _JsonForm(NamedTuple):
    """The JSON of a kind: the members that are fixed, and the members that hold parameters, by our names."""

    fixed: Mapping[str, Any]
    parameters: Mapping[str, str] = {}
    units: Mapping[str, str] = _UNITS


def _integer(bits: int, signed: bool) -> _JsonForm:
    return _JsonForm({"name": "int", "bitWidth": bits, "isSigned": signed})


def _decimal(bits: int) -> _JsonForm:
    return _JsonForm({"name": "decimal", "bitWidth": bits}, {"precision": "precision", "scale": "scale"})


_UNIT: Final = {"unit": "unit"}
_KINDS: Final[dict[ArrowKind, _JsonForm]] = {
    ArrowKind.NULL: _JsonForm({"name": "null"}),
    ArrowKind.BOOL: _JsonForm({"name": "bool"}),
    ArrowKind.INT8: _integer(8, True),
    ArrowKind.INT16: _integer(16, True),
    ArrowKind.INT32: _integer(32, True),
    ArrowKind.INT64: _integer(64, True),
    ArrowKind.UINT8: _integer(8, False),
    ArrowKind.UINT16: _integer(16, False),
    ArrowKind.UINT32: _integer(32, False),
    ArrowKind.UINT64: _integer(64, False),
    ArrowKind.FLOAT16: _JsonForm({"name": "floatingpoint", "precision": "HALF"}),
    ArrowKind.FLOAT32: _JsonForm({"name": "floatingpoint", "precision": "SINGLE"}),
    ArrowKind.FLOAT64: _JsonForm({"name": "floatingpoint", "precision": "DOUBLE"}),
    ArrowKind.DECIMAL32: _decimal(32),
    ArrowKind.DECIMAL64: _decimal(64),
    ArrowKind.DECIMAL128: _decimal(128),
    ArrowKind.DECIMAL256: _decimal(256),
    ArrowKind.DATE32: _JsonForm({"name": "date", "unit": "DAY"}),
    ArrowKind.DATE64: _JsonForm({"name": "date", "unit": "MILLISECOND"}),
    ArrowKind.TIME32: _JsonForm({"name": "time", "bitWidth": 32}, _UNIT),
    ArrowKind.TIME64: _JsonForm({"name": "time", "bitWidth": 64}, _UNIT),
    ArrowKind.TIMESTAMP: _JsonForm({"name": "timestamp"}, {"unit": "unit", "timezone": "timezone"}),
    ArrowKind.DURATION: _JsonForm({"name": "duration"}, _UNIT),
    ArrowKind.INTERVAL: _JsonForm({"name": "interval"}, _UNIT, _INTERVALS),
    ArrowKind.BINARY: _JsonForm({"name": "binary"}),
    ArrowKind.LARGE_BINARY: _JsonForm({"name": "largebinary"}),
    ArrowKind.BINARY_VIEW: _JsonForm({"name": "binaryview"}),
    ArrowKind.FIXED_SIZE_BINARY: _JsonForm({"name": "fixedsizebinary"}, {"length": "byteWidth"}),
    ArrowKind.UTF8: _JsonForm({"name": "utf8"}),
    ArrowKind.LARGE_UTF8: _JsonForm({"name": "largeutf8"}),
    ArrowKind.UTF8_VIEW: _JsonForm({"name": "utf8view"}),
    ArrowKind.LIST: _JsonForm({"name": "list"}),
    ArrowKind.LARGE_LIST: _JsonForm({"name": "largelist"}),
    ArrowKind.LIST_VIEW: _JsonForm({"name": "listview"}),
    ArrowKind.LARGE_LIST_VIEW: _JsonForm({"name": "largelistview"}),
    ArrowKind.FIXED_SIZE_LIST: _JsonForm({"name": "fixedsizelist"}, {"length": "listSize"}),
    ArrowKind.STRUCT: _JsonForm({"name": "struct"}),
    ArrowKind.MAP: _JsonForm({"name": "map"}, {"keys_sorted": "keysSorted"}),
    ArrowKind.RUN_END_ENCODED: _JsonForm({"name": "runendencoded"}),
}
# How many children a kind has; a struct any number, the others none.
_CHILDREN: Final = {
    **dict.fromkeys(LISTS, 1),
    ArrowKind.MAP: 1,
    ArrowKind.RUN_END_ENCODED: 2,
}
# The type of a parameter, and the value of one that is left out; `...` where it is required.
_PARAMETERS: Final[Mapping[str, tuple[type, Any]]] = {
    "unit": (str, ...),
    "timezone": (str, None),
    "precision": (int, ...),
    "scale": (int, ...),
    "length": (int, ...),
    "keys_sorted": (bool, False),
}
_LARGEST: Final = 2**31
# Writers leave these out.
_DEFAULTS: Final = {"decimal": {"bitWidth": 128}}
_FIX: Final = "Write it as Arrow's JSON format does, or pass the bytes that schema.serialize() gives."

# ---------------------------------------------------------------- writing


def text_of_schema(schema: ArrowSchema) -> str:
    """Return the schema as JSON, a line a column."""
    lines = ",\n".join(f"  {_compact(_field_json(field))}" for field in schema.fields)
    fields = f"[\n{lines}\n]" if lines else "[]"
    metadata = ""
    if schema.metadata:
        metadata = f',\n"metadata": {_compact(_pairs_json(schema.metadata))}'
    return f'{{"fields": {fields}{metadata}}}\n'


def _compact(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _field_json(field: ArrowField) -> dict[str, Any]:
    value: dict[str, Any] = {"name": field.name, "nullable": field.nullable, "type": _type_json(field.type)}
    value["children"] = [_field_json(child) for child in field.type.children]
    if field.metadata:
        value["metadata"] = _pairs_json(field.metadata)
    return value


def _type_json(kind: ArrowType) -> dict[str, Any]:
    form = _KINDS[kind.kind]
    members = dict(form.fixed)
    for name, key in form.parameters.items():
        value = getattr(kind, name)
        if value is not None:
            members[key] = form.units[value] if key == "unit" else value
    return members


def _pairs_json(metadata: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in metadata]


# ---------------------------------------------------------------- reading

_KIND_BY_FIXED: Final = {frozenset(form.fixed.items()): kind for kind, form in _KINDS.items()}
_FIXED_KEYS: Final[dict[str, set[str]]] = {}
for _form in _KINDS.values():
    _FIXED_KEYS.setdefault(_form.fixed["name"], set()).update(_form.fixed)


def parse_schema(value: JsonValue) -> ArrowSchema:
    """Parse a JSON value, or raise a FormatError that names every fault."""
    whole = value.get("schema", value) if isinstance(value, dict) else value
    fields = json_member(whole, "fields")
    if not isinstance(whole, dict) or not isinstance(fields, list):
        raise FormatError("this has no list of fields.", code="json.missing-key", path="fields", fix=_FIX)
    parser = _Parser()
    parsed = [parser.parse_field(field, f"fields[{place}]", "", 0) for place, field in enumerate(fields)]
    metadata = parser.parse_pairs(whole.get("metadata"), "metadata")
    parser.faults.settle()
    return ArrowSchema(tuple(field for field in parsed if field is not None), metadata)


class _Parser:
    """Parses fields and collects their faults."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.count = 0

    def fault(self, code: str, path: str, message: str, fix: str = _FIX) -> None:
        self.faults.add(code, path, message, fix)

    def parse_field(self, source: JsonValue, place: str, path: str, depth: int) -> ArrowField | None:
        name = json_member(source, "name")
        if not isinstance(source, dict) or not isinstance(name, str) or len(name) > MAX_NAME:
            self.fault("json.wrong-type", joined(path, place), f"{shown(source)} is no field.")
            return None
        here = joined(path, name)
        self.count += 1
        check_count(self.count)
        nullable = source.get("nullable", True)
        if not isinstance(nullable, bool):
            self.fault("json.wrong-type", here, f"'nullable' is {shown(nullable)}.", "Write true or false.")
            return None
        kind = self.parse_type(source, here, depth)
        if kind is None:
            return None
        return ArrowField(name, kind, nullable, self.parse_pairs(source.get("metadata"), here))

    def parse_type(self, source: Mapping[str, Any], path: str, depth: int) -> ArrowType | None:
        if depth > MAX_DEPTH:
            self.fault("type.too-deep", path, f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        kind = self.parse_kind(source.get("type"), path)
        children = source.get("children") or []
        if not isinstance(children, list):
            self.fault("json.wrong-type", path, f"the children are {shown(children)}.", "Write a list of fields.")
            return None
        parsed = [self.parse_field(child, f"children[{place}]", path, depth + 1) for place, child in enumerate(children)]
        parts = tuple(child for child in parsed if child is not None)
        if kind is None or len(parts) < len(parsed):
            return None
        return self.with_children(kind, parts, path)

    def parse_kind(self, source: JsonValue, path: str) -> ArrowType | None:
        """Return the type without its children."""
        name = json_member(source, "name")
        fixed_keys = _FIXED_KEYS.get(name) if isinstance(name, str) else None
        if not isinstance(source, dict) or not isinstance(name, str) or fixed_keys is None:
            self.fault("arrow.unsupported", path, f"{shown(source)} is no type that we know.")
            return None
        members = {**_DEFAULTS.get(name, {}), **source}
        fixed = [(key, value) for key, value in members.items() if key in fixed_keys and isinstance(value, str | int)]
        kind = _KIND_BY_FIXED.get(frozenset(fixed))
        if kind is None:
            self.fault("arrow.unsupported", path, f"{shown(source)} is no type that we know.")
            return None
        return self.parse_parameters(kind, members, path)

    def parse_parameters(self, kind: ArrowKind, source: Mapping[str, Any], path: str) -> ArrowType | None:
        form = _KINDS[kind]
        units = {text: unit for unit, text in form.units.items()}
        values: dict[str, Any] = {}
        for name, key in form.parameters.items():
            expected, absent = _PARAMETERS[name]
            value = source.get(key, absent)
            if name == "unit" and isinstance(value, str):
                value = units.get(value, ...)
            if not _is_parameter(value, expected):
                self.fault("format.parameters", path, f"the {key} of {kind} is {shown(source.get(key))}.")
                return None
            values[name] = value
        return ArrowType(kind, **values)

    def with_children(self, kind: ArrowType, children: tuple[ArrowField, ...], path: str) -> ArrowType | None:
        """Return the type with its children, if these are as many as its kind has."""
        if not _fit(kind.kind, children):
            self.fault("format.parameters", path, f"a {kind.kind} has not {len(children)} such children.")
            return None
        if not children:
            return kind
        return replace(kind, children=children)

    def parse_pairs(self, source: JsonValue, path: str) -> tuple[tuple[str, str], ...]:
        """Return the metadata, which are a list of objects with a key and a value."""
        pairs = source or []
        if not isinstance(pairs, list):
            self.bad_pairs(source, path)
            return ()
        members = [(pair.get("key"), pair.get("value")) for pair in pairs if isinstance(pair, dict)]
        texts = tuple((key, value) for key, value in members if isinstance(key, str) and isinstance(value, str))
        if len(texts) < len(pairs):
            self.bad_pairs(source, path)
        return texts

    def bad_pairs(self, source: JsonValue, path: str) -> None:
        fix = "Write a list of objects with a key and a value."
        self.fault("json.wrong-type", joined(path, "metadata"), f"the metadata are {shown(source)}.", fix)


def _is_parameter(value: Any, expected: type) -> bool:
    if value is ...:
        return False
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool) and -_LARGEST <= value < _LARGEST
    return value is None or isinstance(value, expected)


def _fit(kind: ArrowKind, children: tuple[ArrowField, ...]) -> bool:
    """Return whether these are as many children as the kind has."""
    if kind is ArrowKind.STRUCT:
        return True
    if len(children) != _CHILDREN.get(kind, 0):
        return False
    if kind is not ArrowKind.MAP:
        return True
    entries = children[0].type
    return entries.kind is ArrowKind.STRUCT and len(entries.children) == 2

"""Arrow's schemas in the JSON that Arrow's own project defines for exchange between its implementations, both ways.

A line a column. What it says of a type is a row of a table here: fixed members, and those that carry a parameter.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow.model import ArrowField, ArrowKind, ArrowSchema, ArrowType, joined
from airflow_provider_schemas.formats.base import Faults, check_count

_UNITS: Final = {"s": "SECOND", "ms": "MILLISECOND", "us": "MICROSECOND", "ns": "NANOSECOND"}
_INTERVALS: Final = {"YearMonth": "YEAR_MONTH", "DayTime": "DAY_TIME", "MonthDayNano": "MONTH_DAY_NANO"}


class _Said(NamedTuple):
    """What the JSON of a kind says: members that never change, and the members with parameters by our names."""

    fixed: Mapping[str, Any]
    parameters: Mapping[str, str] = {}
    units: Mapping[str, str] = _UNITS


def _number(bits: int, signed: bool) -> _Said:
    return _Said({"name": "int", "bitWidth": bits, "isSigned": signed})


def _decimal(bits: int) -> _Said:
    return _Said({"name": "decimal", "bitWidth": bits}, {"precision": "precision", "scale": "scale"})


_UNIT: Final = {"unit": "unit"}
_KINDS: Final[dict[ArrowKind, _Said]] = {
    ArrowKind.NULL: _Said({"name": "null"}),
    ArrowKind.BOOL: _Said({"name": "bool"}),
    ArrowKind.INT8: _number(8, True),
    ArrowKind.INT16: _number(16, True),
    ArrowKind.INT32: _number(32, True),
    ArrowKind.INT64: _number(64, True),
    ArrowKind.UINT8: _number(8, False),
    ArrowKind.UINT16: _number(16, False),
    ArrowKind.UINT32: _number(32, False),
    ArrowKind.UINT64: _number(64, False),
    ArrowKind.FLOAT16: _Said({"name": "floatingpoint", "precision": "HALF"}),
    ArrowKind.FLOAT32: _Said({"name": "floatingpoint", "precision": "SINGLE"}),
    ArrowKind.FLOAT64: _Said({"name": "floatingpoint", "precision": "DOUBLE"}),
    ArrowKind.DECIMAL32: _decimal(32),
    ArrowKind.DECIMAL64: _decimal(64),
    ArrowKind.DECIMAL128: _decimal(128),
    ArrowKind.DECIMAL256: _decimal(256),
    ArrowKind.DATE32: _Said({"name": "date", "unit": "DAY"}),
    ArrowKind.DATE64: _Said({"name": "date", "unit": "MILLISECOND"}),
    ArrowKind.TIME32: _Said({"name": "time", "bitWidth": 32}, _UNIT),
    ArrowKind.TIME64: _Said({"name": "time", "bitWidth": 64}, _UNIT),
    ArrowKind.TIMESTAMP: _Said({"name": "timestamp"}, {"unit": "unit", "timezone": "timezone"}),
    ArrowKind.DURATION: _Said({"name": "duration"}, _UNIT),
    ArrowKind.INTERVAL: _Said({"name": "interval"}, _UNIT, _INTERVALS),
    ArrowKind.BINARY: _Said({"name": "binary"}),
    ArrowKind.LARGE_BINARY: _Said({"name": "largebinary"}),
    ArrowKind.BINARY_VIEW: _Said({"name": "binaryview"}),
    ArrowKind.FIXED_SIZE_BINARY: _Said({"name": "fixedsizebinary"}, {"length": "byteWidth"}),
    ArrowKind.UTF8: _Said({"name": "utf8"}),
    ArrowKind.LARGE_UTF8: _Said({"name": "largeutf8"}),
    ArrowKind.UTF8_VIEW: _Said({"name": "utf8view"}),
    ArrowKind.LIST: _Said({"name": "list"}),
    ArrowKind.LARGE_LIST: _Said({"name": "largelist"}),
    ArrowKind.LIST_VIEW: _Said({"name": "listview"}),
    ArrowKind.LARGE_LIST_VIEW: _Said({"name": "largelistview"}),
    ArrowKind.FIXED_SIZE_LIST: _Said({"name": "fixedsizelist"}, {"length": "listSize"}),
    ArrowKind.STRUCT: _Said({"name": "struct"}),
    ArrowKind.MAP: _Said({"name": "map"}, {"keys_sorted": "keysSorted"}),
    ArrowKind.RUN_END_ENCODED: _Said({"name": "runendencoded"}),
}
# How many children a kind has; a struct any number, the others none.
_CHILDREN: Final = {
    **dict.fromkeys((ArrowKind.LIST, ArrowKind.LARGE_LIST, ArrowKind.LIST_VIEW, ArrowKind.LARGE_LIST_VIEW, ArrowKind.FIXED_SIZE_LIST), 1),
    ArrowKind.MAP: 1,
    ArrowKind.RUN_END_ENCODED: 2,
}
# What a parameter holds, and what stands for one that is left out.
_FORMS: Final[Mapping[str, tuple[type, Any]]] = {
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
    """The schema as JSON, a line a column."""
    lines = ",\n".join(f"  {_compact(_field(one))}" for one in schema.fields)
    fields = f"[\n{lines}\n]" if lines else "[]"
    metadata = f',\n"metadata": {_compact(_pairs(schema.metadata))}' if schema.metadata else ""
    return f'{{"fields": {fields}{metadata}}}\n'


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _field(field: ArrowField) -> dict[str, Any]:
    found: dict[str, Any] = {"name": field.name, "nullable": field.nullable, "type": _type(field.type)}
    found["children"] = [_field(one) for one in field.type.children]
    return {**found, "metadata": _pairs(field.metadata)} if field.metadata else found


def _type(kind: ArrowType) -> dict[str, Any]:
    said = _KINDS[kind.kind]
    values = {key: getattr(kind, name) for name, key in said.parameters.items()}
    shown_values = {key: said.units[value] if key == "unit" else value for key, value in values.items() if value is not None}
    return {**said.fixed, **shown_values}


def _pairs(metadata: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in metadata]


# ---------------------------------------------------------------- reading

_KIND_OF: Final = {frozenset(said.fixed.items()): kind for kind, said in _KINDS.items()}
_FIXED: Final[dict[str, set[str]]] = {}
for _row in _KINDS.values():
    _FIXED.setdefault(_row.fixed["name"], set()).update(_row.fixed)


def schema_of(value: Any) -> ArrowSchema:
    """The schema that a JSON value stands for, or a FormatError that names every fault."""
    whole = value.get("schema", value) if isinstance(value, dict) else value
    reader = _Reader()
    fields = whole.get("fields") if isinstance(whole, dict) else None
    if not isinstance(fields, list):
        raise FormatError("this has no list of fields.", code="json.missing-key", path="fields", fix=_FIX)
    found = [reader.field(one, f"fields[{place}]", "", 0) for place, one in enumerate(fields)]
    metadata = reader.pairs(whole.get("metadata"), "metadata")
    reader.faults.settle()
    return ArrowSchema(tuple(one for one in found if one is not None), metadata)


class _Reader:
    """Reads fields and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.count = 0

    def fault(self, code: str, path: str, message: str, fix: str = _FIX) -> None:
        self.faults.add(code, path, message, fix)

    def field(self, source: Any, place: str, path: str, depth: int) -> ArrowField | None:
        name = source.get("name") if isinstance(source, dict) else None
        if not isinstance(name, str) or len(name) > MAX_NAME:
            self.fault("json.wrong-type", joined(path, place), f"{shown(source)} is no field.")
            return None
        here = joined(path, name)
        self.count += 1
        check_count(self.count)
        nullable = source.get("nullable", True)
        if not isinstance(nullable, bool):
            self.fault("json.wrong-type", here, f"'nullable' is {shown(nullable)}.", "Write true or false.")
            return None
        kind = self.type(source, here, depth)
        return None if kind is None else ArrowField(name, kind, nullable, self.pairs(source.get("metadata"), here))

    def type(self, source: Mapping[str, Any], path: str, depth: int) -> ArrowType | None:
        if depth > MAX_DEPTH:
            self.fault("type.too-deep", path, f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        kind = self.kind(source.get("type"), path)
        children = source.get("children") or []
        if not isinstance(children, list):
            self.fault("json.wrong-type", path, f"the children are {shown(children)}.", "Write a list of fields.")
            return None
        parts = [self.field(one, f"children[{place}]", path, depth + 1) for place, one in enumerate(children)]
        whole = tuple(one for one in parts if one is not None)
        if kind is None or len(whole) < len(parts):
            return None
        return self.sound(_with_children(kind, whole), path)

    def kind(self, source: Any, path: str) -> ArrowType | None:
        """The type without its children."""
        name = source.get("name") if isinstance(source, dict) else None
        name = name if isinstance(name, str) else ""
        known = _FIXED.get(name)
        if known is None:
            self.fault("arrow.unsupported", path, f"{shown(source)} is no type that we know.")
            return None
        said = {**_DEFAULTS.get(name, {}), **source}
        fixed = [(key, value) for key, value in said.items() if key in known and isinstance(value, str | int)]
        kind = _KIND_OF.get(frozenset(fixed))
        if kind is None:
            self.fault("arrow.unsupported", path, f"{shown(source)} is no type that we know.")
            return None
        return self.parameters(kind, said, path)

    def parameters(self, kind: ArrowKind, source: Mapping[str, Any], path: str) -> ArrowType | None:
        said, values = _KINDS[kind], dict[str, Any]()
        units = {text: unit for unit, text in said.units.items()}
        for name, key in said.parameters.items():
            form, absent = _FORMS[name]
            value = source.get(key, absent)
            value = units.get(value, ...) if name == "unit" and isinstance(value, str) else value
            wrong_number = form is int and (not isinstance(value, int) or isinstance(value, bool) or not -_LARGEST <= value < _LARGEST)
            if wrong_number or value is ... or (value is not None and not isinstance(value, form)):
                self.fault("format.parameters", path, f"the {key} of {kind} is {shown(source.get(key))}.")
                return None
            values[name] = value
        return ArrowType(kind, **values)

    def sound(self, kind: ArrowType, path: str) -> ArrowType | None:
        """The type, if it has as many children as its kind has."""
        count = _CHILDREN.get(kind.kind, 0)
        wrong = kind.kind is not ArrowKind.STRUCT and len(kind.children) != count
        if kind.kind is ArrowKind.MAP and not wrong:
            wrong = kind.children[0].type.kind is not ArrowKind.STRUCT or len(kind.children[0].type.children) != 2
        if wrong:
            self.fault("format.parameters", path, f"a {kind.kind} has not {len(kind.children)} such children.")
            return None
        return kind

    def pairs(self, source: Any, path: str) -> tuple[tuple[str, str], ...]:
        """The metadata, which are a list of objects with a key and a value."""
        found = source or []
        items = [(one.get("key"), one.get("value")) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        texts = tuple((key, value) for key, value in items if isinstance(key, str) and isinstance(value, str))
        if not isinstance(found, list) or len(texts) < len(found):
            fix = "Write a list of objects with a key and a value."
            self.fault("json.wrong-type", joined(path, "metadata"), f"the metadata are {shown(source)}.", fix)
        return texts


def _with_children(kind: ArrowType, children: tuple[ArrowField, ...]) -> ArrowType:
    return ArrowType(kind.kind, kind.unit, kind.timezone, kind.precision, kind.scale, kind.length, kind.keys_sorted, children)

"""Arrow's schemas as pyarrow holds them, both ways. The one module that imports pyarrow; imported only inside functions."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

import pyarrow as pa
import pyarrow.ipc

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.arrow.model import (
    DECIMALS,
    PLAIN,
    ArrowField,
    ArrowKind,
    ArrowSchema,
    ArrowType,
    joined,
    map_of,
)
from airflow_provider_schemas.formats.base import check_count

_ERRORS: Final = (pa.ArrowException, ValueError, TypeError, OverflowError, KeyError, NotImplementedError)
_FIX: Final = "Use a type that pyarrow can make, or leave the column out."

Made = TypeVar("Made")

# ---------------------------------------------------------------- types without parameters

LEAVES: Final[dict[ArrowKind, pa.DataType]] = {
    ArrowKind.NULL: pa.null(),
    ArrowKind.BOOL: pa.bool_(),
    ArrowKind.INT8: pa.int8(),
    ArrowKind.INT16: pa.int16(),
    ArrowKind.INT32: pa.int32(),
    ArrowKind.INT64: pa.int64(),
    ArrowKind.UINT8: pa.uint8(),
    ArrowKind.UINT16: pa.uint16(),
    ArrowKind.UINT32: pa.uint32(),
    ArrowKind.UINT64: pa.uint64(),
    ArrowKind.FLOAT16: pa.float16(),
    ArrowKind.FLOAT32: pa.float32(),
    ArrowKind.FLOAT64: pa.float64(),
    ArrowKind.DATE32: pa.date32(),
    ArrowKind.DATE64: pa.date64(),
    ArrowKind.BINARY: pa.binary(),
    ArrowKind.LARGE_BINARY: pa.large_binary(),
    ArrowKind.BINARY_VIEW: pa.binary_view(),
    ArrowKind.UTF8: pa.string(),
    ArrowKind.LARGE_UTF8: pa.large_string(),
    ArrowKind.UTF8_VIEW: pa.string_view(),
}
_LEAF_BY_ID: Final = {leaf.id: PLAIN[kind] for kind, leaf in LEAVES.items()}

# ---------------------------------------------------------------- to pyarrow

_LISTS: Final[dict[ArrowKind, Callable[[pa.Field], pa.DataType]]] = {
    ArrowKind.LIST: pa.list_,
    ArrowKind.LARGE_LIST: pa.large_list,
    ArrowKind.LIST_VIEW: pa.list_view,
    ArrowKind.LARGE_LIST_VIEW: pa.large_list_view,
}
# By name, because each came in a version of its own.
_DECIMALS: Final = {kind: str(kind) for kind in DECIMALS}


def _make_list(kind: ArrowType, children: list[pa.Field]) -> pa.DataType:
    return _LISTS[kind.kind](children[0])


def _make_decimal(kind: ArrowType, _children: list[pa.Field]) -> pa.DataType:
    return getattr(pa, _DECIMALS[kind.kind])(kind.precision, kind.scale)


def _make_map(kind: ArrowType, children: list[pa.Field]) -> pa.DataType:
    entries = children[0].type
    return pa.map_(entries.field(0), entries.field(1), keys_sorted=kind.keys_sorted)


_MAKERS: Final[dict[ArrowKind, Callable[[ArrowType, list[pa.Field]], pa.DataType]]] = {
    **dict.fromkeys(_LISTS, _make_list),
    **dict.fromkeys(_DECIMALS, _make_decimal),
    ArrowKind.TIME32: lambda kind, _: pa.time32(kind.unit),
    ArrowKind.TIME64: lambda kind, _: pa.time64(kind.unit),
    ArrowKind.TIMESTAMP: lambda kind, _: pa.timestamp(kind.unit, kind.timezone),
    ArrowKind.DURATION: lambda kind, _: pa.duration(kind.unit),
    ArrowKind.INTERVAL: lambda kind, _: pa.month_day_nano_interval(),
    ArrowKind.FIXED_SIZE_BINARY: lambda kind, _: pa.binary(kind.length),
    ArrowKind.FIXED_SIZE_LIST: lambda kind, children: pa.list_(children[0], kind.length),
    ArrowKind.STRUCT: lambda kind, children: pa.struct(children),
    ArrowKind.MAP: _make_map,
    ArrowKind.RUN_END_ENCODED: lambda kind, children: pa.run_end_encoded(children[0].type, children[1].type),
    ArrowKind.DICTIONARY: lambda kind, children: pa.dictionary(children[0].type, children[1].type),
}


def to_pyarrow(schema: ArrowSchema) -> pa.Schema:
    """Return pyarrow's schema, or raise a FormatError that names everything that pyarrow cannot hold."""
    faults: list[Fault] = []
    fields = [_make_field(field, field.name, faults) for field in schema.fields]
    if faults:
        raise FormatError.of(faults)
    answer = collect(faults, partial(_make, lambda: pa.schema(fields, metadata=dict(schema.metadata) or None), "the schema"))
    if faults:
        raise FormatError.of(faults)
    return answer


def _make_field(field: ArrowField, path: str, faults: list[Fault]) -> pa.Field | None:
    kind = _make_type(field.type, path, faults)
    if kind is None:
        return None
    make = partial(pa.field, field.name, kind, field.nullable, dict(field.metadata) or None)
    return collect(faults, partial(_make, make, f"a {'nullable' if field.nullable else 'required'} {field.type.kind}"), path)


def _make_type(kind: ArrowType, path: str, faults: list[Fault]) -> pa.DataType | None:
    leaf = LEAVES.get(kind.kind)
    if leaf is not None:
        return leaf
    children = [_make_field(child, joined(path, child.name), faults) for child in kind.children]
    if any(child is None for child in children):  # pyarrow's fields cannot be compared with None
        return None
    return collect(faults, partial(_make, lambda: _MAKERS[kind.kind](kind, children), str(kind.kind)), path)


def _make(make: Callable[[], Made], what: str) -> Made:
    """Call pyarrow, and raise a FormatError where it refuses."""
    try:
        return make()
    except _ERRORS as error:
        message = f"pyarrow cannot hold {what}: {shown(str(error))[1:-1]}."
        raise FormatError(message, code="arrow.unsupported", fix=_FIX) from None


# ---------------------------------------------------------------- from pyarrow


def _read_decimal(name: ArrowKind) -> Callable[[pa.DataType], ArrowType]:
    return lambda kind: ArrowType(name, precision=kind.precision, scale=kind.scale)


def _read_unit(name: ArrowKind) -> Callable[[pa.DataType], ArrowType]:
    return lambda kind: ArrowType(name, unit=kind.unit)


# Types of later versions have no number in earlier ones.
_PARAMETRIC: Final[dict[int | None, Callable[[pa.DataType], ArrowType]]] = {
    **{getattr(pa.lib, f"Type_{name.name}", None): _read_decimal(name) for name in DECIMALS},
    pa.lib.Type_TIME32: _read_unit(ArrowKind.TIME32),
    pa.lib.Type_TIME64: _read_unit(ArrowKind.TIME64),
    pa.lib.Type_DURATION: _read_unit(ArrowKind.DURATION),
    pa.lib.Type_TIMESTAMP: lambda kind: ArrowType(ArrowKind.TIMESTAMP, unit=kind.unit, timezone=kind.tz),
    pa.lib.Type_FIXED_SIZE_BINARY: lambda kind: ArrowType(ArrowKind.FIXED_SIZE_BINARY, length=kind.byte_width),
    pa.lib.Type_INTERVAL_MONTHS: lambda _: ArrowType(ArrowKind.INTERVAL, unit="YearMonth"),
    pa.lib.Type_INTERVAL_DAY_TIME: lambda _: ArrowType(ArrowKind.INTERVAL, unit="DayTime"),
    pa.lib.Type_INTERVAL_MONTH_DAY_NANO: lambda _: ArrowType(ArrowKind.INTERVAL, unit="MonthDayNano"),
}


def _item(kind: pa.DataType) -> list[pa.Field]:
    return [kind.value_field]


def _members(kind: pa.DataType) -> list[pa.Field]:
    return [kind.field(place) for place in range(kind.num_fields)]


# The values of every run-end encoding of pyarrow are nullable, which means nothing: the column decides.
_CONTAINERS: Final[dict[int, tuple[ArrowKind, Callable[[pa.DataType], list[pa.Field]]]]] = {
    **{make(pa.int8()).id: (name, _item) for name, make in _LISTS.items()},
    pa.lib.Type_FIXED_SIZE_LIST: (ArrowKind.FIXED_SIZE_LIST, _item),
    pa.lib.Type_STRUCT: (ArrowKind.STRUCT, _members),
    pa.lib.Type_MAP: (ArrowKind.MAP, lambda kind: [kind.key_field, kind.item_field]),
    pa.lib.Type_SPARSE_UNION: (ArrowKind.UNION, _members),
    pa.lib.Type_DENSE_UNION: (ArrowKind.UNION, _members),
    pa.lib.Type_DICTIONARY: (
        ArrowKind.DICTIONARY,
        lambda kind: [pa.field("indices", kind.index_type, False), pa.field("values", kind.value_type, False)],
    ),
    pa.lib.Type_RUN_END_ENCODED: (
        ArrowKind.RUN_END_ENCODED,
        lambda kind: [pa.field("run_ends", kind.run_end_type, False), pa.field("values", kind.value_type, False)],
    ),
}


def read(schema: object) -> ArrowSchema:
    """Return a schema of pyarrow as our values."""
    if not isinstance(schema, pa.Schema):
        raise FormatError(f"a {type(schema).__name__} is no pyarrow.Schema.", code="format.wrong-type", fix="Pass a pyarrow.Schema.")
    check_count(len(schema.names))
    faults: list[Fault] = []
    try:
        fields = [_read_field(field, field.name, 0, faults) for field in schema]
    except UnicodeDecodeError:  # of names and timezones, which Arrow does not check
        raise FormatError("a name or timezone is no UTF-8.", code="arrow.invalid", fix="Rename the column.") from None
    if faults:
        raise FormatError.of(faults)
    return ArrowSchema(tuple(field for field in fields if field is not None), _texts(schema.metadata))


def read_message(source: bytes) -> ArrowSchema:
    """Read the schema in the bytes of an Arrow message, stream or file."""
    try:
        return read(_schema_in(source))
    except (*_ERRORS, OSError, MemoryError, EOFError) as error:
        if isinstance(error, FormatError):
            raise
        message = f"this is no schema of Arrow: {shown(str(error))[1:-1]}."
        raise FormatError(message, code="arrow.invalid", fix="Pass schema.serialize(), a stream or a file of Arrow.") from None


def _schema_in(source: bytes) -> pa.Schema:
    if source.startswith(b"ARROW1"):
        return pyarrow.ipc.open_file(pa.py_buffer(source)).schema
    return pyarrow.ipc.read_schema(pa.py_buffer(source))


def _read_field(field: pa.Field, path: str, depth: int, faults: list[Fault]) -> ArrowField | None:
    kind = _read_type(field.type, path, depth, faults)
    if kind is None:
        return None
    return ArrowField(field.name, kind, field.nullable, _texts(field.metadata))


def _texts(metadata: Mapping[bytes, bytes] | None) -> tuple[tuple[str, str], ...]:
    return tuple((_text(key), _text(value)) for key, value in (metadata or {}).items())


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")


def _read_type(kind: pa.DataType, path: str, depth: int, faults: list[Fault]) -> ArrowType | None:
    leaf = _LEAF_BY_ID.get(kind.id)
    if leaf is not None:
        return leaf
    if isinstance(kind, pa.BaseExtensionType):
        return _read_type(kind.storage_type, path, depth, faults)
    if kind.id in _PARAMETRIC:
        return _PARAMETRIC[kind.id](kind)
    return _read_container(kind, path, depth, faults)


def _read_container(kind: pa.DataType, path: str, depth: int, faults: list[Fault]) -> ArrowType | None:
    name, fields_inside = _CONTAINERS.get(kind.id, (None, _members))
    if name is None:
        faults.append(Fault("arrow.unsupported", path[:200], f"the type {kind.id} is one that we do not know.", _FIX))
        return None
    if depth >= MAX_DEPTH:
        faults.append(Fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema."))
        return None
    children = [_read_field(field, joined(path, field.name), depth + 1, faults) for field in fields_inside(kind)]
    known = tuple(child for child in children if child is not None)
    if len(known) < len(children):
        return None
    if name is ArrowKind.MAP:
        return map_of(known[0], known[1], kind.keys_sorted)
    length = kind.list_size if name is ArrowKind.FIXED_SIZE_LIST else None
    return ArrowType(name, length=length, children=known)

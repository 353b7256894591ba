"""The request for a new table: columns, key lists, options and comment in the shapes that users pass.

Each value of the wrong shape is noted, with its place and what to write instead, and the reading goes on.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

import msgspec

from airflow_provider_schemas.core.common.strict_json import JsonValue
from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds, highest_id
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parsing import parse_type
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT, TypeParser
from airflow_provider_schemas.errors import Fault, collect


class TableRequest(NamedTuple):
    """What a new table is asked to be. Columns without a readable type count as text, so that their names are checked."""

    fields: tuple[Field, ...]
    partition_keys: tuple[str, ...]
    primary_keys: tuple[str, ...]
    options: dict[str, str]
    comment: str | None


class _Column(NamedTuple):
    """A column, and whether it and the fields inside it came with ids."""

    field: Field
    numbered: bool
    inner_numbered: bool


# The keys of a column, each with the key that it means.
_KEYS = {
    "id": "id",
    "name": "name",
    "type": "type",
    "description": "description",
    "comment": "description",
    "default": "default",
    "defaultValue": "default",
}


def read_request(
    columns: object, partition_keys: object, primary_keys: object, options: object, comment: object
) -> tuple[TableRequest, list[Fault]]:
    """Read the request; return it, and what could not be read of it."""
    faults: list[Fault] = []
    fields = _give_ids(_read_columns(columns, faults), faults)
    request = TableRequest(
        fields,
        _read_names(partition_keys, "partition_keys", faults),
        _read_names(primary_keys, "primary_keys", faults),
        _read_options(options, faults),
        None if comment is None else _read_text(comment, "comment", faults),
    )
    return request, faults


# ---------------------------------------------------------------- columns


def _read_columns(source: object, faults: list[Fault]) -> list[_Column]:
    if isinstance(source, str):
        return [_Column(field, False, False) for field in _read_ddl(source, faults)]
    if isinstance(source, Mapping | bytes | bytearray) or not isinstance(source, Iterable):
        fix = 'Pass SQL text such as "a INT, b STRING", or a list with a mapping of name and type for each column.'
        faults.append(Fault("json.wrong-type", "columns", f"the columns are {shown(source)}.", fix))
        return []
    columns = [_read_column(entry, f"columns[{number}]", faults) for number, entry in enumerate(source)]
    return [column for column in columns if column is not None]


def _read_ddl(source: str, faults: list[Fault]) -> tuple[Field, ...]:
    text = _read_text(source, "columns", faults, MAX_TEXT)
    if text is None:
        return ()
    return collect(faults, lambda: TypeParser(text, nested=True).read_columns(None, 0)) or ()


def _read_column(source: object, place: str, faults: list[Fault]) -> _Column | None:
    if isinstance(source, Field):
        field = _check_field(source, place, faults)
        if field is None:
            return None
        return _Column(field, True, True)
    if not isinstance(source, Mapping):
        fix = "Write a mapping of name and type."
        faults.append(Fault("json.wrong-type", place, f"{shown(source)} is no column.", fix))
        return None
    values = _read_values(source, place, faults)
    name = _read_text(values["name"], place, faults, MAX_NAME, "the name") if "name" in values else None
    missing = [key for key in ("name", "type") if key not in values]
    faults += [Fault("json.missing-key", name or place, f"the column has no {key!r}.", "Add it.") for key in missing]
    if name is None:
        return None
    kind: DataType | None = None
    inner_numbered = False
    if "type" in values:
        kind, inner_numbered = _read_type(values["type"], name, faults)
    description = _read_optional_text(values, "description", name, faults)
    default = _read_optional_text(values, "default", name, faults)
    number = _read_id(values, name, faults)
    field = nested.field(number, name, kind or atomic.STRING, description, default)
    return _Column(field, values.get("id") is not None, inner_numbered)


def _read_values(source: Mapping[Any, Any], place: str, faults: list[Fault]) -> dict[str, Any]:
    """Return the values of a column by the key that each key means."""
    values: dict[str, Any] = {}
    for key, value in source.items():
        known = _KEYS.get(key) if isinstance(key, str) else None
        if known is None:
            fix = f"A column has the keys {', '.join(_KEYS)}."
            faults.append(Fault("json.unknown-key", place, f"a column has no key {shown(key)}.", fix))
        elif known in values and values[known] != value:
            faults.append(Fault("json.duplicate-key", place, f"{key!r} says again, and otherwise, what another key says.", "Keep one."))
        else:
            values[known] = value
    return values


def _check_field(field: Field, place: str, faults: list[Fault]) -> Field | None:
    """Return a Field as it comes out of a file, because it may have been made by hand of any values."""
    try:
        checked = msgspec.json.decode(msgspec.json.encode(field), type=Field)
        nested.fold(checked.type, _check_names)  # reads every type inside
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        faults.append(Fault("json.wrong-type", place, f"this column is broken: {shown(str(error))[1:-1]}.", "Make it with parse_ddl."))
        return None
    return checked


def _check_names(kind: DataType, parts: list[None]) -> None:
    if isinstance(kind, nested.RowType):
        nested.sound_row(kind)


def _read_type(source: object, name: str, faults: list[Fault]) -> tuple[DataType | None, bool]:
    """Read a type; return it, and whether the fields inside it came with ids."""
    if isinstance(source, DataType):
        field = _check_field(nested.field(0, name, source), name, faults)
        return (field.type if field else None), True
    if isinstance(source, Mapping):
        kind = collect(faults, lambda: parse_type(source), name)
        return kind, kind is not None and _has_ids(source)
    if not isinstance(source, str):
        fix = 'Write text such as "DECIMAL(10, 2) NOT NULL".'
        faults.append(Fault("type.json-shape", name, f"{shown(source)} is no data type.", fix))
        return None, False
    text = _read_text(source, name, faults, MAX_TEXT, "the type")
    if text is None:
        return None, False
    return collect(faults, lambda: _parse_sql(text), name), False


# Wide tables repeat their types.
@lru_cache(maxsize=1_000)
def _parse_sql(text: str) -> DataType:
    return TypeParser(text, nested=True).read_whole_type()


def _has_ids(source: JsonValue) -> bool:
    """Return whether the JSON of a type that was read has ids: all of its fields have one, or none."""
    if not isinstance(source, Mapping):
        return False
    if any("id" in field or _has_ids(field["type"]) for field in source.get("fields") or ()):
        return True
    return any(_has_ids(source.get(key)) for key in ("element", "key", "value"))


def _read_id(values: Mapping[str, Any], name: str, faults: list[Fault]) -> int:
    number = values.get("id")
    if number is None:
        return 0
    if isinstance(number, bool) or not isinstance(number, int) or not -(2**31) <= number < 2**31:
        faults.append(Fault("json.wrong-type", name, f"the id is {shown(number)}.", "Write a whole number of 32 bits, or leave it out."))
        return 0
    return number


# ---------------------------------------------------------------- ids


def _give_ids(columns: list[_Column], faults: list[Fault]) -> tuple[Field, ...]:
    """Return the columns with the ids they came with, or with new ones for all."""
    keep = bool(columns) and all(column.numbered for column in columns)
    if not keep and any(column.numbered for column in columns):
        unnumbered = next(column.field.name for column in columns if not column.numbered)
        fix = "Give every column an id, or none."
        faults.append(Fault("type.partial-field-ids", unnumbered, "the column has no id, and others have one.", fix))
    counter = FieldIds(highest_id(column.field for column in columns) if keep else -1)
    fields = [collect(faults, partial(_with_ids, column, counter, keep), column.field.name) for column in columns]
    return tuple([field for field in fields if field is not None])


def _with_ids(column: _Column, counter: FieldIds, keep: bool) -> Field:
    field = column.field
    number = field.id if keep else counter.next()
    wire = field.wire
    if type(wire) is not str and not (keep and column.inner_numbered):
        wire = nested.wire(counter.assigned(field.type))
    return Field(number, field.name, wire, field.description, field.default)


# ---------------------------------------------------------------- names, options, texts


def _read_names(source: object, place: str, faults: list[Fault]) -> tuple[str, ...]:
    if isinstance(source, str | bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        fix = f"Pass a list: [{source!r}]." if isinstance(source, str) and len(source) < 80 else "Pass a list of column names."
        faults.append(Fault("json.wrong-type", place, f"{place} is {shown(source)}.", fix))
        return ()
    names = [_read_text(entry, f"{place}[{number}]", faults, MAX_NAME) for number, entry in enumerate(source)]
    return tuple([name for name in names if name is not None])


def _read_options(source: object, faults: list[Fault]) -> dict[str, str]:
    if not isinstance(source, Mapping):
        faults.append(Fault("json.wrong-type", "options", f"the options are {shown(source)}.", "Pass a mapping of text to text."))
        return {}
    options: dict[str, str] = {}
    for key, value in source.items():
        name = _read_text(key, "options", faults, what="the key of an option")
        if name is None:
            continue
        text = _read_text(value, f"options.{name}", faults)
        if text is not None:
            options[name] = text
    return options


def _read_optional_text(values: Mapping[str, Any], key: str, name: str, faults: list[Fault]) -> str | None:
    value = values.get(key)
    if value is None:
        return None
    return _read_text(value, name, faults, what=f"the {key}")


def _read_text(value: object, place: str, faults: list[Fault], most: int = MAX_TEXT, what: str = "the value") -> str | None:
    """Return the text, or None with a fault noted."""
    if not isinstance(value, str):
        fix = "Write it as text."
        if isinstance(value, bool | int | float):
            fix = f'Write it as text: "{shown(value).lower()}".'
        faults.append(Fault("json.wrong-type", place, f"{what} is {shown(value)}, which is no text.", fix))
    elif len(value) > most:
        faults.append(Fault("json.too-long", place, f"{what} has {len(value)} characters.", f"Keep it below {most}."))
    elif not value.isascii() and not _encodable(value):
        faults.append(Fault("json.surrogate", place, f"{what} holds half a surrogate pair.", "Write it as valid Unicode."))
    else:
        return value
    return None


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

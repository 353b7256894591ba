"""The request for a new table, read: columns, key lists, options and comment in the shapes people pass.

Everything that has the wrong shape is noted, with its place and what to write instead, and the reading goes on.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds, highest_id
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parsing import parse_type
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT, TypeParser
from airflow_provider_schemas.errors import Fault, collect


class Request(NamedTuple):
    """What a new table is asked to be. Columns without a readable type count as text, so that their names count."""

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


# The keys of a column, with the one each stands for.
_KEYS = {
    "id": "id",
    "name": "name",
    "type": "type",
    "description": "description",
    "comment": "description",
    "default": "default",
    "defaultValue": "default",
}


def read_request(columns: Any, partition_keys: Any, primary_keys: Any, options: Any, comment: Any) -> tuple[Request, list[Fault]]:
    """The request, and what could not be read of it."""
    faults: list[Fault] = []
    fields = _identified(_columns(columns, faults), faults)
    request = Request(
        fields,
        _names(partition_keys, "partition_keys", faults),
        _names(primary_keys, "primary_keys", faults),
        _options(options, faults),
        None if comment is None else _text(comment, "comment", faults),
    )
    return request, faults


# ---------------------------------------------------------------- columns


def _columns(source: Any, faults: list[Fault]) -> list[_Column]:
    if isinstance(source, str):
        return [_Column(one, False, False) for one in _ddl(source, faults)]
    if isinstance(source, Mapping | bytes | bytearray) or not isinstance(source, Iterable):
        fix = 'Pass SQL text such as "a INT, b STRING", or a list with a mapping of name and type for each column.'
        faults.append(Fault("json.wrong-type", "columns", f"the columns are {shown(source)}.", fix))
        return []
    found = [_column(one, f"columns[{number}]", faults) for number, one in enumerate(source)]
    return [one for one in found if one is not None]


def _ddl(source: str, faults: list[Fault]) -> tuple[Field, ...]:
    text = _text(source, "columns", faults, MAX_TEXT)
    if text is None:
        return ()
    return collect(faults, lambda: TypeParser(text, nested=True).read_columns(None, 0)) or ()


def _column(source: Any, place: str, faults: list[Fault]) -> _Column | None:
    if isinstance(source, Field):
        return _given(source, place, faults)
    if not isinstance(source, Mapping):
        fix = "Write a mapping of name and type."
        faults.append(Fault("json.wrong-type", place, f"{shown(source)} is no column.", fix))
        return None
    values = _values(source, place, faults)
    name = _text(values["name"], place, faults, MAX_NAME, "the name") if "name" in values else None
    lacking = [key for key in ("name", "type") if key not in values]
    faults += [Fault("json.missing-key", name or place, f"the column has no {key!r}.", "Add it.") for key in lacking]
    if name is None:
        return None
    kind, inner = _type(values["type"], name, faults) if "type" in values else (None, False)
    texts = [_optional(values, key, name, faults) for key in ("description", "default")]
    number = _id(values, name, faults)
    return _Column(nested.field(number, name, kind or atomic.STRING, *texts), values.get("id") is not None, inner)


def _values(source: Mapping[Any, Any], place: str, faults: list[Fault]) -> dict[str, Any]:
    """The values of a column by the key each stands for."""
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


def _given(source: Field, place: str, faults: list[Fault]) -> _Column | None:
    """A Field, which may have been made by hand of anything."""
    field = _sound(source, place, faults)
    return None if field is None else _Column(field, True, True)


def _sound_names(kind: DataType, parts: list[None]) -> None:
    if isinstance(kind, nested.RowType):
        nested.sound_row(kind)


def _sound(field: Field, place: str, faults: list[Fault]) -> Field | None:
    try:
        found = msgspec.json.decode(msgspec.json.encode(field), type=Field)
        nested.fold(found.type, _sound_names)  # reads every type inside
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        faults.append(Fault("json.wrong-type", place, f"this column is broken: {shown(str(error))[1:-1]}.", "Make it with parse_ddl."))
        return None
    return found


def _type(source: Any, name: str, faults: list[Fault]) -> tuple[DataType | None, bool]:
    """A type, and whether the fields inside it came with ids."""
    if isinstance(source, DataType):
        field = _sound(nested.field(0, name, source), name, faults)
        return (None if field is None else field.type), True
    if isinstance(source, Mapping):
        kind = collect(faults, lambda: parse_type(source), name)
        return kind, kind is not None and _numbered(source)
    if not isinstance(source, str):
        fix = 'Write text such as "DECIMAL(10, 2) NOT NULL".'
        faults.append(Fault("type.json-shape", name, f"{shown(source)} is no data type.", fix))
        return None, False
    text = _text(source, name, faults, MAX_TEXT, "the type")
    return (None if text is None else collect(faults, lambda: _parsed(text), name)), False


# Wide tables repeat their types.
@lru_cache(maxsize=1_000)
def _parsed(text: str) -> DataType:
    return TypeParser(text, nested=True).read_whole_type()


def _numbered(source: Any) -> bool:
    """Whether the JSON of a type that was read has ids: all of its fields have one, or none."""
    if isinstance(source, Mapping):
        fields = source.get("fields") or ()
        return any("id" in one or _numbered(one["type"]) for one in fields) or any(
            _numbered(source.get(key)) for key in ("element", "key", "value")
        )
    return False


def _id(values: Mapping[str, Any], name: str, faults: list[Fault]) -> int:
    number = values.get("id")
    if number is None:
        return 0
    if isinstance(number, bool) or not isinstance(number, int) or not -(2**31) <= number < 2**31:
        faults.append(Fault("json.wrong-type", name, f"the id is {shown(number)}.", "Write a whole number of 32 bits, or leave it out."))
        return 0
    return number


# ---------------------------------------------------------------- ids


def _identified(columns: list[_Column], faults: list[Fault]) -> tuple[Field, ...]:
    """The columns with the ids they came with, or with new ones for all."""
    keep = bool(columns) and all(one.numbered for one in columns)
    if not keep and any(one.numbered for one in columns):
        lacking = next(one.field.name for one in columns if not one.numbered)
        fix = "Give every column an id, or none."
        faults.append(Fault("type.partial-field-ids", lacking, "the column has no id, and others have one.", fix))
    counter = FieldIds(highest_id(one.field for one in columns) if keep else -1)
    found = (collect(faults, _numbering(one, counter, keep), one.field.name) for one in columns)
    return tuple(one for one in found if one is not None)


def _numbering(column: _Column, counter: FieldIds, keep: bool) -> Callable[[], Field]:
    def numbered() -> Field:
        one = column.field
        number = one.id if keep else counter.next()
        flat = type(one.wire) is str or (keep and column.inner_numbered)
        wire = one.wire if flat else nested.wire(counter.assigned(one.type))
        return Field(number, one.name, wire, one.description, one.default)

    return numbered


# ---------------------------------------------------------------- names, options, texts


def _names(source: Any, place: str, faults: list[Fault]) -> tuple[str, ...]:
    if isinstance(source, str | bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        fix = f"Pass a list: [{source!r}]." if isinstance(source, str) and len(source) < 80 else "Pass a list of column names."
        faults.append(Fault("json.wrong-type", place, f"{place} is {shown(source)}.", fix))
        return ()
    found = [_text(one, f"{place}[{number}]", faults, MAX_NAME) for number, one in enumerate(source)]
    return tuple(one for one in found if one is not None)


def _options(source: Any, faults: list[Fault]) -> dict[str, str]:
    if not isinstance(source, Mapping):
        faults.append(Fault("json.wrong-type", "options", f"the options are {shown(source)}.", "Pass a mapping of text to text."))
        return {}
    found = {}
    for key, value in source.items():
        name = _text(key, "options", faults, what="the key of an option")
        text = _text(value, f"options.{name}", faults) if name is not None else None
        if name is not None and text is not None:
            found[name] = text
    return found


def _optional(values: Mapping[str, Any], key: str, name: str, faults: list[Fault]) -> str | None:
    value = values.get(key)
    return None if value is None else _text(value, name, faults, what=f"the {key}")


def _text(value: Any, place: str, faults: list[Fault], most: int = MAX_TEXT, what: str = "the value") -> str | None:
    """The text, or None with a fault noted."""
    if not isinstance(value, str):
        simple = isinstance(value, bool | int | float)
        fix = f'Write it as text: "{shown(value).lower()}".' if simple else "Write it as text."
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

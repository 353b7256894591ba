"""Conversions of ARRAY, MAP and ROW: to text, from text, and part by part.

Each function takes the two types and a function that returns the conversion of a part. Conversions to and
from text are refused only when a value has a part without conversion, as in Java; those part by part at once.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.casts import nested_text
from airflow_provider_schemas.core.casts.carriers import (
    Check,
    Value,
    check,
    or_null,
    over_elements,
    over_fields,
    over_pairs,
    shown_type,
)
from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.types.atomic import STRING, AnyDataType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError

# The conversion of a part that is not NULL.
Resolve = Callable[[DataType, DataType], Check]


def _lazily(source: DataType, target: DataType, resolve: Resolve) -> Check:
    """Return a part's conversion, which is refused only when there is a value to convert, as in Java."""
    try:
        return or_null(resolve(source, target))
    except CastError as error:
        faults = error.faults

    def refuse(_: Value) -> Value:
        raise CastError.of(faults)

    return or_null(refuse)


def _printer(kind: DataType, resolve: Resolve) -> Callable[[Value], str]:
    convert = _lazily(kind, STRING, resolve)

    def print_part(value: Value) -> str:
        text = convert(value)
        return "null" if text is None else text

    return print_part


def array_to_text(source: AnyDataType, _target: AnyDataType, resolve: Resolve) -> Check:
    texts = over_elements(_printer(source.element, resolve))
    return lambda values: f"[{', '.join(texts(values))}]"


def map_to_text(source: AnyDataType, _target: AnyDataType, resolve: Resolve) -> Check:
    texts = over_pairs(_printer(source.key, resolve), _printer(source.value, resolve))
    return lambda pairs: f"{{{', '.join(f'{key} -> {value}' for key, value in texts(pairs))}}}"


def row_to_text(source: AnyDataType, _target: AnyDataType, resolve: Resolve) -> Check:
    texts = over_fields(source.fields, [_printer(field.type, resolve) for field in source.fields])
    return lambda values: f"{{{', '.join(texts(values))}}}"


def _from_text(read: Callable[[str], Value], root: Root) -> Check:
    """Return the function that reads the text of a container; its errors name the whole text, whatever part is wrong."""

    def convert(text: str) -> Value:
        try:
            return read(text)
        except CastError as error:
            if error.code == "cast.complex-syntax":
                raise
            raise nested_text.refused(text, root, f": {error.message.rstrip('.')}") from error

    return convert


def text_to_array(_source: AnyDataType, target: AnyDataType, resolve: Resolve) -> Check:
    element = over_elements(_lazily(STRING, target.element, resolve))

    def read(text: str) -> Value:
        pieces = nested_text.elements(text, Root.ARRAY)
        if pieces is None:
            return None
        return element(pieces)

    return _from_text(read, Root.ARRAY)


def text_to_map(_source: AnyDataType, target: AnyDataType, resolve: Resolve) -> Check:
    entries = over_pairs(_lazily(STRING, target.key, resolve), _lazily(STRING, target.value, resolve))

    def read(text: str) -> list[tuple[Any, Any]] | None:
        pairs = nested_text.entries(text)
        if pairs is None:
            return None
        # The last of equal keys wins. Keys may be lists, which have no hash; their text distinguishes them as well.
        return list({repr(key): (key, value) for key, value in entries(pairs)}.values())

    return _from_text(read, Root.MAP)


def text_to_row(_source: AnyDataType, target: AnyDataType, resolve: Resolve) -> Check:
    fields = over_fields(target.fields, [_lazily(STRING, field.type, resolve) for field in target.fields])
    width = len(target.fields)

    def read(text: str) -> Value:
        pieces = nested_text.elements(text, Root.ROW)
        if pieces is None:
            return None
        if pieces and len(pieces) != width:
            raise nested_text.refused(text, Root.ROW, f" of {width} fields")
        return fields(pieces or [None] * width)

    return _from_text(read, Root.ROW)


def _convert_part(word: str, source: DataType, target: DataType, resolve: Resolve) -> Check:
    try:
        return or_null(resolve(source, target))
    except CastError as error:
        raise CastError.of(fault.at(word) for fault in error.faults) from error


def array_to_array(source: AnyDataType, target: AnyDataType, resolve: Resolve) -> Check:
    return over_elements(_convert_part("element", source.element, target.element, resolve))


def map_to_map(source: AnyDataType, target: AnyDataType, resolve: Resolve) -> Check:
    if not same_type(source.key, target.key) or source.key.nullable is not target.key.nullable:
        fix = "Keep the key as it is: keys are never converted, for two could become one."
        message = f"a MAP with the key {shown_type(source.key)} cannot be read with the key {shown_type(target.key)}."
        raise CastError(message, code="cast.unsupported", path="key", fix=fix)
    return over_pairs(or_null(check(source.key)), _convert_part("value", source.value, target.value, resolve))


def row_to_row(source: AnyDataType, target: AnyDataType, resolve: Resolve) -> Check:
    """Convert by field id: fields that the source lacks are NULL, fields that the target lacks are dropped."""
    position_of_id = {field.id: position for position, field in enumerate(source.fields)}
    positions: list[int | None] = []
    converts: list[Check] = []
    for field in target.fields:
        position = position_of_id.get(field.id)
        positions.append(position)
        if position is None:
            converts.append(_null)
        else:
            converts.append(_convert_part(field.name, source.fields[position].type, field.type, resolve))
    convert = over_fields(target.fields, converts)
    return lambda values: convert([None if position is None else values[position] for position in positions])


def _null(_: Value) -> None:
    return None

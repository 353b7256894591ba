"""Conversions of ARRAY, MAP and ROW: to text, from text, and part by part.

Each function takes the two types and a function that finds the conversion of a part. Conversions to and
from text are refused only when there is a part that has none, as in Java; those part by part at once.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.casts import nested_text
from airflow_provider_schemas.core.casts.carriers import Check, check, or_null, over_elements, over_fields, over_pairs, shown_type
from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError

# The conversion of a part that is not NULL.
Resolve = Callable[[DataType, DataType], Check]


def _lazily(source: DataType, target: DataType, resolve: Resolve) -> Check:
    """A part's conversion, refused only when there is a value to convert, as in Java."""
    try:
        return or_null(resolve(source, target))
    except CastError as error:
        faults = error.faults

    def refuse(_: Any) -> Any:
        raise CastError.of(faults)

    return or_null(refuse)


def _printed(kind: DataType, resolve: Resolve) -> Callable[[Any], str]:
    convert = _lazily(kind, STRING, resolve)

    def text(value: Any) -> str:
        printed = convert(value)
        return "null" if printed is None else printed

    return text


def array_to_text(source: Any, _target: Any, resolve: Resolve) -> Check:
    texts = over_elements(_printed(source.element, resolve))
    return lambda values: f"[{', '.join(texts(values))}]"


def map_to_text(source: Any, _target: Any, resolve: Resolve) -> Check:
    texts = over_pairs(_printed(source.key, resolve), _printed(source.value, resolve))
    return lambda pairs: f"{{{', '.join(f'{key} -> {value}' for key, value in texts(pairs))}}}"


def row_to_text(source: Any, _target: Any, resolve: Resolve) -> Check:
    texts = over_fields(source.fields, [_printed(one.type, resolve) for one in source.fields])
    return lambda values: f"{{{', '.join(texts(values))}}}"


def _of_text(read: Callable[[str], Any], root: Root) -> Check:
    """Reads the text of a container; whatever is wrong in it, it is this text that is no container."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except CastError as error:
            if error.code == "cast.complex-syntax":
                raise
            raise nested_text.refused(text, root, f": {error.message.rstrip('.')}") from error

    return convert


def text_to_array(_source: Any, target: Any, resolve: Resolve) -> Check:
    element = over_elements(_lazily(STRING, target.element, resolve))

    def read(text: str) -> list[Any] | None:
        pieces = nested_text.elements(text, Root.ARRAY)
        return None if pieces is None else element(pieces)

    return _of_text(read, Root.ARRAY)


def text_to_map(_source: Any, target: Any, resolve: Resolve) -> Check:
    entries = over_pairs(_lazily(STRING, target.key, resolve), _lazily(STRING, target.value, resolve))

    def read(text: str) -> list[tuple[Any, Any]] | None:
        pairs = nested_text.entries(text)
        # The last of equal keys wins. Keys may be lists, which have no hash; their text tells them apart as well.
        return None if pairs is None else list({repr(key): (key, value) for key, value in entries(pairs)}.values())

    return _of_text(read, Root.MAP)


def text_to_row(_source: Any, target: Any, resolve: Resolve) -> Check:
    fields = over_fields(target.fields, [_lazily(STRING, one.type, resolve) for one in target.fields])

    def read(text: str) -> tuple[Any, ...] | None:
        pieces = nested_text.elements(text, Root.ROW)
        if pieces is not None and pieces and len(pieces) != len(target.fields):
            raise nested_text.refused(text, Root.ROW, f" of {len(target.fields)} fields")
        return None if pieces is None else fields(pieces or [None] * len(target.fields))

    return _of_text(read, Root.ROW)


def _part(word: str, source: DataType, target: DataType, resolve: Resolve) -> Check:
    try:
        return or_null(resolve(source, target))
    except CastError as error:
        raise CastError.of(fault.at(word) for fault in error.faults) from error


def array_to_array(source: Any, target: Any, resolve: Resolve) -> Check:
    return over_elements(_part("element", source.element, target.element, resolve))


def map_to_map(source: Any, target: Any, resolve: Resolve) -> Check:
    if not same_type(source.key, target.key) or source.key.nullable is not target.key.nullable:
        fix = "Keep the key as it is: keys are never converted, for two could become one."
        message = f"a MAP with the key {shown_type(source.key)} cannot be read with the key {shown_type(target.key)}."
        raise CastError(message, code="cast.unsupported", path="key", fix=fix)
    return over_pairs(or_null(check(source.key)), _part("value", source.value, target.value, resolve))


def row_to_row(source: Any, target: Any, resolve: Resolve) -> Check:
    """By field id: what the source lacks is NULL, what the target lacks is dropped."""
    places = {one.id: place for place, one in enumerate(source.fields)}
    found = [(one, places.get(one.id)) for one in target.fields]
    parts = [_absent if place is None else _part(one.name, source.fields[place].type, one.type, resolve) for one, place in found]
    convert = over_fields(target.fields, parts)
    return lambda values: convert([None if place is None else values[place] for _, place in found])


def _absent(_: Any) -> None:
    return None

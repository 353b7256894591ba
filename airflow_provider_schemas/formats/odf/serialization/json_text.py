"""ODF as JSON: read strictly, written on one line, keys in the order of documents, fractions as the reference writes them."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import half_pair
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Dumped, text_of
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Struct, fold
from airflow_provider_schemas.formats.odf.serialization.envelopes import Document, read_document
from airflow_provider_schemas.formats.odf.serialization.loaded import Loaded, check_depth, only_schema
from airflow_provider_schemas.formats.odf.serialization.reader import Reader

# Nothing of a schema is lost: what would be listed here is a type that comes back as another.
LOSSY: tuple[tuple[str, str, str], ...] = ()

_TWICE: Final = "json.duplicate-key"
_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PLAIN: Final = {kind: f'{{"kind":"{kind}"}}' for kind in PLAIN}

# ---------------------------------------------------------------- reading


def load(source: str | bytes) -> Loaded:
    """Read the one schema of a text, which may be a document around it."""
    return only_schema(documents(source))


def documents(source: str | bytes) -> tuple[Document, ...]:
    """Read the document of a text, with its schemas."""
    reader = Reader(infinite=False)
    found = read_document(_value(source, reader), reader)
    reader.faults.settle()
    return (found,)


class _Repeated(dict[str, Any]):
    """An object in which keys stand twice."""

    keys_twice: tuple[str, ...] = ()


def _value(source: str | bytes, reader: Reader) -> Any:
    text = text_of(source)
    found = read_json(text)
    others = [fault for fault in found.faults if fault.code != _TWICE]
    if others:
        raise FormatError.of(others)
    if not found.faults:
        return found.value
    value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_pairs)
    for path in _repeats(value):
        reader.faults.add(_TWICE, path, "the key stands twice in one object.", "Keep the one that is meant.")
    return value


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(items)
    if len(value) == len(items):
        return value
    repeated = _Repeated(value)
    repeated.keys_twice = tuple(sorted(key for key, count in Counter(key for key, _ in items).items() if count > 1))
    return repeated


def _repeats(value: Any) -> Iterator[str]:
    """The paths of keys that stand twice; in attributes the last one counts."""
    stack = [("", value)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, _Repeated):
            yield from (joined(path, key) for key in value.keys_twice)
        if isinstance(value, dict):
            stack.extend((joined(path, key), one) for key, one in value.items() if key != "extra")
        elif isinstance(value, list):
            stack.extend((f"{path}[{place}]", one) for place, one in enumerate(value))


# ---------------------------------------------------------------- writing


def dump(schema: DataSchema) -> Dumped:
    """Write a schema by itself, with no line end."""
    check_depth(schema)
    fields = ",".join(_field(one, fold(one.type, _type)) for one in schema.fields)
    text = f'{{"fields":[{fields}]{_extra(schema.extra)}}}'
    if half_pair(text):
        raise FormatError("a text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")
    return Dumped(text)


def _field(field: DataField, kind: str) -> str:
    return f'{{"name":{_ENCODE(field.name)},"type":{kind}{_extra(field.extra)}}}'


def _extra(extra: Attributes | None) -> str:
    return "" if extra is None else f',"extra":{extra.text}'


def _type(kind: DataType, parts: Sequence[str]) -> str:
    plain = _PLAIN.get(kind.kind)
    if plain is not None:
        return plain
    rest, found = iter(parts), [f'"kind":"{kind.kind}"']
    for one in PARAMETERS[kind.kind]:
        value = getattr(kind, one.name)
        if one.form is Form.TYPE:
            found.append(f'"{one.key}":{next(rest)}')
        elif isinstance(kind, Struct):
            members = ",".join(_field(field, part) for field, part in zip(kind.fields, parts, strict=True))
            found.append(f'"{one.key}":[{members}]')
        elif value is not None:
            found.append(f'"{one.key}":{_ENCODE(value)}')
    return f"{{{','.join(found)}}}"

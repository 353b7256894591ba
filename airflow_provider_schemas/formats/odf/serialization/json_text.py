"""ODF as JSON: read strictly, written on one line, keys in the order of documents, fractions as the reference writes them."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import half_pair
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Dumped, text_of
from airflow_provider_schemas.formats.odf.model.attributes import Attributes, PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, ParameterForm
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Struct, fold
from airflow_provider_schemas.formats.odf.serialization.envelopes import OdfDocument, read_document
from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf, check_depth, only_schema
from airflow_provider_schemas.formats.odf.serialization.reader import DocumentReader

# The types that come back as others: none, since JSON keeps the whole schema.
LOSSY: tuple[tuple[str, str, str], ...] = ()

_TWICE: Final = "json.duplicate-key"
_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PLAIN: Final = {kind: f'{{"kind":"{kind}"}}' for kind in PLAIN}

# ---------------------------------------------------------------- reading


def load(source: str | bytes) -> LoadedOdf:
    """Read the one schema of a text, which may be a document around it."""
    return only_schema(documents(source))


def documents(source: str | bytes) -> tuple[OdfDocument, ...]:
    """Read the document of a text, with its schemas."""
    reader = DocumentReader(infinite=False)
    document = read_document(_read_value(source, reader), reader)
    reader.faults.settle()
    return (document,)


class _RepeatingObject(dict[str, Any]):
    """A JSON object in which keys stand twice."""

    keys_twice: tuple[str, ...] = ()


def _read_value(source: str | bytes, reader: DocumentReader) -> PlainValue:
    text = text_of(source)
    json_value = read_json(text)
    others = [fault for fault in json_value.faults if fault.code != _TWICE]
    if others:
        raise FormatError.of(others)
    if not json_value.faults:
        value: PlainValue = json_value.value
        return value
    value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object_of_pairs)
    for path in _repeated_keys(value):
        reader.faults.add(_TWICE, path, "the key stands twice in one object.", "Keep the one that is meant.")
    return value


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    counts = Counter(key for key, _ in pairs)
    repeating = _RepeatingObject(entries)
    repeating.keys_twice = tuple(sorted(key for key, count in counts.items() if count > 1))
    return repeating


def _repeated_keys(value: PlainValue) -> Iterator[str]:
    """Yield the paths of keys that stand twice; in attributes the last one counts."""
    stack = [("", value)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, _RepeatingObject):
            yield from (joined(path, key) for key in value.keys_twice)
        if isinstance(value, dict):
            stack.extend((joined(path, key), part) for key, part in value.items() if key != "extra")
        elif isinstance(value, list):
            stack.extend((f"{path}[{place}]", part) for place, part in enumerate(value))


# ---------------------------------------------------------------- writing


def dump(schema: DataSchema) -> Dumped:
    """Write a schema by itself, with no line end."""
    check_depth(schema)
    fields = ",".join(_field_text(field, fold(field.type, _type_text)) for field in schema.fields)
    text = f'{{"fields":[{fields}]{_extra_text(schema.extra)}}}'
    if half_pair(text):
        raise FormatError("a text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")
    return Dumped(text)


def _field_text(field: DataField, type_text: str) -> str:
    return f'{{"name":{_ENCODE(field.name)},"type":{type_text}{_extra_text(field.extra)}}}'


def _extra_text(extra: Attributes | None) -> str:
    if extra is None:
        return ""
    return f',"extra":{extra.text}'


def _type_text(kind: DataType, parts: Sequence[str]) -> str:
    plain = _PLAIN.get(kind.kind)
    if plain is not None:
        return plain
    rest = iter(parts)
    entries = [f'"kind":"{kind.kind}"']
    for parameter in PARAMETERS[kind.kind]:
        value = getattr(kind, parameter.name)
        if parameter.form is ParameterForm.TYPE:
            entries.append(f'"{parameter.key}":{next(rest)}')
        elif isinstance(kind, Struct):
            fields = ",".join(_field_text(field, part) for field, part in zip(kind.fields, parts, strict=True))
            entries.append(f'"{parameter.key}":[{fields}]')
        elif value is not None:
            entries.append(f'"{parameter.key}":{_ENCODE(value)}')
    return f"{{{','.join(entries)}}}"

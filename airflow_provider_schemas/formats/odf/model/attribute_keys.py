"""Keys of attributes against the grammar of the published JSON Schema: a domain, one slash, a name.

The reference implementation keeps any key, so that one outside the grammar is a warning and no fault.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, ParameterForm
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.model.types import DataType, Struct

_GRAMMAR: Final = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9_-]+")
_PART_KEYS: Final = {
    kind: [parameter.key for parameter in parameters if parameter.form is ParameterForm.TYPE] for kind, parameters in PARAMETERS.items()
}


def key_warnings(schema: DataSchema, path: str = "") -> Iterator[Loss]:
    """Yield a warning for every key outside the grammar, in the order of the document."""
    return _check_schema(checked_schema(schema), path)


def _check_schema(schema: DataSchema, path: str) -> Iterator[Loss]:
    yield from _check_attributes(schema.extra, path)
    for place, field in enumerate(schema.fields):
        if field.extra is not None or field.type.parts:
            field_path = joined(path, f"fields[{place}]")
            yield from _check_attributes(field.extra, field_path)
            yield from _check_type(f"{field_path}.type", field.type)


def _check_type(path: str, kind: DataType) -> Iterator[Loss]:
    stack = [(path, kind)]
    while stack:
        path, kind = stack.pop()
        steps = _PART_KEYS.get(kind.kind, [])
        if isinstance(kind, Struct):
            steps = [f"fields[{place}].type" for place in range(len(kind.fields))]
            for place, field in enumerate(kind.fields):
                yield from _check_attributes(field.extra, f"{path}.fields[{place}]")
        stack.extend((f"{path}.{step}", part) for step, part in zip(steps, kind.parts, strict=True))


def _check_attributes(extra: Attributes | None, path: str) -> Iterator[Loss]:
    if extra is not None:
        yield from odd_keys(extra, joined(path, "extra"))


def odd_keys(keys: Iterable[object], path: str) -> Iterator[Loss]:
    """Yield a warning for each of these keys that is outside the grammar."""
    for key in keys:
        if isinstance(key, str) and not _GRAMMAR.fullmatch(key):
            message = f"the key {shown(key)} is none that JSON Schema takes: a domain, one slash and a name."
            yield Loss(f"{path}.{key}"[:200], "attribute key", message)

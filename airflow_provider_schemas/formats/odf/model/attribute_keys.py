"""Keys of attributes against the grammar of the published JSON Schema: a domain, one slash, a name.

The reference implementation keeps any key, so that one outside the grammar is no fault. It is warned about.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.model.types import DataType, Struct

_GRAMMAR: Final = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9_-]+")
_PARTS: Final = {kind: [one.key for one in found if one.form is Form.TYPE] for kind, found in PARAMETERS.items()}


def key_warnings(schema: DataSchema, path: str = "") -> Iterator[Loss]:
    """A warning for every key outside the grammar, in the order of the document."""
    return _of_schema(checked_schema(schema), path)


def _of_schema(schema: DataSchema, path: str) -> Iterator[Loss]:
    yield from _of(schema.extra, path)
    for place, one in enumerate(schema.fields):
        if one.extra is not None or one.type.parts:
            here = joined(path, f"fields[{place}]")
            yield from _of(one.extra, here)
            yield from _inside(f"{here}.type", one.type)


def _inside(path: str, kind: DataType) -> Iterator[Loss]:
    stack = [(path, kind)]
    while stack:
        path, kind = stack.pop()
        names = _PARTS.get(kind.kind, [])
        if isinstance(kind, Struct):
            names = [f"fields[{place}].type" for place in range(len(kind.fields))]
            for place, one in enumerate(kind.fields):
                yield from _of(one.extra, f"{path}.fields[{place}]")
        stack.extend((f"{path}.{name}", part) for name, part in zip(names, kind.parts, strict=True))


def _of(extra: Attributes | None, path: str) -> Iterator[Loss]:
    return iter(()) if extra is None else odd_keys(extra, joined(path, "extra"))


def odd_keys(keys: Iterable[object], path: str) -> Iterator[Loss]:
    """A warning for every one of these keys that is outside the grammar."""
    for key in keys:
        if isinstance(key, str) and not _GRAMMAR.fullmatch(key):
            message = f"the key {shown(key)} is none that JSON Schema takes: a domain, one slash and a name."
            yield Loss(f"{path}.{key}"[:200], "attribute key", message)

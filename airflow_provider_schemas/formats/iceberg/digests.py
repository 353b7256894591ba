"""The digest of a schema: the same whoever wrote it, and whatever we make of it.

It is taken of the peer's own JSON, so that a new release of ours changes no digest. Writers spell the same schema in several ways: keys
in any order, nulls or no member, an empty list of identifiers or none, `decimal(10,2)` with a blank or without. These count as the same.
"""

import hashlib
import re
from typing import Any, Final

import msgspec
from msgspec import Raw

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.iceberg.schema_json import json_fault, plain_value

_TYPES: Final = ("type", "element", "key", "value")
# Blanks inside a name may mean something: only those beside punctuation go.
_BLANKS: Final = re.compile(r"\s*([(),\[\]])\s*")
_IDENTIFIERS: Final = "identifier-field-ids"


def schema_digest(raw: bytes | Raw) -> str:
    """Return the sha256 of a schema's JSON: keys sorted, without nulls and without the schema's id."""
    value = plain_value(raw, "")
    try:
        content = _canonical(value)
        if isinstance(content, dict):
            content.pop("schema-id", None)
            _sort_identifiers(content)
        return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()
    except RecursionError as error:
        raise FormatError.of([json_fault(error, "")]) from None


def _sort_identifiers(content: dict[str, Any]) -> None:
    identifiers = content.pop(_IDENTIFIERS, None)
    if isinstance(identifiers, list) and identifiers:
        content[_IDENTIFIERS] = sorted(identifiers, key=str)


def _canonical(value: Any) -> Any:
    if isinstance(value, list):
        return [_canonical(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    members = {key: _canonical(member) for key, member in value.items() if member is not None}
    for key in _TYPES:
        text = members.get(key)
        if isinstance(text, str) and " " in text:
            members[key] = _BLANKS.sub(r"\1", text)
    return members

"""The digest of a schema: the same whoever wrote it, and whatever we make of it.

It is taken of Delta's own JSON and the names of the partition columns. Keys in any order, nulls or no member, empty metadata or none,
`decimal(10,2)` with a blank or without count as the same; so does what every insert changes.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from airflow_provider_schemas.formats.delta.attributes import HIGH_WATER_MARK

_TYPES: Final = frozenset({"type", "elementType", "keyType", "valueType"})
_BLANKS: Final = re.compile(r"\s*([(),])\s*")
_METADATA: Final = "metadata"


def schema_digest(kind: object, partition_columns: Sequence[str] = ()) -> str:
    """Return the sha256 of a schema's JSON value and of the columns by which the table is partitioned."""
    content = {"schema": _canonical(kind), "partitionColumns": list(partition_columns)}
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, list):
        return [_canonical(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    members = {key: _canonical(member) for key, member in value.items() if member is not None and key != HIGH_WATER_MARK}
    if members.get(_METADATA) == {}:
        del members[_METADATA]
    for key in _TYPES:
        text = members.get(key)
        if isinstance(text, str) and " " in text:
            members[key] = _BLANKS.sub(r"\1", text)
    return members

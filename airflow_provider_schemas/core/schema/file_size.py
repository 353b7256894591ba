"""Schemas whose file would be too large for any reader. The file is laid out only where it may be that large."""

from typing import TYPE_CHECKING

import msgspec

from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import Fault

if TYPE_CHECKING:  # a schema is made by what is valid, which asks here
    from airflow_provider_schemas.core.schema.table_schema import TableSchema

# A line of a file has no fewer bytes than this without the layout, which adds a line end, two blanks around the colon and the indentation.
_LEAST_LINE = 7


def size_faults(schema: "TableSchema") -> list[Fault]:
    """Return the fault of a schema whose file no reader would take."""
    try:
        return _size_faults(schema)
    except UnicodeEncodeError:
        message = "a text of the schema holds half a surrogate pair."
        return [Fault("json.surrogate", "", message, "Write it as valid Unicode.")]


def _size_faults(schema: "TableSchema") -> list[Fault]:
    rest = len(msgspec.json.encode((schema.partition_keys, schema.primary_keys, dict(schema.options), schema.comment, schema.unknown)))
    if _is_small(schema, rest):
        return []
    vars(schema)["fields_size"] = len(msgspec.json.encode(schema.fields))  # the size that was known before may be too large
    if _is_small(schema, rest):
        return []
    size = len(schema.to_json().encode())
    if size <= MAX_BYTES:
        return []
    fix = f"Keep it within {MAX_BYTES} bytes: shorten the comments, or split the table."
    return [Fault("json.too-large", "", f"the file of this schema would have {size} bytes.", fix)]


def _is_small(schema: "TableSchema", rest: int) -> bool:
    """Return whether the file keeps the limit with any layout: at the greatest depth, or at the depth of its types."""
    size = schema.fields_size + rest
    return _greatest_size(size, MAX_DEPTH) <= MAX_BYTES or _greatest_size(size, schema.parts.depth) <= MAX_BYTES


def _greatest_size(size: int, depth: int) -> int:
    """Return how many bytes a file has at most with its layout, if it has `size` bytes without."""
    return 1_000 + 2 * size + size * (3 + 4 * (depth + 1)) // _LEAST_LINE

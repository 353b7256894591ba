"""Types without parts: Delta writes them as Spark's JSON does.

A type that is not known is kept by its text: that is compared, and nothing else is known of it.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.core.types.atomic import AtomicType, atom_text, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.spark_types import leaves

# Ours, Delta's, and what comes back.
LOSSY: Final = tuple((ours, text, back) for ours, text, _, back in leaves.LOSSY)
# The collation of strings that have none.
_BINARY: Final = "UTF8_BINARY"


def our_type(text: str) -> AtomicType:
    """Return our type for a text of Delta: an opaque one where we have none."""
    try:
        kind = leaves.read_leaf(text, "json")
    except SchemaError:
        return opaque(text)
    return kind if isinstance(kind, AtomicType) else opaque(text)


def opaque(text: str) -> AtomicType:
    """Return the type that is known by its text only; raise a TypeTextError for a text that is empty or endless."""
    return atomic(Root.OPAQUE, text=text)


def opaque_object(source: Mapping[str, Any]) -> AtomicType:
    """Return the type of an object that we do not know, such as one of a class of its user."""
    return opaque(json.dumps(source, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def collated(kind: AtomicType, collation: object) -> AtomicType:
    """Return a string that is compared by a collation: no other type has its order, so that it is known by its text."""
    name = str(collation)
    if name.rpartition(".")[2].upper() == _BINARY or kind.root is not Root.VARCHAR:
        return kind
    return opaque(f"string collate {name}")


def collation_of(text: str) -> str:
    """Return the collation in the text of an opaque type; empty if it is no string with one."""
    word, mark, name = text.partition(" collate ")
    return name if mark and word == "string" else ""


def delta_leaf(kind: AtomicType, *, is_delta: bool) -> leaves.WrittenLeaf:
    """Return Delta's text for a type. What is opaque is written again in the format that it came from."""
    if kind.root is not Root.OPAQUE:
        return leaves.written(kind.with_nullable(True), "json")
    if not is_delta:
        message = f"Delta's schema has no type for {atom_text(kind.with_nullable(True))}, of which only the text is known."
        raise FormatError(message, code="format.opaque-type", fix="Leave the column out, or give it a type of its own.")
    return leaves.WrittenLeaf("string" if collation_of(kind.text or "") else kind.text or "")

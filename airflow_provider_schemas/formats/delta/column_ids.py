"""The ids of columns: those of column mapping where a table has them; else made of names, by which such a table finds its columns.

An id that is made of a name is the same in every version and every process, whatever stands before the column. Delta knows no two
columns whose names differ in case only.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.schema.foreign_attributes import IDS_OF_NAMES
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.formats.delta.attributes import MAPPED_ID, MAPPED_NAME, MAPPED_PARTS

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Ids of column mapping are counted from 1: those of names are above all that a table ever counts, and below those of the engines.
_LOWEST: Final = IDS_OF_NAMES
_RANGE: Final = 2**29

Path = tuple[str, ...]
"""The names from the column to a field, with element, key and value in between, as the data files have them."""


class NestedField(NamedTuple):
    """A field at any depth: where it is in the data files, and its metadata."""

    path: Path
    source: Mapping[str, Any]
    metadata: Mapping[str, Any]


_PARTS: Final = {"array": (("elementType", "element"),), "map": (("keyType", "key"), ("valueType", "value"))}


def id_of_name(path: Path) -> int:
    """Return the id that a field has by its name."""
    text = "\0".join(path).lower().encode("utf-8", "surrogatepass")
    return _LOWEST + int.from_bytes(hashlib.sha256(text).digest()[:8]) % _RANGE


def may_be_of_name(number: int) -> bool:
    """Return whether an id may be one that was made of a name."""
    return number >= _LOWEST


def all_fields(kind: object, path: Path = (), depth: int = 0) -> Iterator[NestedField]:
    """Yield every field of a struct and of what is inside it, parents first."""
    if not isinstance(kind, dict) or depth > MAX_DEPTH:
        return
    tag = kind.get("type")
    if tag == "struct":
        members = kind.get("fields")
        for member in members if isinstance(members, list) else []:
            if isinstance(member, dict):
                yield from _field(member, path, depth)
        return
    for key, word in _PARTS.get(tag, ()) if isinstance(tag, str) else ():
        yield from all_fields(kind.get(key), (*path, word), depth + 1)


def _field(source: Mapping[str, Any], path: Path, depth: int) -> Iterator[NestedField]:
    given = source.get("metadata")
    metadata = given if isinstance(given, dict) else {}
    inside = (*path, name_in_files(source, metadata))
    yield NestedField(inside, source, metadata)
    yield from all_fields(source.get("type"), inside, depth + 1)


def name_in_files(source: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """Return the name of a field in the data files."""
    physical = metadata.get(MAPPED_NAME)
    return physical if isinstance(physical, str) and physical else str(source.get("name"))


def is_id(value: object) -> "TypeIs[int]":
    """Return whether a value of the metadata is an id."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LOWEST


def ids_of_parts(field: NestedField) -> Mapping[str, int]:
    """Return the ids that elements, keys and values of a column have for readers of Iceberg, by names such as tags.element."""
    given = field.metadata.get(MAPPED_PARTS)
    if not isinstance(given, dict):
        return {}
    inside = f"{field.path[-1]}."
    ids = {path.removeprefix(inside): number for path, number in given.items() if isinstance(number, int)}
    return {f"{field.source.get('name')}.{path}": number for path, number in ids.items() if number >= 0}


def mapped_ids(kind: object) -> Mapping[Path, int] | None:
    """Return the ids of column mapping by their paths in the data files; None if not every field has one of its own."""
    found: dict[Path, int] = {}
    count = 0
    for field in all_fields(kind):
        number = field.metadata.get(MAPPED_ID)
        if not is_id(number):
            return None
        found[field.path] = number
        count += 1
    if len(found) < count or len(set(found.values())) < count:
        return None
    return found

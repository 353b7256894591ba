"""What the values of a field mean, beyond their type: an identifier, a hash, a link, or a type of ODF itself."""

from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.kinds import Kind, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import joined, members, word
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH, DataType
from airflow_provider_schemas.formats.odf.serialization.reader import Reader
from airflow_provider_schemas.formats.odf.serialization.writer import of_type


class Did(Struct, frozen=True):
    """Decentralised identifiers."""


class Multihash(Struct, frozen=True):
    """Multihashes."""


class ObjectLink(Struct, frozen=True):
    """Links to objects by values of another type."""

    link_type: "ExtendedType"


ExtendedType = Did | Multihash | ObjectLink | DataType


class _Word(StrEnum):
    DID = "Did"
    MULTIHASH = "Multihash"
    OBJECT_LINK = "ObjectLink"


_SIMPLE: Final[dict[_Word, ExtendedType]] = {_Word.DID: Did(), _Word.MULTIHASH: Multihash()}
_WORDS: Final = spellings(_Word)
_NAMES: Final[dict[str, StrEnum]] = {**_WORDS, **spellings(Kind)}


def read_extended_type(value: Any, path: str) -> ExtendedType:
    """The extended type of a map, or a FormatError with all that is wrong with it."""
    reader = Reader()
    found = _read(value, path, reader, 1)
    reader.faults.settle()
    assert found is not None  # noqa: S101  # without a fault there is a type
    return found


def _read(value: Any, path: str, reader: Reader, level: int) -> ExtendedType | None:
    if not isinstance(value, dict):
        reader.faults.wrong(value, path, "a map with a kind")
        return None
    if level > MAX_DEPTH:
        reader.faults.add("odf.too-deep", path, f"a type is nested deeper than {MAX_DEPTH} levels.", "Flatten it.")
        return None
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in _WORDS:
        return _core(value, path, reader, level)
    found = _WORDS[kind]
    keys = ("kind",) if found in _SIMPLE else ("kind", "linkType")
    members(value, path, keys, keys, reader.faults)
    if found in _SIMPLE:
        return _SIMPLE[found]
    link = _read(value["linkType"], joined(path, "linkType"), reader, level + 1) if "linkType" in value else None
    return None if link is None else ObjectLink(link)


def _core(value: dict[str, Any], path: str, reader: Reader, level: int) -> DataType | None:
    """A type of ODF itself, which is what every other kind means here."""
    kind = value.get("kind")
    if isinstance(kind, str) and word(kind, joined(path, "kind"), _NAMES, "a kind", reader.faults, code="odf.unknown-kind") is None:
        return None
    return reader.data_type(value, path, level)


def plain_extended_type(kind: ExtendedType, level: int = 1) -> dict[str, Any]:
    """The extended type as documents hold it."""
    if level > MAX_DEPTH:
        raise FormatError(f"a type is nested deeper than {MAX_DEPTH} levels.", code="odf.too-deep", fix="Flatten it.")
    if isinstance(kind, ObjectLink):
        return {"kind": "ObjectLink", "linkType": plain_extended_type(kind.link_type, level + 1)}
    return of_type(kind) if isinstance(kind, DataType) else {"kind": type(kind).__name__}

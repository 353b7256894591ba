"""Extended types: the meaning of values beyond their type, as an identifier, a hash, a link, or a type of ODF itself."""

from enum import StrEnum
from typing import Any, Final, TypeAlias

from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import Kind, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import joined, members, word
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH, DataType
from airflow_provider_schemas.formats.odf.serialization.reader import DocumentReader
from airflow_provider_schemas.formats.odf.serialization.writer import of_type


class Did(Struct, frozen=True):
    """Decentralised identifiers."""


class MultihashType(Struct, frozen=True):
    """Multihashes."""


class ObjectLink(Struct, frozen=True):
    """Links to objects by values of another type."""

    link_type: "ExtendedType"


ExtendedType: TypeAlias = Did | MultihashType | ObjectLink | DataType


class _Word(StrEnum):
    DID = "Did"
    MULTIHASH = "Multihash"
    OBJECT_LINK = "ObjectLink"


_SIMPLE: Final[dict[_Word, ExtendedType]] = {_Word.DID: Did(), _Word.MULTIHASH: MultihashType()}
_SIMPLE_WORDS: Final[dict[ExtendedType, str]] = {extended: word.value for word, extended in _SIMPLE.items()}
_WORDS: Final = spellings(_Word)
_NAMES: Final[dict[str, StrEnum]] = {**_WORDS, **spellings(Kind)}


def read_extended_type(value: PlainValue, path: str) -> ExtendedType:
    """Return the extended type in a map, or raise a FormatError with every fault of it."""
    reader = DocumentReader()
    extended = _read(value, path, reader, 1)
    reader.faults.settle()
    assert extended is not None  # noqa: S101  # without a fault there is a type
    return extended


def _read(value: PlainValue, path: str, reader: DocumentReader, level: int) -> ExtendedType | None:
    if not isinstance(value, dict):
        reader.faults.wrong(value, path, "a map with a kind")
        return None
    if level > MAX_DEPTH:
        reader.faults.add("odf.too-deep", path, f"a type is nested deeper than {MAX_DEPTH} levels.", "Flatten it.")
        return None
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in _WORDS:
        return _read_data_type(value, path, reader, level)
    simple = _SIMPLE.get(_WORDS[kind])
    if simple is not None:
        members(value, path, ("kind",), ("kind",), reader.faults)
        return simple
    members(value, path, ("kind", "linkType"), ("kind", "linkType"), reader.faults)
    if "linkType" not in value:
        return None
    link_type = _read(value["linkType"], joined(path, "linkType"), reader, level + 1)
    return None if link_type is None else ObjectLink(link_type)


def _read_data_type(value: dict[str, Any], path: str, reader: DocumentReader, level: int) -> DataType | None:
    """Read a type of ODF itself; every kind that no extended type has is one."""
    kind = value.get("kind")
    if isinstance(kind, str) and word(kind, joined(path, "kind"), _NAMES, "a kind", reader.faults, code="odf.unknown-kind") is None:
        return None
    return reader.data_type(value, path, level)


def plain_extended_type(kind: ExtendedType, level: int = 1) -> dict[str, Any]:
    """Return the extended type as documents hold it."""
    if level > MAX_DEPTH:
        raise FormatError(f"a type is nested deeper than {MAX_DEPTH} levels.", code="odf.too-deep", fix="Flatten it.")
    if isinstance(kind, ObjectLink):
        return {"kind": "ObjectLink", "linkType": plain_extended_type(kind.link_type, level + 1)}
    if isinstance(kind, DataType):
        return of_type(kind)
    return {"kind": _SIMPLE_WORDS[kind]}

"""The attributes that ODF and its reference implementation know, each with its accessors.

An attribute is checked when somebody asks for it, and refused then if its value does not suit its key. Two of them
are printed with `.net` in the manual: both spellings are read, `.org` is written. Those for Arrow are in `encodings`.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.formats.odf.model.attributes import Attributes, PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import ParameterForm, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import DocumentFaults, joined, members, number, word
from airflow_provider_schemas.formats.odf.serialization.extended_types import ExtendedType, plain_extended_type, read_extended_type

DESCRIPTION: Final = "opendatafabric.org/description"
TYPE: Final = "opendatafabric.org/type"
LINKED_OBJECTS: Final = "opendatafabric.org/linkedObjects"
ARCHETYPE: Final = "kamu.dev/archetype"
_COUNTS: Final = ("numObjectsNaive", "sizeNaive")


class Archetype(StrEnum):
    """What a dataset is used as."""

    COLLECTION = "Collection"
    VERSIONED_FILE = "VersionedFile"


class LinkedObjects(Struct, frozen=True):
    """How many objects a slice of data links to, and how large they are together."""

    count: int
    size: int


_ARCHETYPES: Final = spellings(Archetype)
_NOTHING: Final = Attributes({})


# ---------------------------------------------------------------- reading


def description_of(extra: Attributes | None) -> str | None:
    """Return the description of a field or schema."""
    key = _spelled_key(extra, DESCRIPTION)
    if extra is None or key is None:
        return None
    value = extra[key]
    faults = DocumentFaults()
    if not isinstance(value, str):
        faults.wrong(value, key, "text")
    faults.settle()
    return str(value)


def extended_type_of(extra: Attributes | None) -> ExtendedType | None:
    """Return what the values of a field mean, beyond their type."""
    key = _spelled_key(extra, TYPE)
    if extra is None or key is None:
        return None
    return read_extended_type(extra[key], key)


def archetype_of(extra: Attributes | None) -> Archetype | None:
    """Return what the dataset of a schema is used as."""
    if extra is None or ARCHETYPE not in extra:
        return None
    faults = DocumentFaults()
    archetype = word(extra[ARCHETYPE], ARCHETYPE, _ARCHETYPES, "an archetype", faults)
    faults.settle()
    return archetype


def linked_objects_of(extra: Attributes | None) -> LinkedObjects | None:
    """Return the number and size of the objects that a slice of data links to."""
    if extra is None or LINKED_OBJECTS not in extra:
        return None
    faults = DocumentFaults()
    entries = members(extra[LINKED_OBJECTS], LINKED_OBJECTS, _COUNTS, _COUNTS, faults)
    counts = [number(entries[key], joined(LINKED_OBJECTS, key), ParameterForm.U64, faults) for key in _COUNTS if key in entries]
    faults.settle()
    return LinkedObjects(*(count for count in counts if count is not None))


def _spelled_key(extra: Attributes | None, key: str) -> str | None:
    """Return the spelling of the key that the attributes have; `.org` if they have both."""
    return next((spelling for spelling in (key, _net_spelling(key)) if spelling in (extra or _NOTHING)), None)


def _net_spelling(key: str) -> str:
    return key.replace(".org/", ".net/")


# ---------------------------------------------------------------- writing


def with_description(extra: Attributes | None, text: str) -> Attributes:
    """Return the attributes with this description."""
    return _with(extra, DESCRIPTION, text)


def with_extended_type(extra: Attributes | None, kind: ExtendedType) -> Attributes:
    """Return the attributes with this extended type."""
    return _with(extra, TYPE, plain_extended_type(kind))


def with_archetype(extra: Attributes | None, archetype: Archetype) -> Attributes:
    """Return the attributes with this archetype."""
    return _with(extra, ARCHETYPE, str(archetype))


def with_linked_objects(extra: Attributes | None, linked: LinkedObjects) -> Attributes:
    """Return the attributes with these linked objects."""
    return _with(extra, LINKED_OBJECTS, dict(zip(_COUNTS, (linked.count, linked.size), strict=True)))


def _with(extra: Attributes | None, key: str, value: PlainValue) -> Attributes:
    return (extra or _NOTHING).without(_net_spelling(key)).with_(key, value)

"""The attributes that ODF and its reference implementation know, each with its accessors.

An attribute is looked at when somebody asks, and refused then if it is not what its key promises. Two of them
are printed with `.net` in the manual: both spellings are read, `.org` is written. What Arrow is told is in `encodings`.
"""

from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Form, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import Faults, joined, members, number, word
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
    """What a field, or a schema, is about."""
    key = _key(extra, DESCRIPTION)
    if extra is None or key is None:
        return None
    value, faults = extra[key], Faults()
    if not isinstance(value, str):
        faults.wrong(value, key, "text")
    faults.settle()
    return str(value)


def extended_type_of(extra: Attributes | None) -> ExtendedType | None:
    """What the values of a field mean, beyond their type."""
    key = _key(extra, TYPE)
    return None if extra is None or key is None else read_extended_type(extra[key], key)


def archetype_of(extra: Attributes | None) -> Archetype | None:
    """What the dataset of a schema is used as."""
    if extra is None or ARCHETYPE not in extra:
        return None
    faults = Faults()
    found = word(extra[ARCHETYPE], ARCHETYPE, _ARCHETYPES, "an archetype", faults)
    faults.settle()
    return found


def linked_objects_of(extra: Attributes | None) -> LinkedObjects | None:
    """What a slice of data links to."""
    if extra is None or LINKED_OBJECTS not in extra:
        return None
    faults = Faults()
    found = members(extra[LINKED_OBJECTS], LINKED_OBJECTS, _COUNTS, _COUNTS, faults)
    counts = [number(found[key], joined(LINKED_OBJECTS, key), Form.U64, faults) for key in _COUNTS if key in found]
    faults.settle()
    return LinkedObjects(*(one for one in counts if one is not None))


def _key(extra: Attributes | None, key: str) -> str | None:
    """The spelling of the key that is there; `.org` counts if both are."""
    return next((one for one in (key, _printed(key)) if one in (extra or _NOTHING)), None)


def _printed(key: str) -> str:
    return key.replace(".org/", ".net/")


# ---------------------------------------------------------------- writing


def with_description(extra: Attributes | None, text: str) -> Attributes:
    """The attributes with this description."""
    return _with(extra, DESCRIPTION, text)


def with_extended_type(extra: Attributes | None, kind: ExtendedType) -> Attributes:
    """The attributes with this extended type."""
    return _with(extra, TYPE, plain_extended_type(kind))


def with_archetype(extra: Attributes | None, archetype: Archetype) -> Attributes:
    """The attributes with this archetype."""
    return _with(extra, ARCHETYPE, str(archetype))


def with_linked_objects(extra: Attributes | None, linked: LinkedObjects) -> Attributes:
    """The attributes with these linked objects."""
    return _with(extra, LINKED_OBJECTS, dict(zip(_COUNTS, (linked.count, linked.size), strict=True)))


def _with(extra: Attributes | None, key: str, value: Any) -> Attributes:
    return (extra or _NOTHING).without(_printed(key)).with_(key, value)

"""The schema file: bytes to values and back.

Two readers. The strict one decodes what Paimon, pypaimon's fields and we ourselves write, straight into
the values of `core.types`. Whatever it refuses goes to the tolerant one, which accepts what Java accepts and
otherwise names all faults of the file at once. One writer, in Java's key order and layout.
"""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, MAX_FIELDS, Field, Parts, parts
from airflow_provider_schemas.core.types.parsing import TypeReader
from airflow_provider_schemas.errors import SchemaError, SchemaFileError

CURRENT_VERSION = 3
FIRST_VERSION = 1  # of files that do not say
# A schema of 10,000 columns is 1.3 MB; a limit bounds what hostile bytes can cost.
MAX_BYTES = 16_000_000

Place = tuple[str | int, ...]


Int = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]

# The one top-level key of our own: where this version comes from. It is about one version, so nothing copies it.
PROVENANCE = "schemas"
_NOTHING = msgspec.Raw()


class SchemaFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a schema file says, in the order in which Java writes it."""

    id: Int
    fields: tuple[Field, ...]
    highestFieldId: Int  # noqa: N815  # the file spells it so
    partitionKeys: tuple[str, ...]  # noqa: N815  # likewise
    primaryKeys: tuple[str, ...]  # noqa: N815  # likewise
    options: dict[str, str]
    version: Int | UnsetType = UNSET
    comment: str | None = None
    timeMillis: Long | UnsetType = UNSET  # noqa: N815  # likewise
    schemas: msgspec.Raw = _NOTHING
    """Our own key, as it stands there."""


class Decoded(NamedTuple):
    """A schema file and the keys in it that we do not know, each with its place."""

    file: SchemaFile
    parts: Parts | None = None
    """What the types are made of, where that was found out."""
    unknown: tuple[tuple[Place, str], ...] = ()


# ---------------------------------------------------------------- the strict reader

_STRICT = msgspec.json.Decoder(SchemaFile)


def decode(data: bytes | str) -> Decoded:
    """Read a schema file, or raise a SchemaFileError that names every fault."""
    raw = _checked(data)
    try:
        file = _STRICT.decode(raw)
        inside = parts(file.fields)
        if _sound(file, inside) and (own := _own(raw, file)) and (_once(own.rest, file, inside) or not read_json(raw.decode()).faults):
            return Decoded(file, inside, own.unknown)
    except (msgspec.DecodeError, SchemaError, RecursionError, ValueError):
        pass  # the tolerant reader says what is wrong, if anything is
    return _tolerant(raw)


def _checked(data: bytes | str) -> bytes:
    if not isinstance(data, bytes | bytearray | memoryview | str):
        raise SchemaFileError(f"{shown(data)} is no schema file.", code="json.wrong-type", fix="Pass its bytes or its text.")
    if len(data) > MAX_BYTES:
        fix = f"Schema files of up to {MAX_BYTES} bytes are read."
        raise SchemaFileError(f"the file has {len(data)} bytes.", code="json.too-large", fix=fix)
    try:
        return data.encode() if isinstance(data, str) else bytes(data)
    except UnicodeEncodeError:
        raise SchemaFileError("the text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.") from None


def _sound(file: SchemaFile, inside: Parts) -> bool:
    """Whether every type is spelled canonically, nothing is beyond our limits, and the names in each ROW can be told apart."""
    for text in inside.texts:
        nested.of_wire(text)  # raises where the spelling is not canonical
    if len(file.fields) > MAX_FIELDS or inside.depth > MAX_DEPTH:
        return False
    for row in inside.rows:
        if len({one.name for one in row.fields}) != len(row.fields):
            return False
    return all(map(str.strip, [one.name for one in inside.fields]))


class _Own(NamedTuple):
    """Our own key as one that is unknown, and the file without its value."""

    rest: bytes
    unknown: tuple[tuple[Place, str], ...] = ()


def _own(raw: bytes, file: SchemaFile) -> _Own | None:
    """Our own key, if there is one; None where it is better looked at together with the rest of the file."""
    value = bytes(file.schemas)
    if not value:
        return _Own(raw)
    found = read_json(value.decode())
    if found.faults or not isinstance(found.value, dict):
        return None
    # What stands last is it, or says the same: no other object of a file that was read this far can hold a null.
    at = raw.rfind(value)
    return _Own(raw[:at] + raw[at + len(value) :], (((PROVENANCE,), json.dumps(found.value, ensure_ascii=False)),))


def _once(raw: bytes, file: SchemaFile, inside: Parts) -> bool:
    """Whether no key stands twice, which msgspec does not tell; False where counting quotation marks cannot tell."""
    more = _quotes(raw) - _quotes_of(file, inside)
    return more == 0 or (more == 2 and file.comment is None and _NULL_COMMENT.match(raw, raw.rfind(b'"comment"')) is not None)


# What pypaimon writes on a table without comment.
_NULL_COMMENT = re.compile(rb'"comment"\s*:\s*null')


def _quotes(raw: bytes) -> int:
    """How many quotation marks delimit text in this JSON; -1 where counting cannot tell."""
    if b"\\" not in raw:
        return raw.count(b'"')
    return -1 if b"\\\\" in raw else raw.count(b'"') - raw.count(b'\\"')


def _quotes_of(file: SchemaFile, inside: Parts) -> int:
    """How many there would be if no key stood twice and nothing was null."""
    texts = len(_NEEDED) + 2 * (file.comment is not None) + (file.version is not UNSET) + (file.timeMillis is not UNSET)
    texts += bool(bytes(file.schemas))
    texts += len(file.partitionKeys) + len(file.primaryKeys) + 2 * len(file.options)
    for fields in (file.fields, inside.fields):
        given = len([1 for one in fields if one.description is not None]) + len([1 for one in fields if one.default is not None])
        texts += 5 * len(fields) + 2 * given  # three keys, a name, and a type that is text or is counted below
    texts += sum(_TEXTS_OF[root] * count for root, count in inside.containers.items())
    return 2 * texts


# How many texts a container has, its tag and keys included, less the one that it is counted as where it stands. A part that is a
# container counts as a text, too.
_TEXTS_OF = {Root.ROW: 2, Root.ARRAY: 3, Root.MULTISET: 3, Root.VECTOR: 4, Root.MAP: 5}


# ---------------------------------------------------------------- the tolerant reader


def _tolerant(raw: bytes) -> Decoded:
    reader = TypeReader(numbering=False)
    source = _parsed(raw, reader)
    if not reader.faults and isinstance(source, dict):
        file = _assembled(source, reader)
        if file is not None and not reader.faults:
            return Decoded(file, unknown=tuple((place, json.dumps(value, ensure_ascii=False)) for place, value in reader.unknown))
    if not reader.faults:
        reader.fault("json.invalid", "", f"a schema file is a JSON object, not {shown(source)}.", "Pass the whole file.")
    raise SchemaFileError.of(reader.faults)


def _parsed(raw: bytes, reader: TypeReader) -> Any:
    try:
        found = read_json(raw.decode())
    except UnicodeDecodeError as error:
        reader.fault("json.invalid", "", f"byte {error.start} is no UTF-8.", "Restore the file from a backup or another branch.")
        return None
    reader.faults += found.faults
    return found.value


def _assembled(source: Mapping[str, Any], reader: TypeReader) -> SchemaFile | None:
    """The file from its JSON object; every fault is noted with the reader."""
    reader.unknown += [((str(key),), value) for key, value in source.items() if key not in _KEYS]
    for key in _NEEDED:
        if key not in source or (source[key] is None and key != "options"):
            reader.fault("json.missing-key", key, f"the schema file has no {key!r}.", "Restore it; no reader can do without.")
    if reader.faults:
        return None
    columns = _listed(source, "fields", reader)
    if len(columns) > MAX_FIELDS:
        reader.fault("fields.too-many", "fields", f"there are {len(columns)} columns.", f"Keep them below {MAX_FIELDS}.")
        return None
    fields = [reader.field(one, "", 0, ("fields", number)) for number, one in enumerate(columns)]
    numbers = {key: reader.integer(source[key], key, key, bits) for key, bits in _NUMBERS.items() if source.get(key) is not None}
    return SchemaFile(
        id=numbers["id"] or 0,
        fields=tuple(one for one in fields if one is not None),
        highestFieldId=numbers["highestFieldId"] or 0,
        partitionKeys=_names(source, "partitionKeys", reader),
        primaryKeys=_names(source, "primaryKeys", reader),
        options=_options(source["options"], reader),
        version=numbers.get("version", FIRST_VERSION) or 0,
        comment=reader.optional(source, "comment", "comment"),
        timeMillis=numbers.get("timeMillis", 0) or 0,
    )


_NEEDED = ("id", "fields", "highestFieldId", "partitionKeys", "primaryKeys", "options")
_KEYS = frozenset({*_NEEDED, "version", "comment", "timeMillis"})
_NUMBERS = {"version": 32, "id": 32, "highestFieldId": 32, "timeMillis": 64}


def _listed(source: Mapping[str, Any], key: str, reader: TypeReader) -> list[Any]:
    value = source[key]
    if isinstance(value, list):
        return value
    reader.fault("json.wrong-type", key, f"{key!r} is {shown(value)}.", "Write a list.")
    return []


def _names(source: Mapping[str, Any], key: str, reader: TypeReader) -> tuple[str, ...]:
    names = _listed(source, key, reader)
    for one in names:
        if not isinstance(one, str):
            reader.fault("json.wrong-type", key, f"{shown(one)} is no column name.", "Write a list of names.")
    return tuple(one for one in names if isinstance(one, str))


def _options(source: Any, reader: TypeReader) -> dict[str, str]:
    if source is None:
        return {}
    if not isinstance(source, dict):
        reader.fault("json.wrong-type", "options", f"'options' is {shown(source)}.", "Write an object of text values.")
        return {}
    return {key: _option_text(value) for key, value in source.items()}


def _option_text(value: Any) -> str:
    """The text that Java takes a JSON value for."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        return ""
    return json.dumps(value)

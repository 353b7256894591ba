"""The strict reader of schema files: what Paimon, pypaimon and we ourselves write, straight into the values of `core.types`.

Some files need a second look here, at what is unusual in them only: unknown keys beside the known ones, types that are not
spelled canonically, members that are null. What this reader refuses goes to the tolerant one in `schema_file`, which names all faults.
"""

import json
from collections.abc import Iterable
from functools import cache
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from airflow_provider_schemas.core.common.strict_json import Place, read_json
from airflow_provider_schemas.core.schema.unknown_keys import KnownPart, Unknown
from airflow_provider_schemas.core.types.atomic import known
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import (
    MAX_DEPTH,
    MAX_FIELDS,
    Field,
    MapType,
    RowType,
    VectorType,
    Wire,
    of_wire,
    wire,
)
from airflow_provider_schemas.core.types.parsing import TypeReader
from airflow_provider_schemas.core.types.parts import Parts, parts
from airflow_provider_schemas.errors import SchemaError

Int = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]

# The one top-level key of our own: where this version comes from. It is about one version, so nothing copies it.
PROVENANCE = "schemas"
NEEDED = ("id", "fields", "highestFieldId", "partitionKeys", "primaryKeys", "options")
KEYS = frozenset({*NEEDED, "version", "comment", "timeMillis"})
_NOTHING = msgspec.Raw()


class Members(Struct, frozen=True):
    """The members of a schema file, in the order in which Java writes them; unknown keys are skipped."""

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
    """Our own key, as the file spells it."""


class SchemaFile(Members, frozen=True, forbid_unknown_fields=True):
    """The members of a schema file without unknown keys."""


class Decoded(NamedTuple):
    """A schema file and the unknown keys in it, each with its place."""

    file: Members
    parts: Parts | None = None
    """What the types are made of, where the reader has counted it."""
    unknown: Unknown = ()


_MEMBERS = msgspec.json.Decoder(Members)
_RAW_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def strictly_decoded(raw: bytes) -> Decoded | None:
    """Read a schema file; return None where the tolerant reader has to read it and name its faults, if there are any."""
    try:
        return _decode(raw)
    except msgspec.ValidationError as error:
        return _decode_known_part(raw, error)
    except (msgspec.DecodeError, SchemaError, RecursionError, ValueError):
        return None


def _decode(raw: bytes) -> Decoded | None:
    file = _MEMBERS.decode(raw)
    inside = parts(file.fields)
    spelling = _canonical_spelling(inside)
    if spelling is None or not _is_sound(file, inside):
        return None
    unknown = _unknown_keys(raw, file, inside)
    if unknown is None:
        return None
    if spelling:
        return Decoded(_respell(file, spelling), unknown=unknown)
    return Decoded(file, inside, unknown)


def _decode_known_part(raw: bytes, refused: msgspec.ValidationError) -> Decoded | None:
    """Read a file whose columns have unknown keys; return None where anything else is wrong with it."""
    try:
        known = KnownPart(raw)
        while (rest := known.without_refused(refused)) is not None:
            try:
                decoded = _decode(rest)
            except msgspec.ValidationError as error:
                refused = error
            else:
                return decoded and decoded._replace(unknown=(*decoded.unknown, *known.unknown))
    except (msgspec.DecodeError, SchemaError, RecursionError, ValueError):
        pass
    return None


def _is_sound(file: Members, inside: Parts) -> bool:
    """Return whether the file keeps our limits, and the names in each ROW differ and are not blank."""
    if len(file.fields) > MAX_FIELDS or inside.depth > MAX_DEPTH:
        return False
    for row in inside.rows:
        if len({field.name for field in row.fields}) != len(row.fields):
            return False
    return all(map(str.strip, [field.name for field in inside.fields]))


# ---------------------------------------------------------------- how types are spelled


def _canonical_spelling(inside: Parts) -> dict[str, str] | None:
    """Return the canonical text of every type that is spelled otherwise; None if one of them cannot be read."""
    spelling: dict[str, str] = {}
    for text in [text for text in inside.texts if known(text) is None and not _is_canonical(text)]:
        kind = TypeReader(numbering=False).read_text(text, "")
        if kind is None:
            return None
        spelling[text] = str(wire(kind))
    return spelling


def _is_canonical(text: str) -> bool:
    try:
        of_wire(text)
    except SchemaError:
        return False
    return True


def _respell(file: Members, spelling: dict[str, str]) -> Members:
    return msgspec.structs.replace(file, fields=tuple([_respell_field(field, spelling) for field in file.fields]))


def _respell_field(field: Field, spelling: dict[str, str]) -> Field:
    kind = _respell_wire(field.wire, spelling)
    if kind is field.wire:
        return field
    return Field(field.id, field.name, kind, field.description, field.default)


def _respell_wire(kind: Wire, spelling: dict[str, str]) -> Wire:
    """Return a part of the file with canonical spelling inside it; the types themselves are not read."""
    if isinstance(kind, str):
        return spelling.get(kind, kind)
    if isinstance(kind, RowType):
        return type(kind)(tuple([_respell_field(field, spelling) for field in kind.fields]))
    if isinstance(kind, MapType):
        return type(kind)(_respell_wire(kind.wire_key, spelling), _respell_wire(kind.wire_value, spelling))
    if isinstance(kind, VectorType):
        return type(kind)(_respell_wire(kind.wire, spelling), kind.length)
    return type(kind)(_respell_wire(kind.wire, spelling))


# ---------------------------------------------------------------- unknown keys, and keys that occur twice


def _unknown_keys(raw: bytes, file: Members, inside: Parts) -> Unknown | None:
    """Return the keys beside the known ones; None if any key occurs twice, which msgspec does not report, or a value is unsound.

    Every text in the file is accounted for: those that the values hold, those of keys that are null, those of unknown members.
    """
    own = bytes(file.schemas)
    members = {PROVENANCE: own} if own else {}
    more = _count_texts(raw) - _expected_texts(file, inside) - _count_texts(own)
    if more and b"null" in raw:
        more -= _count_nulls(raw)
    if more > 0:
        members = {key: bytes(value) for key, value in _RAW_MEMBERS.decode(raw).items() if key not in KEYS}
        more -= sum(1 + _count_texts(value) for key, value in members.items() if key != PROVENANCE)
    if more:
        return None
    return _read_members(members)


def _read_members(members: dict[str, bytes]) -> Unknown | None:
    unknown: list[tuple[Place, str]] = []
    for key, raw in members.items():
        value, faults = read_json(raw.decode())
        if faults or (key == PROVENANCE and not isinstance(value, dict)):
            return None
        unknown.append(((key,), json.dumps(value, ensure_ascii=False)))
    return tuple(unknown)


def _count_texts(raw: bytes) -> int:
    """Count the texts in this JSON by the quotation marks around them."""
    if b"\\" not in raw:
        return raw.count(b'"') // 2
    escapes = raw.replace(b"\\\\", b"")
    return (escapes.count(b'"') - escapes.count(b'\\"')) // 2


def _expected_texts(file: Members, inside: Parts) -> int:
    """Count the texts, keys included, of a file in which no key occurs twice, nothing is null and every key is known."""
    texts = len(NEEDED) + 2 * (file.comment is not None) + (file.version is not UNSET) + (file.timeMillis is not UNSET)
    texts += bool(bytes(file.schemas))
    texts += len(file.partitionKeys) + len(file.primaryKeys) + 2 * len(file.options)
    for fields in (file.fields, inside.fields):
        texts += 5 * len(fields)  # three keys, a name, and a type that is text or is counted below
        texts += 2 * len([1 for field in fields if field.description is not None])
        texts += 2 * len([1 for field in fields if field.default is not None])
    return texts + sum(_TEXTS_OF[root] * count for root, count in inside.containers.items())


# How many texts a container has, its tag and keys included, less the one as which the member that holds it is counted. A part that
# is a container counts as a text, too.
_TEXTS_OF = {Root.ROW: 2, Root.ARRAY: 3, Root.MULTISET: 3, Root.VECTOR: 4, Root.MAP: 5}


class _Part(Struct, gc=False):
    """A type, as far as members inside it can be null."""

    fields: "tuple[_Nullable, ...]" = ()
    element: "str | _Part" = ""
    key: "str | _Part" = ""
    value: "str | _Part" = ""


class _Nullable(Struct, gc=False):
    """A field, as far as its members can be null."""

    type: str | _Part
    description: str | UnsetType | None = UNSET
    defaultValue: str | UnsetType | None = UNSET  # noqa: N815  # the file spells it so


class _NullableFile(Struct, gc=False):
    """A file, as far as its members can be null."""

    fields: tuple[_Nullable, ...]
    comment: str | UnsetType | None = UNSET


@cache
def _null_decoder() -> "msgspec.json.Decoder[_NullableFile]":
    return msgspec.json.Decoder(_NullableFile)


def _count_nulls(raw: bytes) -> int:
    """Count the keys that are null and may hold a text. In decoded values they look like keys that are missing."""
    file = _null_decoder().decode(raw)
    count = int(file.comment is None)
    level = list(file.fields)
    while level:
        count += len([1 for field in level if field.description is None])
        count += len([1 for field in level if field.defaultValue is None])
        level = _inner_fields([field.type for field in level])
    return count


def _inner_fields(kinds: Iterable[str | _Part]) -> list[_Nullable]:
    """Return the fields of the outermost rows inside these types."""
    fields: list[_Nullable] = []
    parts: list[_Part] = [kind for kind in kinds if not isinstance(kind, str)]
    while parts:
        inner: list[str | _Part] = []
        for part in parts:
            fields += part.fields
            inner += (part.element, part.key, part.value)
        parts = [part for part in inner if not isinstance(part, str)]
    return fields

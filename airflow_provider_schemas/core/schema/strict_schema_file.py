"""The strict reader of schema files: what Paimon, pypaimon and we ourselves write, straight into the values of `core.types`.

Some files cost a second look here, and only at what is unusual in them: keys that nobody knows beside the known ones, types that are not
spelled canonically, members that are null. What this reader refuses goes to the tolerant one in `schema_file`, which names all faults.
"""

import json
from functools import cache
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.schema.unknown_keys import KnownPart, Place, Unknown
from airflow_provider_schemas.core.types.atomic import known
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import (
    MAX_DEPTH,
    MAX_FIELDS,
    Field,
    MapType,
    RowType,
    VectorType,
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
    """What a schema file says, in the order in which Java writes it; keys that nobody knows are skipped."""

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


class SchemaFile(Members, frozen=True, forbid_unknown_fields=True):
    """The same, where a key that nobody knows is refused."""


class Decoded(NamedTuple):
    """A schema file and the keys in it that we do not know, each with its place."""

    file: Members
    parts: Parts | None = None
    """What the types are made of, where that was found out."""
    unknown: Unknown = ()


_MEMBERS = msgspec.json.Decoder(Members)
_RAW_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def strictly_decoded(raw: bytes) -> Decoded | None:
    """Read a schema file; None where the tolerant reader has to say what is wrong, if anything is."""
    try:
        return _decoded(raw)
    except msgspec.ValidationError as error:
        return _decoded_known(raw, error)
    except (msgspec.DecodeError, SchemaError, RecursionError, ValueError):
        return None


def _decoded(raw: bytes) -> Decoded | None:
    file = _MEMBERS.decode(raw)
    inside = parts(file.fields)
    spelling = _spelling(inside)
    unknown = _unknown(raw, file, inside) if spelling is not None and _sound(file, inside) else None
    if unknown is None:
        return None
    if spelling:
        return Decoded(_respelled(file, spelling), unknown=unknown)
    return Decoded(file, inside, unknown)


def _decoded_known(raw: bytes, refused: msgspec.ValidationError) -> Decoded | None:
    """Read a file in whose columns are keys that nobody knows; None where anything else is the matter with it."""
    try:
        known = KnownPart(raw)
        while (rest := known.without_refused(refused)) is not None:
            try:
                decoded = _decoded(rest)
            except msgspec.ValidationError as error:
                refused = error
            else:
                return None if decoded is None else decoded._replace(unknown=(*decoded.unknown, *known.unknown))
    except (msgspec.DecodeError, SchemaError, RecursionError, ValueError):
        pass
    return None


def _sound(file: Members, inside: Parts) -> bool:
    """Whether nothing is beyond our limits, and the names in each ROW can be told apart."""
    if len(file.fields) > MAX_FIELDS or inside.depth > MAX_DEPTH:
        return False
    for row in inside.rows:
        if len({one.name for one in row.fields}) != len(row.fields):
            return False
    return all(map(str.strip, [one.name for one in inside.fields]))


# ---------------------------------------------------------------- how types are spelled


def _spelling(inside: Parts) -> dict[str, str] | None:
    """Give the canonical text of every type that is spelled otherwise; None if one of them is no type."""
    found: dict[str, str] = {}
    for text in [one for one in inside.texts if known(one) is None and not _is_canonical(one)]:
        kind = TypeReader(numbering=False).read_text(text, "")
        if kind is None:
            return None
        found[text] = str(wire(kind))
    return found


def _is_canonical(text: str) -> bool:
    try:
        of_wire(text)
    except SchemaError:
        return False
    return True


def _respelled(file: Members, spelling: dict[str, str]) -> Members:
    return msgspec.structs.replace(file, fields=tuple(_respelled_field(one, spelling) for one in file.fields))


def _respelled_field(field: Field, spelling: dict[str, str]) -> Field:
    kind = _respelled_wire(field.wire, spelling)
    return field if kind is field.wire else Field(field.id, field.name, kind, field.description, field.default)


def _respelled_wire(kind: Any, spelling: dict[str, str]) -> Any:
    """Spell the types inside a part of the file canonically, as the file spells parts: the types themselves are not read."""
    if type(kind) is str:
        return spelling.get(kind, kind)
    if isinstance(kind, RowType):
        return type(kind)(tuple(_respelled_field(one, spelling) for one in kind.fields))
    if isinstance(kind, MapType):
        return type(kind)(_respelled_wire(kind.wire_key, spelling), _respelled_wire(kind.wire_value, spelling))
    rest = (kind.length,) if isinstance(kind, VectorType) else ()
    return type(kind)(_respelled_wire(kind.wire, spelling), *rest)


# ---------------------------------------------------------------- keys that nobody knows, keys that stand twice


def _unknown(raw: bytes, file: Members, inside: Parts) -> Unknown | None:
    """Tell the keys beside the known ones; None if a key stands twice anywhere, which msgspec does not tell, or a value is unsound.

    Every text in the file is accounted for: those that the values hold, those of keys that are null, those of unknown members.
    """
    own = bytes(file.schemas)
    more = _texts(raw) - _texts_of(file, inside) - (_texts(own) if own else 0)
    members = {PROVENANCE: own} if own else {}
    if more and b"null" in raw:
        more -= _nulls(raw)
    if more > 0:
        members = {key: bytes(value) for key, value in _RAW_MEMBERS.decode(raw).items() if key not in KEYS}
        more -= sum(1 + _texts(value) for key, value in members.items() if key != PROVENANCE)
    return None if more else _values(members)


def _values(members: dict[str, bytes]) -> Unknown | None:
    found: list[tuple[Place, str]] = []
    for key, raw in members.items():
        value, faults = read_json(raw.decode())
        if faults or (key == PROVENANCE and not isinstance(value, dict)):
            return None
        found.append(((key,), json.dumps(value, ensure_ascii=False)))
    return tuple(found)


def _texts(raw: bytes) -> int:
    """Count the texts in this JSON by the quotation marks around them."""
    if b"\\" not in raw:
        return raw.count(b'"') // 2
    escapes = raw.replace(b"\\\\", b"")
    return (escapes.count(b'"') - escapes.count(b'\\"')) // 2


def _texts_of(file: Members, inside: Parts) -> int:
    """Count the texts, keys included, that there would be if no key stood twice, nothing was null and every key was known."""
    texts = len(NEEDED) + 2 * (file.comment is not None) + (file.version is not UNSET) + (file.timeMillis is not UNSET)
    texts += bool(bytes(file.schemas))
    texts += len(file.partitionKeys) + len(file.primaryKeys) + 2 * len(file.options)
    for fields in (file.fields, inside.fields):
        given = len([1 for one in fields if one.description is not None]) + len([1 for one in fields if one.default is not None])
        texts += 5 * len(fields) + 2 * given  # three keys, a name, and a type that is text or is counted below
    return texts + sum(_TEXTS_OF[root] * count for root, count in inside.containers.items())


# How many texts a container has, its tag and keys included, less the one that it is counted as where it stands. A part that is a
# container counts as a text, too.
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
    """A file, likewise."""

    fields: tuple[_Nullable, ...]
    comment: str | UnsetType | None = UNSET


@cache
def _nullable() -> "msgspec.json.Decoder[_NullableFile]":
    return msgspec.json.Decoder(_NullableFile)


def _nulls(raw: bytes) -> int:
    """Count the keys that are null where a text may stand. Whoever reads values cannot tell them from keys that are missing."""
    file = _nullable().decode(raw)
    count = int(file.comment is None)
    level = list(file.fields)
    while level:
        count += len([1 for one in level if one.description is None]) + len([1 for one in level if one.defaultValue is None])
        level = _inner_fields([one.type for one in level])
    return count


def _inner_fields(kinds: list[str | _Part]) -> list[_Nullable]:
    """Give the fields of the outermost rows inside these types."""
    found: list[_Nullable] = []
    held = [one for one in kinds if type(one) is not str]
    while held:
        found += [field for one in held for field in one.fields]  # type: ignore[union-attr]  # what is no text is a part
        held = [part for one in held for part in (one.element, one.key, one.value) if type(part) is not str]  # type: ignore[union-attr]  # likewise
    return found

"""Read the snapshots, changelogs and tags of a branch of a Paimon table: which schema each names, and which manifest lists.

They are small JSON files with the same keys, and are called anchors here. Hint files (EARLIEST, LATEST) and temporary files do not count.
Not every file that an anchor names must be there: engines delete what nobody reads any more.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.paimon.manifests import MAX_ID, NamedFile, file_name, reason
from airflow_provider_schemas.store.storage.files import Files

_NEWEST_FORMAT: Final = 3
_MAX_BYTES: Final = 16 * 1024 * 1024
_BATCH: Final = 512
_FIX: Final = "Restore it from a backup, or take it away with the engine that wrote it."


class AnchorKind(StrEnum):
    """The kinds of files that name manifest lists."""

    SNAPSHOT = "snapshot"
    CHANGELOG = "changelog"
    TAG = "tag"


class _FileKey(NamedTuple):
    """A key under which an anchor names a file, and for which kinds of anchors that file must be there."""

    key: str
    must: frozenset[AnchorKind]


# Who expires a snapshot deletes its changelog, although a tag or a branch made of the snapshot still names it;
# and its data, when only the changelog lives on.
_LISTS: Final = (
    _FileKey("baseManifestList", frozenset({AnchorKind.SNAPSHOT, AnchorKind.TAG})),
    _FileKey("deltaManifestList", frozenset({AnchorKind.SNAPSHOT, AnchorKind.TAG})),
    _FileKey("changelogManifestList", frozenset({AnchorKind.CHANGELOG})),
)
_STATISTICS: Final = _FileKey("statistics", frozenset({AnchorKind.SNAPSHOT, AnchorKind.TAG}))
_INDEX: Final = _FileKey("indexManifest", frozenset({AnchorKind.SNAPSHOT, AnchorKind.TAG}))

_NAMES: Final[Mapping[AnchorKind, "re.Pattern[str]"]] = {
    AnchorKind.SNAPSHOT: re.compile(r"snapshot-([0-9]{1,19})"),
    AnchorKind.CHANGELOG: re.compile(r"changelog-([0-9]{1,19})"),
    AnchorKind.TAG: re.compile(r"tag-(.+)", re.DOTALL),
}


class Mention(Struct, frozen=True):
    """A file that an anchor names."""

    file: NamedFile
    must: bool
    """Whether the table is broken without it."""


class Anchor(Struct, frozen=True):
    """A snapshot, a changelog or a tag."""

    kind: AnchorKind
    name: str
    """The number of a snapshot or a changelog, the name of a tag."""
    schema: int
    lists: tuple[Mention, ...]
    statistics: Mention | None = None
    index: Mention | None = None
    """The manifest of what lies beside the data files: indexes, and which of their rows are deleted."""


class AnchorListing(Struct):
    """The anchors of a branch: those that could be read, the paths of those that went meanwhile, and what is wrong with the others."""

    found: list[Anchor]
    gone: list[str]
    wrong: dict[str, str]
    snapshots: int = 0
    """How many snapshots there are."""


class _AnchorFile(NamedTuple):
    """The file of an anchor, as its name in a listing tells."""

    kind: AnchorKind
    name: str
    path: str


def anchors(files: Files, branch: str) -> AnchorListing:
    """Return what the folder of a branch (that of the table for the main branch) keeps alive."""
    listing = AnchorListing([], [], {})
    listed: list[_AnchorFile] = []
    # In this order: who moves a file from one of these folders to the next puts it there before it is deleted here.
    for kind in (AnchorKind.SNAPSHOT, AnchorKind.CHANGELOG, AnchorKind.TAG):
        listed += _list_anchors(files, branch, kind)
    listing.snapshots = sum(file.kind is AnchorKind.SNAPSHOT for file in listed)
    for start in range(0, len(listed), _BATCH):
        batch = listed[start : start + _BATCH]
        contents = files.read_many([file.path for file in batch], _MAX_BYTES)
        for file in batch:
            _add(listing, file, contents[file.path])
    return listing


def _list_anchors(files: Files, branch: str, kind: AnchorKind) -> Iterator[_AnchorFile]:
    folder = joined(branch, kind)
    for entry in files.list(folder):
        if not entry.folder and (match := _NAMES[kind].fullmatch(entry.name)):
            yield _AnchorFile(kind, match[1], joined(folder, entry.name))


def _add(listing: AnchorListing, file: _AnchorFile, data: bytes | SchemaError) -> None:
    try:
        listing.found.append(read_anchor(file.kind, file.name, data))
    except NotThereError:
        listing.gone.append(file.path)
    except SchemaError as error:
        listing.wrong[file.path] = reason(error)


def read_anchor(kind: AnchorKind, name: str, data: bytes | SchemaError) -> Anchor:
    """Return the snapshot, changelog or tag in these bytes."""
    content = _read_object(data)
    version = content.get("version", 1)
    if not isinstance(version, int) or version > _NEWEST_FORMAT:
        raise _wrong(f"its format version {shown(version)} is not known")
    if kind is not AnchorKind.TAG and content.get("id") != int(name):
        raise _wrong(f"it says that it is number {shown(content.get('id'))}")
    lists = tuple(mention for key in _LISTS if (mention := _read_mention(content, key, kind)))
    named = {key.key for key in _LISTS if content.get(key.key) is not None}
    if not {"baseManifestList", "deltaManifestList"} <= named:
        raise _wrong("it names no manifest lists")
    schema = _read_schema_id(content)
    statistics = _read_mention(content, _STATISTICS, kind)
    index = _read_mention(content, _INDEX, kind)
    return Anchor(kind, name, schema, lists, statistics, index)


def read_statistics(data: bytes | SchemaError) -> int:
    """Return the id of the schema that a statistics file names."""
    return _read_schema_id(_read_object(data))


def _read_object(data: bytes | SchemaError) -> dict[str, Any]:
    if not isinstance(data, bytes):
        raise data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise _wrong("it is no text in UTF-8") from None
    read = read_json(text)
    if read.faults:
        raise FormatError.of(read.faults)
    if not isinstance(read.value, dict):
        raise _wrong("it is no JSON object")
    return read.value


def _read_schema_id(content: Mapping[str, Any]) -> int:
    number = content.get("schemaId")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_ID:
        raise _wrong(f"it names {shown(number)} as the id of its schema")
    return number


def _read_mention(content: Mapping[str, Any], key: _FileKey, kind: AnchorKind) -> Mention | None:
    name = content.get(key.key)
    if name is None:
        return None
    size = content.get(f"{key.key}Size")
    if size is None:
        return Mention(NamedFile(file_name(name)), kind in key.must)
    if type(size) is not int or size < 0:
        raise _wrong(f"it names {shown(size)} as the size of a file")
    return Mention(NamedFile(file_name(name), size), kind in key.must)


def _wrong(why: str) -> FormatError:
    return FormatError(f"{why}.", code="paimon.snapshot", fix=_FIX)

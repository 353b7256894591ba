"""The snapshots, changelogs and tags of a branch of a Paimon table: which schema each names, and which manifest lists.

They are small JSON files with the same keys. Hint files (EARLIEST, LATEST) and temporary names say nothing.
Not everything that one names must be there: engines take away what nobody reads any more.
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
from airflow_provider_schemas.store.paimon.manifests import MAX_ID, Named, file_name, reason
from airflow_provider_schemas.store.storage.files import Files

_NEWEST_FORMAT: Final = 3
_MAX_BYTES: Final = 16 * 1024 * 1024
_BATCH: Final = 512
_FIX: Final = "Restore it from a backup, or take it away with the engine that wrote it."


class Kind(StrEnum):
    """What names manifest lists."""

    SNAPSHOT = "snapshot"
    CHANGELOG = "changelog"
    TAG = "tag"


class _Use(NamedTuple):
    """A key under which a file is named, and in which kinds that file must be there."""

    key: str
    must: frozenset[Kind]


# Whoever expires a snapshot takes along its changelog, although a tag or a branch made of one still names it;
# and its data, when only the changelog lives on.
_LISTS: Final = (
    _Use("baseManifestList", frozenset({Kind.SNAPSHOT, Kind.TAG})),
    _Use("deltaManifestList", frozenset({Kind.SNAPSHOT, Kind.TAG})),
    _Use("changelogManifestList", frozenset({Kind.CHANGELOG})),
)
_STATISTICS: Final = _Use("statistics", frozenset({Kind.SNAPSHOT, Kind.TAG}))
_INDEX: Final = _Use("indexManifest", frozenset({Kind.SNAPSHOT, Kind.TAG}))

_NAMES: Final[Mapping[Kind, "re.Pattern[str]"]] = {
    Kind.SNAPSHOT: re.compile(r"snapshot-([0-9]{1,19})"),
    Kind.CHANGELOG: re.compile(r"changelog-([0-9]{1,19})"),
    Kind.TAG: re.compile(r"tag-(.+)", re.DOTALL),
}


class Mention(Struct, frozen=True):
    """A file that a anchor names."""

    file: Named
    must: bool
    """Whether the table is broken without it."""


class Anchor(Struct, frozen=True):
    """A snapshot, a changelog or a tag."""

    kind: Kind
    name: str
    """The number of a snapshot or a changelog, the name of a tag."""
    schema: int
    lists: tuple[Mention, ...]
    statistics: Mention | None = None
    index: Mention | None = None
    """The manifest of what lies beside the data files: indexes, and which of their rows are deleted."""


class Anchors(Struct):
    """What a branch keeps alive: what could be read, by path what went meanwhile, and what is wrong with the others."""

    found: list[Anchor]
    gone: list[str]
    wrong: dict[str, str]
    snapshots: int = 0
    """How many snapshots are there."""


def anchors(files: Files, branch: str) -> Anchors:
    """What the folder of a branch (that of the table for the main branch) keeps alive."""
    answer = Anchors([], [], {})
    # In this order: what goes from one folder has been put into the next one before, by whoever keeps it.
    listed = [one for kind in (Kind.SNAPSHOT, Kind.CHANGELOG, Kind.TAG) for one in _listed(files, branch, kind)]
    answer.snapshots = sum(kind is Kind.SNAPSHOT for kind, _, _ in listed)
    for start in range(0, len(listed), _BATCH):
        batch = listed[start : start + _BATCH]
        data = files.read_many([path for _, _, path in batch], _MAX_BYTES)
        for kind, name, path in batch:
            _take(answer, kind, name, path, data[path])
    return answer


def _listed(files: Files, branch: str, kind: Kind) -> Iterator[tuple[Kind, str, str]]:
    folder = joined(branch, kind)
    for entry in files.list(folder):
        if not entry.folder and (found := _NAMES[kind].fullmatch(entry.name)):
            yield kind, found[1], joined(folder, entry.name)


def _take(answer: Anchors, kind: Kind, name: str, path: str, data: bytes | SchemaError) -> None:
    try:
        answer.found.append(read_anchor(kind, name, data))
    except NotThereError:
        answer.gone.append(path)
    except SchemaError as error:
        answer.wrong[path] = reason(error)


def read_anchor(kind: Kind, name: str, data: bytes | SchemaError) -> Anchor:
    """The snapshot, changelog or tag in these bytes."""
    about = _object(data)
    if not isinstance(version := about.get("version", 1), int) or version > _NEWEST_FORMAT:
        raise _wrong(f"its format version {shown(version)} is not known")
    if kind is not Kind.TAG and about.get("id") != int(name):
        raise _wrong(f"it says that it is number {shown(about.get('id'))}")
    lists = tuple(one for use in _LISTS if (one := _mention(about, use, kind)))
    named = {use.key for use in _LISTS if about.get(use.key) is not None}
    if not {"baseManifestList", "deltaManifestList"} <= named:
        raise _wrong("it names no manifest lists")
    return Anchor(kind, name, _schema_id(about), lists, _mention(about, _STATISTICS, kind), _mention(about, _INDEX, kind))


def read_statistics(data: bytes | SchemaError) -> int:
    """The schema that a statistics file names."""
    return _schema_id(_object(data))


def _object(data: bytes | SchemaError) -> dict[str, Any]:
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


def _schema_id(about: Mapping[str, Any]) -> int:
    number = about.get("schemaId")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_ID:
        raise _wrong(f"it names {shown(number)} as the id of its schema")
    return number


def _mention(about: Mapping[str, Any], use: _Use, kind: Kind) -> Mention | None:
    name = about.get(use.key)
    if name is None:
        return None
    size = about.get(f"{use.key}Size")
    if size is not None and (type(size) is not int or size < 0):
        raise _wrong(f"it names {shown(size)} as the size of a file")
    return Mention(Named(file_name(name), -1 if size is None else size), kind in use.must)


def _wrong(why: str) -> FormatError:
    return FormatError(f"{why}.", code="paimon.snapshot", fix=_FIX)

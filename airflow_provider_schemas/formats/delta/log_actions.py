"""The lines of a commit that say something about the schema: metaData, protocol and commitInfo. All others are skipped unread.

A commit of a large table has a line for each file that came or went, and the lines that count are few.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

_FIX: Final = "Restore the file; where its writer was killed, no reader of Delta goes on, either."
# A line that has none of these has no action of ours. An escape may hide a key.
_WORDS: Final = (b"metaData", b"protocol", b"commitInfo", b"\\u")
_MOST_ORIGIN: Final = 200


class Metadata(Struct, frozen=True, rename="camel", gc=False):
    """What a metaData action says of the table from then on."""

    schema_string: str
    id: str | None = None
    description: str | None = None
    partition_columns: tuple[str, ...] | None = None
    configuration: Mapping[str, Any] | None = None

    @property
    def settings(self) -> Mapping[str, str]:
        """The properties of the table, as text."""
        return {key: str(value) for key, value in (self.configuration or {}).items() if value is not None}


class Protocol(Struct, frozen=True, rename="camel", gc=False):
    """What a reader and a writer have to know."""

    min_reader_version: int = 1
    min_writer_version: int = 1
    reader_features: tuple[str, ...] | None = None
    writer_features: tuple[str, ...] | None = None


class CommitInfo(Struct, frozen=True, gc=False):
    """What a writer says about its commit: nobody checks it."""

    moment: int | None = None
    """Milliseconds since 1970."""
    origin: str = ""
    """Who, how, and with what."""


class Actions(Struct, frozen=True, gc=False):
    """What a commit, or a checkpoint, says of the schema."""

    metadata: Metadata | None = None
    protocol: Protocol | None = None
    info: CommitInfo = CommitInfo()


class _Line(Struct, gc=False):
    """A line of a commit."""

    meta_data: Metadata | UnsetType | None = msgspec.field(default=UNSET, name="metaData")
    protocol: Protocol | UnsetType | None = UNSET
    commit_info: Any = msgspec.field(default=None, name="commitInfo")


_LINE: Final = msgspec.json.Decoder(_Line)


def read_actions(data: bytes, path: str = "") -> Actions:
    """Return what the lines of a commit say of the schema, or raise a FormatError that names the line."""
    metadata: Metadata | None = None
    protocol: Protocol | None = None
    info = CommitInfo()
    for number, line in _lines(data):
        read = _decode(line, number, path)
        if isinstance(read.meta_data, Metadata):
            metadata = read.meta_data
        if isinstance(read.protocol, Protocol):
            protocol = read.protocol
        if isinstance(read.commit_info, Mapping):
            info = _commit_info(read.commit_info)
    return Actions(metadata, protocol, info)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that may hold an action of ours, one after the other: a copy of all would take as much memory as the file."""
    start = 0
    number = 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            end = len(data)
        number += 1
        if any(data.find(word, start, end) >= 0 for word in _WORDS):
            yield number, data[start:end]
        start = end + 1


def _decode(line: bytes, number: int, path: str) -> _Line:
    try:
        return _LINE.decode(line.lstrip(b"\xef\xbb\xbf"))
    except RecursionError:
        message = f"line {number} is nested too deep."
        raise FormatError(message, code="json.too-deep", path=path, fix=_FIX) from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        message = f"line {number} is no action of Delta: {shown(str(error))}."
        raise FormatError(message, code="delta.bad-action", path=path, fix=_FIX) from None


# ---------------------------------------------------------------- who and when

_WHO: Final = ("userName", "userId")
# Early versions of deltalake, and Trino, name themselves in other places.
_WITH_WHAT: Final = ("engineInfo", "clientVersion", "clusterId")
_TASKS: Final = (("job", ("jobName", "jobId")), ("notebook", ("notebookId",)))


def _commit_info(info: Mapping[str, Any]) -> CommitInfo:
    moment = _number(info.get("inCommitTimestamp"))
    if moment is None:
        moment = _number(info.get("timestamp"))
    words = [
        _first(info, _WHO),
        *(_first(info.get(key), names) for key, names in _TASKS),
        _text(info, "operation"),
        _first(info, _WITH_WHAT),
    ]
    return CommitInfo(moment, ", ".join(word for word in words if word)[:_MOST_ORIGIN])


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _first(value: object, names: tuple[str, ...]) -> str:
    """Return the first of some texts that an object has."""
    if not isinstance(value, Mapping):
        return ""
    return next((text for name in names if (text := _text(value, name))), "")


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return " ".join(text.split()) if isinstance(text, str) else ""

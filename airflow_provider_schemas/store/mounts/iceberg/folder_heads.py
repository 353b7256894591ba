"""Tell which of the metadata files in a folder is the current one, where no catalog is asked.

Hadoop's tables name their files v1, v2, ...; a commit is the rename to the next name, so that the highest one counts. The files of a
catalog are called 00001-<uuid>; writers that lost leave files of the same number, and a table that was dropped and made again begins
with 0 beside the old files. There the newest file counts that no other file follows; where two files may be it, nobody may guess.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata
from airflow_provider_schemas.store.storage.files import ListingEntry

HINT: Final = "version-hint.text"
_NAME: Final = re.compile(r"(?:v(?P<plain>\d{1,9})|(?P<number>\d{1,9})-.+?)(?:\.gz)?\.metadata\.json(?:\.gz)?")
_ENDINGS: Final = (".metadata.json", ".metadata.json.gz")


class HeadCandidate(NamedTuple):
    """A metadata file by its name."""

    number: int
    """What it is called by: the number of its version; -1 if its name has none."""
    plain: bool
    """Whether it has a name of Hadoop, which no second writer can have."""
    entry: ListingEntry

    @property
    def name(self) -> str:
        return self.entry.name


def is_metadata(name: str) -> bool:
    """Return whether a file is called as metadata files are."""
    return name.endswith(_ENDINGS)


def metadata_files(entries: Iterable[ListingEntry]) -> tuple[HeadCandidate, ...]:
    """Return the metadata files in a listing, by number and name."""
    files = (_read_name(entry) for entry in entries if not entry.folder and is_metadata(entry.name))
    return tuple(sorted(files, key=lambda file: (file.number, file.name)))


def _read_name(entry: ListingEntry) -> HeadCandidate:
    match = _NAME.fullmatch(entry.name)
    if match is None:
        return HeadCandidate(-1, False, entry)
    return HeadCandidate(int(match["plain"] or match["number"]), match["plain"] is not None, entry)


def hinted(files: Sequence[HeadCandidate], hint: bytes) -> HeadCandidate | None:
    """Return the file that the hint beside the files names: by its number, or by its name. None if it names none of them."""
    text = hint.decode("utf-8", "replace").strip()
    names = {text, *(f"{text}{ending}" for ending in _ENDINGS)}
    for file in files:
        if file.name in names:
            return file
    numbered = [file for file in files if text.removeprefix("v").isdecimal() and file.number == int(text.removeprefix("v")[:9])]
    return numbered[0] if len(numbered) == 1 else None


def candidates(files: Sequence[HeadCandidate]) -> tuple[HeadCandidate, ...]:
    """Return the files of which one is current: those with the highest number, and the one that was written last."""
    top = [file for file in files if file.number == files[-1].number]
    if all(file.plain for file in files):
        return tuple(top)
    newest = max(files, key=lambda file: (file.entry.modified or 0, file.number))
    return tuple(dict.fromkeys((*top, newest)))


def choose(read: Mapping[str, IcebergMetadata], where: str) -> str:
    """Return the name of the current file among candidates. Raise a StorageError where two may be it, and differ in their schemas."""
    followed = {_base(entry.metadata_file) for metadata in read.values() for entry in metadata.metadata_log}
    left = {name: metadata for name, metadata in read.items() if name not in followed} or read
    newest = max(left, key=lambda name: left[name].last_updated_ms or 0)
    rivals = [name for name, metadata in left.items() if metadata.uuid == left[newest].uuid]
    if len({_schema_of(left[name]) for name in rivals}) > 1:
        names = " or ".join(shown(name) for name in sorted(rivals))
        message = f"{where} does not tell which metadata is current, {names}: writers that lost a race leave such files, too."
        fix = "Mount the table through its catalog, or by the URL of the metadata file that counts."
        raise StorageError(message, code="mount.ambiguous-head", path=where, fix=fix)
    return newest


def _base(location: str) -> str:
    return location.rpartition("/")[2]


def _schema_of(metadata: IcebergMetadata) -> tuple[int, str]:
    number = metadata.current_schema_id
    return number, metadata.digest(number) if number in metadata.schema_ids else ""

"""A look at the data of a described table: the columns in the newest files, or why none was read."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.store.common.data_location import is_absolute
from airflow_provider_schemas.store.footers.described import READ, Described
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.keepers import KEPT_FORMATS, folders_around, keeper_of
from airflow_provider_schemas.store.footers.newest_file import LISTINGS, DataEntry, DataFolder, newest_files
from airflow_provider_schemas.store.storage.errors import passing
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.local import LocalFiles

DESCRIPTION: Final = "description"
_PAIMON: Final = "paimon"
_SCHEMAS: Final = "schema"
_INSTALL: Final = 'Run: pip install "airflow-provider-schemas[arrow]"'
_MOUNT: Final = "Mount it, or correct the location of the table. Where nothing was written yet, make the empty folder."
_PATTERN: Final = re.compile(r"[*?{\[]")
# How many listings a thorough look may take, when a table is adopted or comes to lie elsewhere.
THOROUGH: Final = 100
_WHOLE_PATH: Final = "Write the whole path, or the URL, as `location:` of a table file, and evolve the table to it."
_NO_PATTERN: Final = "Name the folder that all files of the table lie below."
_SWITCH: Final = 'Take "look": false out of the connection, or pass look=True.'
_BY_HAND: Final = "Compare the description with the table by its own engine, and evolve the description whenever the table is changed."

# The first bytes of all files of a format. Parquet has a second mark, for files whose footer is encrypted.
_MAGIC: Final = {b"PAR1": "parquet", b"PARE": "parquet", b"ORC": "orc", b"Obj\x01": "avro"}
_MAGIC_FORMATS: Final = frozenset(_MAGIC.values())
_LONGEST_MAGIC: Final = 4
_SHORTEST_FILE: Final = 8

# Opens the files below a location.
OpenLocation = Callable[[str], Files]


class Obstacle(StrEnum):
    """Why the columns of a folder of data are unknown, for callers that decide by it."""

    FILE = "a file"
    TOO_DEEP = "too deep"
    KEPT = "kept"
    OTHER = "other"


class Unread(NamedTuple):
    """A file that cannot be read as what it is described as."""

    path: str
    message: str
    fix: str
    looks_like: str = ""
    """The format that its first bytes belong to; empty if they were not read, or belong to none."""
    broken_off: bool = False
    """Whether it is too short to have a format at all."""


class DataLook(Struct, frozen=True, kw_only=True):
    """The newest footers in a folder of data, or why none was read."""

    folder: str
    """Without credentials."""
    footers: tuple[tuple[DataEntry, Footer], ...] = ()
    """Of the newest files, the newest first."""
    files: int = 0
    """How many files the listing of that folder has."""
    unread: tuple[Unread, ...] = ()
    """The newest files that cannot be read as what they are described as."""
    reason: str = ""
    """Why no footer was read; empty if one was, or if there is no file yet."""
    fix: str = ""
    obstacle: Obstacle | None = None
    """The kind of that reason, for callers that decide by it."""
    kept_by: str = ""
    """The format of tables that keeps the folder, if the description does not say so."""
    listings: int = 0
    """How many listings it took."""

    @property
    def judged_by(self) -> str:
        if not self.footers:
            return DESCRIPTION
        return f"footer ({len(self.footers)} of {self.files:,})"


def look(
    about: Described,
    opened: OpenLocation | None,
    *,
    allowed: bool,
    most: int = 1,
    thorough: bool = False,
    meanwhile: Iterable[Callable[[], object]] = (),
) -> DataLook:
    """Return the footers of the newest files, or the reason why there are none. Errors of a storage that may pass are raised.

    A thorough look goes as deep as the folders are, and compares the stated format with the files also where no footer is read.
    The calls in `meanwhile` run beside the reading of a footer, for requests whose answers are needed later. Their errors are ignored.
    """
    place = without_credentials(about.location)
    prevented = _not_allowed(about, opened, allowed, thorough)
    if prevented is not None or opened is None:
        reason, fix = prevented or ("", "")
        return DataLook(folder=place, reason=reason, fix=fix, obstacle=Obstacle.OTHER)
    try:
        return _Look(about, opened, place, most, thorough=thorough, meanwhile=tuple(meanwhile)).run()
    except ImportError as error:
        return DataLook(folder=place, reason=f"{error.name or 'pyarrow'} is not installed", fix=_INSTALL, obstacle=Obstacle.OTHER)
    except SchemaError as error:
        if passing(error):
            raise _with_switch(error) from error
        return DataLook(folder=place, reason=_reason(error.message, place), fix=error.fix or _SWITCH, obstacle=Obstacle.OTHER)


def _not_allowed(about: Described, opened: OpenLocation | None, allowed: bool, thorough: bool) -> tuple[str, str] | None:
    """Return why the data are not even listed, and what to do; None if they are."""
    if about.format not in READ and not thorough:
        return _footers_not_read(about), _BY_HAND
    if not allowed:
        return "looking at data is switched off", _SWITCH
    if opened is None:
        return "a store on a Spark session does not look at data", "Open the store without Spark: SchemaStore(url)."
    return None


def _footers_not_read(about: Described) -> str:
    return f"its data are {shown(about.format)[1:-1]}, of which no footer is read here"


class _Look:
    """A look at a folder that may be listed."""

    def __init__(
        self,
        about: Described,
        opened: OpenLocation,
        place: str,
        most: int,
        *,
        thorough: bool,
        meanwhile: tuple[Callable[[], object], ...],
    ) -> None:
        self.about = about
        self.opened = opened
        self.place = place
        self.most = most
        self.thorough = thorough
        self.listings = THOROUGH if thorough else LISTINGS
        self.meanwhile = meanwhile

    def run(self) -> DataLook:
        """List the folder, and read the footers of its newest files."""
        if self.about.format in READ:
            import pyarrow  # noqa: F401  # who cannot read a footer needs no listing
        files = self.opened(self.about.location)
        if isinstance(files, LocalFiles) and not is_absolute(self.about.location):
            reason = f"its location {shown(self.place)} is relative, and programs are at work in many folders"
            return self._without(Obstacle.OTHER, reason, _WHOLE_PATH)
        folder = newest_files(files, self.listings)
        obstacle = self._find_obstacle(files, folder)
        if obstacle is not None:
            return obstacle
        if self.about.format not in READ:
            return self._compare_formats(files, folder)
        if not (folder.files and self.meanwhile):
            return self._read_footers(files, folder)
        with ThreadPoolExecutor(len(self.meanwhile), "schemas-look") as pool:
            for call in self.meanwhile:
                pool.submit(call)
            return self._read_footers(files, folder)

    def _find_obstacle(self, files: Files, folder: DataFolder) -> DataLook | None:
        """Return the look if it ends at something else than files of data."""
        if folder.no_folder:
            return self._at_file()
        kept = self._find_keeper(folder)
        if kept is not None:
            return kept
        if folder.given_up:
            return self._without(Obstacle.TOO_DEEP, f"the newest file was not come to in {self.listings} listings", _BY_HAND)
        if folder.files or folder.kept_by:
            return None
        return self._at_nothing(files)

    def _at_file(self) -> DataLook:
        """Return the look where the location is a file."""
        parent = _folder_of(self.about.location)
        kept_by, folder = _keeper_among([parent, *folders_around(parent)], self.opened)
        if kept_by:
            return self._kept(kept_by, folder)
        reason = f"{self.place} is a file, and no folder of data"
        return self._without(Obstacle.FILE, reason, f"Name its folder as the location: {_folder_of(self.place)}.")

    def _find_keeper(self, folder: DataFolder) -> DataLook | None:
        """Return the look where a format of tables keeps the folder, one in it or one around it, and the description does not say so."""
        kept_by = folder.kept_by
        kept = f"{self.place}/{folder.kept}" if folder.kept else self.place
        if not kept_by:
            kept_by, kept = _keeper_among(folders_around(self.about.location), self.opened)
        if not kept_by or (self._is_stated(kept_by) and kept == self.place):
            return None
        return self._kept(kept_by, kept)

    def _at_nothing(self, files: Files) -> DataLook | None:
        """Return the look where there is no file; None for an empty folder. Object stores have no folders."""
        local = files.protocol == "file"
        if local and os.path.isdir(files.url):  # noqa: PTH112  # a string, as the storage has it
            return None
        if _PATTERN.search(self.place):
            return self._without(Obstacle.OTHER, f"{self.place} is a pattern, and no folder", _NO_PATTERN)
        if not local:
            return None
        return self._without(Obstacle.OTHER, f"there is no folder {self.place} here", _MOUNT)

    def _is_stated(self, keeper: str) -> bool:
        return keeper.lower() == self.about.format

    def _kept(self, keeper: str, folder: str) -> DataLook:
        folder_is = "the folder is" if folder == self.place else f"{folder} is"
        reason = f"{folder_is} kept by {keeper}, whose schema says what is in it"
        return msgspec.structs.replace(self._without(Obstacle.KEPT, reason, _BY_HAND), kept_by=keeper, folder=folder)

    def _without(self, obstacle: Obstacle, reason: str, fix: str) -> DataLook:
        return DataLook(folder=self.place, reason=reason, fix=fix, obstacle=obstacle)

    def _read_footers(self, files: Files, folder: DataFolder) -> DataLook:
        from airflow_provider_schemas.store.footers.read_footer import read_footer

        footers: list[tuple[DataEntry, Footer]] = []
        unread: list[Unread] = []
        for entry in folder.files[: self.most]:
            try:
                footers.append((entry, read_footer(files, entry, self.about.format)))
            except FormatError as error:
                unread.append(self._unread(files, entry, error))
        answer = DataLook(
            folder=self.place, footers=tuple(footers), files=len(folder.files), unread=tuple(unread), listings=folder.listings
        )
        if footers or not unread:
            return answer
        return msgspec.structs.replace(answer, reason=unread[0].message, fix=unread[0].fix, obstacle=Obstacle.OTHER)

    def _unread(self, files: Files, entry: DataEntry, error: FormatError) -> Unread:
        looks_like = _format_by_magic(files, entry) if self.thorough else ""
        return Unread(entry.path, _reason(error.message, self.place), error.fix, looks_like, not _is_long_enough(entry))

    def _compare_formats(self, files: Files, folder: DataFolder) -> DataLook:
        """Compare the first bytes of the files with a format of which no footer is read."""
        unread: tuple[Unread, ...] = ()
        if not self._is_kept_as_stated(folder):
            unread = tuple(self._other_formats(files, folder))
        without = self._without(Obstacle.OTHER, _footers_not_read(self.about), _BY_HAND)
        return msgspec.structs.replace(without, unread=unread, files=len(folder.files))

    def _is_kept_as_stated(self, folder: DataFolder) -> bool:
        """Return whether the stated format of tables keeps the folder. Paimon's first version comes before its first data."""
        return self._is_stated(folder.kept_by) or (self.about.format == _PAIMON and _SCHEMAS in folder.folders)

    def _other_formats(self, files: Files, folder: DataFolder) -> Iterator[Unread]:
        """Yield the newest files that are not of the stated format."""
        stated = self.about.format
        for entry in folder.files[: self.most]:
            looks_like = _format_by_magic(files, entry)
            if stated in KEPT_FORMATS:
                yield Unread(entry.path, f"{entry.path} is there, and nothing of {shown(stated)[1:-1]}", "", looks_like)
            elif looks_like != stated and (looks_like or (stated in _MAGIC_FORMATS and _is_long_enough(entry))):
                yield Unread(entry.path, f"{entry.path} does not begin as {shown(stated)[1:-1]} does", "", looks_like)


def _is_long_enough(entry: DataEntry) -> bool:
    """Return whether a file may be whole: a shorter one was cut off, and says nothing about its format."""
    return entry.size is None or entry.size >= _SHORTEST_FILE


def _format_by_magic(files: Files, entry: DataEntry) -> str:
    """Return the format of a file by its first bytes; empty if they belong to none, or cannot be read."""
    if not _is_long_enough(entry):
        return ""
    try:
        first = files.read_part(entry.path, 0, _LONGEST_MAGIC)
    except SchemaError as error:
        if passing(error):
            raise
        return ""
    return next((kind for magic, kind in _MAGIC.items() if first.startswith(magic)), "")


def _keeper_among(folders: Iterable[str], opened: OpenLocation) -> tuple[str, str]:
    """Return the first format of tables that keeps one of the folders, and that folder; empty texts if none does, or access is denied."""
    for folder in folders:
        try:
            kept_by = keeper_of(opened(folder))
        except SchemaError as error:
            if passing(error):
                raise
            return "", ""
        if kept_by:
            return kept_by, without_credentials(folder)
    return "", ""


def _folder_of(place: str) -> str:
    return place.rstrip("/").rpartition("/")[0] or "/"


def _reason(message: str, place: str) -> str:
    text = message.rstrip(".")
    if place in text:
        return text
    return f"{text} ({place})"


def _with_switch(error: SchemaError) -> SchemaError:
    """Return the error with the setting that turns the look off, for connections without access to the data."""
    fix = f'{error.fix} If the data are never reached from here, write "look": false into the connection.'
    return type(error).of([fault._replace(fix=fix) for fault in error.faults])

"""A look at the data of a described table: what the newest file says of its columns, or why nothing was looked at."""

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
from airflow_provider_schemas.store.footers.file_signs import SIGNED, format_of, is_long_enough
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
# How many listings may be asked for once, when a table is adopted or comes to lie elsewhere.
THOROUGH: Final = 100
_WHOLE: Final = "Write the whole path, or the URL, as `location:` of a table file, and evolve the table to it."
_NO_PATTERN: Final = "Name the folder that all files of the table lie below."
_SWITCH: Final = 'Take "look": false out of the connection, or pass look=True.'
_BY_HAND: Final = "Compare the description with the table by its own engine, and evolve the description whenever the table is changed."


class Obstacle(StrEnum):
    """Why a folder of data says nothing of its columns, as far as somebody decides by it."""

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
    """The format that its first bytes tell, where somebody asked for it."""
    broken_off: bool = False
    """Whether it is too short to tell of which format it should be."""


class DataLook(Struct, frozen=True, kw_only=True):
    """What was seen."""

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
    """The same for whoever decides by it."""
    kept_by: str = ""
    """The format of tables that keeps the folder, if the description does not say so."""
    listings: int = 0
    """How many listings it took."""

    @property
    def judged_by(self) -> str:
        return f"footer ({len(self.footers)} of {self.files:,})" if self.footers else DESCRIPTION


def look(
    about: Described,
    opened: Callable[[str], Files] | None,
    *,
    allowed: bool,
    most: int = 1,
    thorough: bool = False,
    meanwhile: Iterable[Callable[[], object]] = (),
) -> DataLook:
    """The footers of the newest files, or the reason why not. A storage that may answer a little later is an error.

    A thorough look goes as deep as the folders are, and compares the stated format with the files also where no footer is read.
    Meanwhile is called beside the reading of a footer: what is asked there will be wanted then. What goes wrong there is told later.
    """
    place = without_credentials(about.location)
    reason = _not_allowed(about, opened, allowed, thorough)
    if reason is not None or opened is None:
        said, fix = reason or ("", "")
        return DataLook(folder=place, reason=said, fix=fix, obstacle=Obstacle.OTHER)
    try:
        return _Look(about, opened, place, most, thorough=thorough, meanwhile=tuple(meanwhile)).seen()
    except ImportError as error:
        return DataLook(folder=place, reason=f"{error.name or 'pyarrow'} is not installed", fix=_INSTALL, obstacle=Obstacle.OTHER)
    except SchemaError as error:
        if passing(error):
            raise _passing(error) from error
        return DataLook(folder=place, reason=_reason(error.message, place), fix=error.fix or _SWITCH, obstacle=Obstacle.OTHER)


def _not_allowed(about: Described, opened: Callable[[str], Files] | None, allowed: bool, thorough: bool) -> tuple[str, str] | None:
    """Why the data are not even listed, and what to do."""
    if about.format not in READ and not thorough:
        return _without_footers(about), _BY_HAND
    if not allowed:
        return "looking at data is switched off", _SWITCH
    if opened is None:
        return "a store on a Spark session does not look at data", "Open the store without Spark: SchemaStore(url)."
    return None


def _without_footers(about: Described) -> str:
    return f"its data are {shown(about.format)[1:-1]}, of which no footer is read here"


class _Look:
    """A look at a folder that may be listed."""

    def __init__(
        self,
        about: Described,
        opened: Callable[[str], Files],
        place: str,
        most: int,
        *,
        thorough: bool,
        meanwhile: tuple[Callable[[], object], ...],
    ) -> None:
        self.about, self.opened, self.place, self.most, self.thorough = about, opened, place, most, thorough
        self.meanwhile = meanwhile

    def seen(self) -> DataLook:
        """What the folder says."""
        if self.about.format in READ:
            import pyarrow  # noqa: F401  # who cannot read a footer needs no listing
        files = self.opened(self.about.location)
        if isinstance(files, LocalFiles) and not is_absolute(self.about.location):
            reason = f"its location {shown(self.place)} is relative, and programs are at work in many folders"
            return self._none(Obstacle.OTHER, reason, _WHOLE)
        found = newest_files(files, THOROUGH if self.thorough else LISTINGS)
        obstacle = self._obstacle(files, found)
        if obstacle is not None:
            return obstacle
        if self.about.format not in READ:
            return self._without_footers(files, found)
        if not (found.files and self.meanwhile):
            return self._with_footers(files, found)
        with ThreadPoolExecutor(len(self.meanwhile), "schemas-look") as pool:
            for call in self.meanwhile:
                pool.submit(call)
            return self._with_footers(files, found)

    def _obstacle(self, files: Files, found: DataFolder) -> DataLook | None:
        """The look, where it ends at something else than files of data."""
        if found.no_folder:
            kept_by, folder = _kept_at(_folder_of(self.about.location), self.opened)
            if kept_by:
                return self._kept(kept_by, folder)
            reason = f"{self.place} is a file, and no folder of data"
            return self._none(Obstacle.FILE, reason, f"Name its folder as the location: {_folder_of(self.place)}.")
        kept_by, folder = found.kept_by, f"{self.place}/{found.kept}" if found.kept else self.place
        if not kept_by:
            kept_by, folder = _kept_around(self.about.location, self.opened)
        if kept_by and not (self._is_stated(kept_by) and folder == self.place):
            return self._kept(kept_by, folder)
        if found.given_up:
            most = THOROUGH if self.thorough else LISTINGS
            return self._none(Obstacle.TOO_DEEP, f"the newest file was not come to in {most} listings", _BY_HAND)
        return None if found.files or found.kept_by else self._absent(files)

    def _absent(self, files: Files) -> DataLook | None:
        """The look where no file was met; None for an empty folder. Object stores have no folders."""
        local = files.protocol == "file"
        if local and os.path.isdir(files.url):  # noqa: PTH112  # a string, as the storage has it
            return None
        if _PATTERN.search(self.place):
            return self._none(Obstacle.OTHER, f"{self.place} is a pattern, and no folder", _NO_PATTERN)
        return self._none(Obstacle.OTHER, f"there is no folder {self.place} here", _MOUNT) if local else None

    def _is_stated(self, keeper: str) -> bool:
        return keeper.lower() == self.about.format

    def _kept(self, keeper: str, folder: str) -> DataLook:
        folder_is = "the folder is" if folder == self.place else f"{folder} is"
        reason = f"{folder_is} kept by {keeper}, whose schema says what is in it"
        return msgspec.structs.replace(self._none(Obstacle.KEPT, reason, _BY_HAND), kept_by=keeper, folder=folder)

    def _none(self, obstacle: Obstacle, reason: str, fix: str) -> DataLook:
        return DataLook(folder=self.place, reason=reason, fix=fix, obstacle=obstacle)

    def _with_footers(self, files: Files, found: DataFolder) -> DataLook:
        from airflow_provider_schemas.store.footers.read_footer import read_footer

        footers: list[tuple[DataEntry, Footer]] = []
        unread: list[Unread] = []
        for entry in found.files[: self.most]:
            try:
                footers.append((entry, read_footer(files, entry, self.about.format)))
            except FormatError as error:
                looks_like = format_of(files, entry) if self.thorough else ""
                broken_off = not is_long_enough(entry)
                unread.append(Unread(entry.path, _reason(error.message, self.place), error.fix, looks_like, broken_off))
        seen = DataLook(folder=self.place, footers=tuple(footers), files=len(found.files), unread=tuple(unread), listings=found.listings)
        if footers or not unread:
            return seen
        return msgspec.structs.replace(seen, reason=unread[0].message, fix=unread[0].fix, obstacle=Obstacle.OTHER)

    def _without_footers(self, files: Files, found: DataFolder) -> DataLook:
        """What the first bytes of the files say against a format of which no footer is read."""
        unread = [] if self._is_kept_as_stated(found) else list(self._unlike(files, found))
        return msgspec.structs.replace(
            self._none(Obstacle.OTHER, _without_footers(self.about), _BY_HAND), unread=tuple(unread), files=len(found.files)
        )

    def _is_kept_as_stated(self, found: DataFolder) -> bool:
        """Whether the format of tables that is stated keeps the folder. Paimon's first version comes before its first data."""
        return self._is_stated(found.kept_by) or (self.about.format == _PAIMON and _SCHEMAS in found.folders)

    def _unlike(self, files: Files, found: DataFolder) -> Iterator[Unread]:
        for entry in found.files[: self.most]:
            looks_like = format_of(files, entry)
            if self.about.format in KEPT_FORMATS:
                yield Unread(entry.path, f"{entry.path} is there, and nothing of {shown(self.about.format)[1:-1]}", "", looks_like)
            elif looks_like != self.about.format and (looks_like or (self.about.format in SIGNED and is_long_enough(entry))):
                yield Unread(entry.path, f"{entry.path} does not begin as {shown(self.about.format)[1:-1]} does", "", looks_like)


def _kept_around(location: str, opened: Callable[[str], Files]) -> tuple[str, str]:
    """The format of tables of which the location is a part, and its folder; empty if it is none, or if nobody may look there."""
    return _kept_among(folders_around(location), opened)


def _kept_at(folder: str, opened: Callable[[str], Files]) -> tuple[str, str]:
    """The same for a folder itself, or one around it."""
    return _kept_among([folder, *folders_around(folder)], opened)


def _kept_among(folders: Iterable[str], opened: Callable[[str], Files]) -> tuple[str, str]:
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
    said = message.rstrip(".")
    return said if place in said else f"{said} ({place})"


def _passing(error: SchemaError) -> SchemaError:
    """The error, with what turns the look off for those who have no way to the data."""
    fix = f'{error.fix} If the data are never reached from here, write "look": false into the connection.'
    return type(error).of([fault._replace(fix=fix) for fault in error.faults])

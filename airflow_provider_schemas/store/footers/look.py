"""A look at the data of a described table: what the newest file says of its columns, or why nothing was looked at."""

import os
import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.footers.described import READ, Described
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.newest_file import DataEntry, newest_files
from airflow_provider_schemas.store.storage.errors import passing
from airflow_provider_schemas.store.storage.files import Files

DESCRIPTION: Final = "description"
_INSTALL: Final = 'Run: pip install "airflow-provider-schemas[arrow]"'
_MOUNT: Final = "Mount it, or correct the location of the table. Where nothing was written yet, make the empty folder."
_PATTERN: Final = re.compile(r"[*?{\[]")
_SWITCH: Final = 'Take "look": false out of the connection, or pass look=True.'
_BY_HAND: Final = "Compare the description with the table by its own engine, and evolve the description whenever the table is changed."


class DataLook(Struct, frozen=True, kw_only=True):
    """What was seen."""

    folder: str
    """Without credentials."""
    footers: tuple[tuple[DataEntry, Footer], ...] = ()
    """Of the newest files, the newest first."""
    files: int = 0
    """How many files the listing of that folder has."""
    reason: str = ""
    """Why nothing was looked at; empty if something was, or if there is no file yet."""
    fix: str = ""
    kept_by: str = ""
    """The format of tables that keeps the folder, if the description does not say so."""

    @property
    def judged_by(self) -> str:
        return f"footer ({len(self.footers)} of {self.files:,})" if self.footers else DESCRIPTION


def look(about: Described, opened: Callable[[str], Files] | None, *, allowed: bool, most: int = 1) -> DataLook:
    """The footers of the newest files, or the reason why not. A storage that may answer a little later is an error."""
    place = without_credentials(about.location)
    reason = _not_allowed(about, opened, allowed)
    if reason is not None or opened is None:
        said, fix = reason or ("", "")
        return DataLook(folder=place, reason=said, fix=fix)
    try:
        return _looked(about, opened(about.location), place, most)
    except ImportError as error:
        return DataLook(folder=place, reason=f"{error.name or 'pyarrow'} is not installed", fix=_INSTALL)
    except SchemaError as error:
        if passing(error):
            raise _passing(error) from error
        return DataLook(folder=place, reason=_reason(error, place), fix=error.fix or _SWITCH)


def _not_allowed(about: Described, opened: Callable[[str], Files] | None, allowed: bool) -> tuple[str, str] | None:
    """Why the data are not even listed, and what to do."""
    if about.format not in READ:
        return f"its data are {shown(about.format)[1:-1]}, of which no footer is read here", _BY_HAND
    if not allowed:
        return "looking at data is switched off", _SWITCH
    if opened is None:
        return "a store on a Spark session does not look at data", "Open the store without Spark: SchemaStore(url)."
    return None


def _looked(about: Described, files: Files, place: str, most: int) -> DataLook:
    import pyarrow  # noqa: F401  # who cannot read a footer needs no listing

    from airflow_provider_schemas.store.footers.read_footer import read_footer

    found = newest_files(files)
    if found.kept_by:
        reason = f"the folder is kept by {found.kept_by}, whose schema says what is in it"
        return DataLook(folder=place, reason=reason, fix=_BY_HAND, kept_by=found.kept_by)
    if found.no_folder:
        return DataLook(folder=place, reason=f"{place} is a file, and no folder of data", fix="Correct the location of the table.")
    if found.given_up:
        return DataLook(folder=place, reason="the newest file was not come to in 4 listings", fix=_BY_HAND)
    if not found.files and (reason := _absent(files, place)):
        return DataLook(folder=place, reason=reason, fix=_MOUNT)
    newest = found.files[:most]
    footers = tuple((one, read_footer(files, one, about.format)) for one in newest)
    return DataLook(folder=place, footers=footers, files=len(found.files))


def _absent(files: Files, place: str) -> str:
    """Why nothing can be said where no file was met; empty for an empty folder. Object stores have no folders."""
    local = files.protocol == "file"
    if local and os.path.isdir(files.url):  # noqa: PTH112  # a string, as the storage has it
        return ""
    if _PATTERN.search(place):
        return f"{place} is a pattern, and no folder"
    return f"there is no folder {place} here" if local else ""


def _reason(error: SchemaError, place: str) -> str:
    said = error.message.rstrip(".")
    return said if place in said else f"{said} ({place})"


def _passing(error: SchemaError) -> SchemaError:
    """The error, with what turns the look off for those who have no way to the data."""
    fix = f'{error.fix} If the data are never reached from here, write "look": false into the connection.'
    return type(error).of([fault._replace(fix=fix) for fault in error.faults])

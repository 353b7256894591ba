"""What lies in a log, in as few listings as it takes: one of the whole log, or one of what is newer than a version.

Object stores of S3 list from a name on, a thousand names a request. Of a longer log, what is older than its newest checkpoint is not
listed: `_last_checkpoint` says where that is. All other storages list a folder in one go.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.mounts.delta.log_names import LogListing, commit_name, read_listing
from airflow_provider_schemas.store.storage.files import Files, ListingEntry, Page
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles

LOG: Final = "_delta_log"
_HINT: Final = "_last_checkpoint"
_MOST_HINT: Final = 4 * 1024 * 1024
# The names of the versions of a log are numbers of this many digits.
_MOST_VERSION: Final = 10**20 - 1
# Keys of these buckets come in no order, and are not listed from a name on.
_UNORDERED: Final = "--x-s3/"


class _Hint(Struct):
    """The part of `_last_checkpoint` that says where it is."""

    version: int


class LogFolder:
    """The folder of the log of one table."""

    def __init__(self, files: Files, folder: str) -> None:
        self.files = files
        self.folder = folder

    @property
    def url(self) -> str:
        """The address of the table."""
        inside = self.folder.removesuffix(LOG).rstrip("/")
        return f"{self.files.url.rstrip('/')}/{inside}".rstrip("/")

    def path(self, name: str) -> str:
        """Return the path of a file of the log."""
        return f"{self.folder}/{name}"

    def list_newest(self) -> LogListing:
        """Return what lies in the log; of a long one, at least what its newest checkpoint and all that is newer need."""
        page = self._page("")
        if page is None:
            return read_listing(self.files.list(self.folder), is_from_start=True)
        if not page.following:
            return read_listing(self._entries(page), is_from_start=True)
        version = self._hinted_version()
        if version is not None:
            newer = read_listing(self._entries_after(f"{version:020d}") or (), is_from_start=False)
            if any(checkpoint.version == version for checkpoint in newer.checkpoints):
                return newer
        return read_listing([*self._entries(page), *self._following(page)], is_from_start=True)

    def list_all(self) -> LogListing:
        """Return everything that lies in the log."""
        entries = self._entries_after("")
        return read_listing(self.files.list(self.folder) if entries is None else entries, is_from_start=True)

    def list_from(self, version: int) -> LogListing:
        """Return the commits from a version on, that version included."""
        name = commit_name(version)
        entries = self._entries_after(name[:-1])  # comes before the name, and behind all other files of the version
        if entries is None:
            entries = [entry for entry in self.files.list(self.folder) if entry.name >= name]
        return read_listing(entries, is_from_start=False)

    def has_versions(self) -> bool:
        """Return whether the folder is the log of a table, in one listing."""
        page = self._page("")
        entries = self.files.list(self.folder) if page is None else self._entries(page)
        return read_listing(entries, is_from_start=True).newest >= 0

    def _hinted_version(self) -> int | None:
        """Return the version of the newest checkpoint, if somebody wrote it down."""
        try:
            hint = msgspec.json.decode(self.files.read(self.path(_HINT), _MOST_HINT), type=_Hint)
        except (NotThereError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        return hint.version if 0 <= hint.version <= _MOST_VERSION else None

    # ------------------------------------------------------------ pages

    def _page(self, after: str, following: str = "") -> Page | None:
        """Return a page of names that come after one; None where the storage does not give pages in order."""
        if not isinstance(self.files, RemoteFiles) or _UNORDERED in f"{self.files.url}/":
            return None
        return self.files.page(self.folder, self.path(after), following)

    def _entries_after(self, after: str) -> "Iterable[ListingEntry] | None":
        page = self._page(after)
        return None if page is None else [*self._entries(page), *self._following(page)]

    def _following(self, page: Page) -> Iterator[ListingEntry]:
        """Yield the entries of all pages behind this one."""
        following = page.following
        while following:
            more = self._page("", following)
            if more is None:
                return
            yield from self._entries(more)
            following = more.following

    def _entries(self, page: Page) -> Iterator[ListingEntry]:
        """Yield the files of the folder itself: a page goes on into the folders below it."""
        for path, entry in page.files:
            if path == self.path(entry.name):
                yield entry

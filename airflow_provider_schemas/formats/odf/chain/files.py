"""Where the blocks of a chain lie: a folder with one file a block, named by its hash, or a dataset as kamu lays it out.

kamu keeps blocks in `blocks`, and the hash of the newest one in `refs/head`.
"""

from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, StorageError
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash, parse_multihash
from airflow_provider_schemas.formats.odf.flatbuffer.layout import MAX_BYTES

BLOCKS: Final = "blocks"
HEAD: Final = "refs/head"
_MAX_HEAD: Final = 1_024


class Folder(Protocol):
    """What a chain needs of a storage."""

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a file; a NotThereError if there is none, a SchemaError if it has more bytes than the limit."""

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder; none if there is no such folder."""


class LocalFolder(Struct, frozen=True):
    """A folder on this machine."""

    root: Path

    def read(self, path: str, limit: int) -> bytes:
        place = self.root / path
        try:
            if place.exists() and not place.is_file():  # a pipe would keep whoever reads it for ever
                raise StorageError(f"{shown(str(place))} is no file.", path=path, fix="Look what it is, and take it away.")
            with place.open("rb") as file:
                found = file.read(limit + 1)
        except FileNotFoundError:
            raise NotThereError(f"there is no file {shown(str(place))}.", path=path, fix="Check the folder of the chain.") from None
        except (OSError, ValueError) as error:
            raise StorageError(f"cannot read {shown(str(place))}: {error}.", path=path, fix="Check the file and who may read it.") from None
        if len(found) > limit:
            raise FormatError(f"{shown(path)} has more than {limit} bytes.", code="odf.too-large", path=path, fix="It is no block.")
        return found

    def names(self, folder: str) -> list[str]:
        place = self.root / folder
        try:
            return sorted(one.name for one in place.iterdir() if one.is_file())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except (OSError, ValueError) as error:
            raise StorageError(f"cannot list {shown(str(place))}: {error}.", path=folder, fix="Check who may read it.") from None


def folder_of(source: str | Path | Folder) -> Folder:
    """The folder of this name, or the folder itself."""
    if isinstance(source, str | Path):
        return LocalFolder(Path(source))
    if not (hasattr(source, "read") and hasattr(source, "names")):
        raise FormatError(f"{shown(source)} is no folder.", code="format.wrong-type", fix="Pass the path of a folder of blocks.")
    return source


class ChainFiles:
    """The blocks of one chain, found by their hashes whatever base their names are written in."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        inside = _named(folder.names(BLOCKS))
        self.place = BLOCKS if inside else ""
        self.known = inside or _named(folder.names(""))

    def head(self) -> Multihash | None:
        """The hash of the newest block, if a file says which it is."""
        try:
            found = self.folder.read(HEAD, _MAX_HEAD)
        except NotThereError:
            return None
        try:
            return parse_multihash(found.decode().strip())
        except ValueError as error:
            message = f"the head of the chain is no hash: {shown(found[:80])}."
            raise FormatError(message, code="odf.chain-head", path=HEAD, fix="Give the hash of the newest block.") from error

    def path(self, of: Multihash) -> str:
        """The path of a block, as it is to be read."""
        name = self.known.get(of, str(of))
        return f"{self.place}/{name}" if self.place else name

    def read(self, of: Multihash) -> bytes:
        """The bytes of a block. What was not among the files is not asked for: it may be anything, or wait for ever."""
        if of not in self.known:
            raise NotThereError(f"there is no file of the block {of}.", path=self.path(of), fix="Check the folder of the chain.")
        return self.folder.read(self.path(of), MAX_BYTES)


def _named(names: list[str]) -> dict[Multihash, str]:
    """The files that are named by a hash. Others are no blocks."""
    found = {}
    for name in names:
        try:
            found[parse_multihash(name)] = name
        except FormatError:
            continue
    return found

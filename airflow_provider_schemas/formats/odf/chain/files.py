"""The files of a chain: a folder with one file a block, named by its hash, or a dataset as kamu lays it out.

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
        """Return the bytes of a file; raise a NotThereError if there is none, a SchemaError if it has more bytes than the limit."""

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder; none if there is no such folder."""


class LocalFolder(Struct, frozen=True):
    """A folder on this machine."""

    root: Path

    def read(self, path: str, limit: int) -> bytes:
        place = self.root / path
        try:
            if place.exists() and not place.is_file():  # reading a pipe would never end
                raise StorageError(f"{shown(str(place))} is no file.", path=path, fix="Look what it is, and take it away.")
            with place.open("rb") as file:
                data = file.read(limit + 1)
        except FileNotFoundError:
            raise NotThereError(f"there is no file {shown(str(place))}.", path=path, fix="Check the folder of the chain.") from None
        except (OSError, ValueError) as error:
            raise StorageError(f"cannot read {shown(str(place))}: {error}.", path=path, fix="Check the file and who may read it.") from None
        if len(data) > limit:
            raise FormatError(f"{shown(path)} has more than {limit} bytes.", code="odf.too-large", path=path, fix="It is no block.")
        return data

    def names(self, folder: str) -> list[str]:
        place = self.root / folder
        try:
            return sorted(file.name for file in place.iterdir() if file.is_file())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except (OSError, ValueError) as error:
            raise StorageError(f"cannot list {shown(str(place))}: {error}.", path=folder, fix="Check who may read it.") from None


def folder_of(source: str | Path | Folder) -> Folder:
    """Return the folder of this name, or the folder itself."""
    if isinstance(source, str | Path):
        return LocalFolder(Path(source))
    if not (hasattr(source, "read") and hasattr(source, "names")):
        raise FormatError(f"{shown(source)} is no folder.", code="format.wrong-type", fix="Pass the path of a folder of blocks.")
    return source


class ChainFiles:
    """The blocks of one chain by their hashes, in whatever base their files are named."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        in_subfolder = _names_by_hash(folder.names(BLOCKS))
        self.place = BLOCKS if in_subfolder else ""
        self.names = in_subfolder or _names_by_hash(folder.names(""))

    def head(self) -> Multihash | None:
        """Return the hash of the newest block, if there is a file with it."""
        try:
            content = self.folder.read(HEAD, _MAX_HEAD)
        except NotThereError:
            return None
        try:
            return parse_multihash(content.decode().strip())
        except ValueError as error:
            message = f"the head of the chain is no hash: {shown(content[:80])}."
            raise FormatError(message, code="odf.chain-head", path=HEAD, fix="Give the hash of the newest block.") from error

    def path(self, block: Multihash) -> str:
        """Return the path of a block."""
        name = self.names.get(block, str(block))
        if not self.place:
            return name
        return f"{self.place}/{name}"

    def read(self, block: Multihash) -> bytes:
        """Return the bytes of a block."""
        # Only listed files are opened: any other path may be a pipe, or something else that never ends.
        if block not in self.names:
            raise NotThereError(f"there is no file of the block {block}.", path=self.path(block), fix="Check the folder of the chain.")
        return self.folder.read(self.path(block), MAX_BYTES)


def _names_by_hash(names: list[str]) -> dict[Multihash, str]:
    """Return the files that are named by a hash. Only these are blocks."""
    by_hash = {}
    for name in names:
        try:
            by_hash[parse_multihash(name)] = name
        except FormatError:
            continue
    return by_hash

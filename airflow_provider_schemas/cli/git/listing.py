"""The files of a commit, and those of the work tree as git sees them: what is ignored is left out, unless the line names it."""

import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from airflow_provider_schemas.cli.files.local_io import MAX_BYTES
from airflow_provider_schemas.cli.git import program
from airflow_provider_schemas.cli.git.repository import Repository, missing_objects
from airflow_provider_schemas.errors import SchemaError, StorageError

_SKIPPED = "S"
# More names than a command line takes are listed by the folder around them.
MAX_PATHS = 500
_LONG_ID = 64


class EntryKind(StrEnum):
    """What lies at a path."""

    FILE = "file"
    LINK = "symbolic link"
    SUBMODULE = "submodule"
    OTHER = "no regular file"


_KINDS = {"120000": EntryKind.LINK, "160000": EntryKind.SUBMODULE}


class TreeEntry(Struct, frozen=True):
    """A file of a state, by its path from the top of the repository."""

    path: str
    kind: EntryKind
    id: str = ""
    """The id of its text in git; empty for a file of the work tree."""
    on_disk: bool = False
    """Whether its text is that of the file in the work tree."""


Listing = Mapping[str, TreeEntry]


# ---------------------------------------------------------------- a commit


def of_commit(repository: Repository, commit: str, paths: Sequence[str]) -> Listing:
    """Return the files of a commit at or below these paths; all files for no paths."""
    output = program.run(repository.top, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths)
    if output.code:
        raise missing_objects(repository, output) or program.failed(output, "ls-tree", repository.top)
    return {entry.path: entry for entry in _tree_entries(output.out)}


def _tree_entries(out: bytes) -> Iterator[TreeEntry]:
    for line in out.split(b"\0"):
        about, _, path = line.partition(b"\t")
        if path:
            mode, _, blob = about.decode("ascii").split(" ")
            yield TreeEntry(program.text(path), _KINDS.get(mode, EntryKind.FILE), blob)


def gone(repository: Repository, commit: str, head: str, meant: Callable[[str], bool]) -> Listing:
    """Return the files of a commit with these names that are no files any more: in the head, else in the work tree."""
    entries = of_commit(repository, commit, ())
    files = {path: entry for path, entry in entries.items() if entry.kind is EntryKind.FILE and meant(path)}
    if head:
        now = of_commit(repository, head, ())
    else:
        files = {path: entry for path, entry in files.items() if not _is_file(_on_disk(repository, path))}
        now = {entry.path: entry for entry in _tracked(repository, _few(files))} if files else {}
    return {path: entry for path, entry in files.items() if not _is_file(now.get(path))}


def _is_file(entry: TreeEntry | None) -> bool:
    return entry is not None and entry.kind is EntryKind.FILE


def _few(paths: Collection[str]) -> Sequence[str]:
    """Return the paths that git lists; none, for all files, where there are more than a command line takes."""
    return sorted(paths) if len(paths) <= MAX_PATHS else ()


# ---------------------------------------------------------------- the work tree


def of_work_tree(repository: Repository, paths: Sequence[str], named: Collection[str]) -> Listing:
    """Return the files that are there at or below these paths, tracked or not; and those that the line names, though ignored."""
    entries = {entry.path: entry for entry in _tracked(repository, paths)}
    for path in (*_untracked(repository, paths), *sorted(named)):
        if path not in entries:
            entry = _on_disk(repository, path)
            if entry is not None:
                entries[path] = entry
    return entries


def _tracked(repository: Repository, paths: Sequence[str]) -> Iterator[TreeEntry]:
    """Yield the tracked files that are there; a file that a sparse checkout leaves out is as the index has it."""
    out = program.checked(repository.top, "ls-files", "-z", "-t", "-s", "--cached", "--", *paths)
    seen: set[str] = set()
    for line in out.split(b"\0"):
        about, _, name = line.partition(b"\t")
        path = program.text(name)
        if not name or path in seen:  # of a file with conflicts there are several
            continue
        seen.add(path)
        tag, mode, blob, _ = about.decode("ascii").split(" ")
        entry = _tracked_entry(repository, path, tag, mode, blob)
        if entry is not None:
            yield entry


def _tracked_entry(repository: Repository, path: str, tag: str, mode: str, blob: str) -> TreeEntry | None:
    if mode == "160000":
        return TreeEntry(path, EntryKind.SUBMODULE, blob)
    there = _on_disk(repository, path)
    if there is None and tag == _SKIPPED:
        return TreeEntry(path, _KINDS.get(mode, EntryKind.FILE), blob)
    return there


def _untracked(repository: Repository, paths: Sequence[str]) -> Iterator[str]:
    out = program.checked(repository.top, "ls-files", "-z", "--others", "--exclude-standard", "--", *paths)
    yield from (program.text(path) for path in out.split(b"\0") if path)


def _on_disk(repository: Repository, path: str) -> TreeEntry | None:
    """Return what lies at a path of the work tree; None where nothing does."""
    if path.endswith("/"):  # another repository, of which git lists nothing
        return TreeEntry(path.rstrip("/"), EntryKind.SUBMODULE)
    place = os.path.join(repository.top, path)  # noqa: PTH118  # a path of bytes as well
    try:
        mode = os.lstat(place).st_mode  # likewise
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if stat.S_ISLNK(mode) or _is_behind_link(repository, place):
        return TreeEntry(path, EntryKind.LINK, on_disk=True)
    if stat.S_ISDIR(mode):
        return None
    kind = EntryKind.FILE if stat.S_ISREG(mode) else EntryKind.OTHER
    return TreeEntry(path, kind, on_disk=True)


def _is_behind_link(repository: Repository, place: str) -> bool:
    """Return whether a folder above a file is a symbolic link, so that the file is another one."""
    folder = os.path.dirname(place)  # noqa: PTH120  # a path of bytes as well
    return os.path.realpath(folder) != folder and os.path.realpath(folder) != os.path.realpath(repository.top)


def read_on_disk(repository: Repository, path: str) -> bytes:
    """Return the text of a file of the work tree."""
    try:
        with Path(repository.top, path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES:,} bytes."
        raise StorageError(message, code="cli.too-large", path=path, fix="No table file is that large: name the folder of table files.")
    return data


def _unreadable(path: str, error: OSError | ValueError) -> SchemaError:
    reason = getattr(error, "strerror", None) or error
    return StorageError(f"the file cannot be read: {reason}.", code="cli.unreadable", path=path, fix="Check the path and its rights.")


def is_text_of(data: bytes, blob: str) -> bool:
    """Return whether a text is that of a blob, as it is or with the line ends of another system."""
    return blob in (_blob_id(data, blob), _blob_id(data.replace(b"\r\n", b"\n"), blob))


def _blob_id(data: bytes, like: str) -> str:
    """Return the id that git gives to a text, by the kind of id that another one has."""
    head = b"blob %d\0" % len(data)
    if len(like) == _LONG_ID:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()

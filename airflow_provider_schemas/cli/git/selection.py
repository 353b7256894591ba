"""The files that a line means: folders, files and patterns, as paths from the top of their repository."""

import os
import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.schema_folders import SUFFIXES
from airflow_provider_schemas.cli.git.listing import MAX_PATHS
from airflow_provider_schemas.cli.git.repository import OUTSIDE, Repository, plain
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError

_WILD = re.compile(r"[*?\[]")


class Selected(Struct, frozen=True, dict=True):
    """What an argument of the line means."""

    name: str
    """As it was typed."""
    path: str
    """From the top of the repository: a folder, a file or a pattern; empty for the whole repository."""
    is_folder: bool = False
    is_pattern: bool = False

    @property
    def is_wide(self) -> bool:
        """Whether it means any number of files."""
        return self.is_folder or self.is_pattern

    def takes(self, path: str) -> bool:
        """Return whether a file is meant: in a folder those with the ending of YAML, unless they are hidden."""
        if path == self.path:  # also a file that is gone and was called like a pattern
            return True
        if self.is_pattern:
            return self._pattern.fullmatch(path) is not None
        return self._is_below(path) and path.lower().endswith(SUFFIXES) and not self._is_hidden(path)

    def holds(self, path: str) -> bool:
        """Return whether a path is that of the argument, or below it, whatever its name."""
        if self.is_pattern:
            return path.startswith(self.listed)
        return path == self.path or self._is_below(path)

    def _is_below(self, path: str) -> bool:
        return not self.path or path.startswith(f"{self.path}/")

    def _is_hidden(self, path: str) -> bool:
        below = path[len(self.path) :].lstrip("/")
        return any(part.startswith(".") for part in below.split("/"))

    @property
    def listed(self) -> str:
        """The path that git lists for it; of a pattern the folder before the first wildcard."""
        if not self.is_pattern:
            return self.path
        parts = self.path.split("/")
        fixed = next(number for number, part in enumerate(parts) if _WILD.search(part))
        return "/".join(parts[:fixed])

    @cached_property
    def _pattern(self) -> "re.Pattern[str]":
        try:
            return re.compile(_expression(self.path), re.DOTALL)
        except re.error as error:
            message = f"the pattern cannot be read: {error}."
            raise SchemaError(message, code="cli.pattern", path=plain(self.name), fix="Correct what stands in brackets.") from None


class GitSelection(Struct, frozen=True, dict=True):
    """What a line means, in one repository."""

    repository: Repository
    selected: tuple[Selected, ...]
    left_out: tuple[str, ...] = ()
    """Folders, from the top of the repository, that belong to other projects."""

    @property
    def paths(self) -> Sequence[str]:
        """The paths that git lists: of single files their folders as well, in which the files of jobs may lie; none for all files."""
        paths = {listed for selected in self.selected for listed in _places(selected)}
        if "" in paths:
            return ()
        if len(paths) > MAX_PATHS:
            common = os.path.commonpath(paths)
            return (common,) if common else ()
        return sorted(paths)

    @cached_property
    def named_files(self) -> frozenset[str]:
        """The files that the line names themselves."""
        return frozenset(selected.path for selected in self.selected if not selected.is_wide)

    @cached_property
    def _wide(self) -> Sequence[Selected]:
        return [selected for selected in self.selected if selected.is_wide]

    @cached_property
    def _folders_of_files(self) -> frozenset[str]:
        return frozenset(os.path.dirname(path) for path in self.named_files)  # noqa: PTH120  # a path of bytes as well

    def takes(self, path: str) -> bool:
        """Return whether the line means a file."""
        return path in self.named_files or (not self._is_left_out(path) and any(selected.takes(path) for selected in self._wide))

    def holds(self, path: str) -> bool:
        """Return whether a path lies where the line looks."""
        return path in self.named_files or (not self._is_left_out(path) and any(selected.holds(path) for selected in self._wide))

    def _is_left_out(self, path: str) -> bool:
        return any(path.startswith(f"{folder}/") for folder in self.left_out)

    def is_beside(self, path: str) -> bool:
        """Return whether a file lies directly beside one that the line names: it may be that of a job which reads the table."""
        folder = os.path.dirname(path)  # noqa: PTH120  # a path of bytes as well
        return path.lower().endswith(SUFFIXES) and folder in self._folders_of_files


def _places(selected: Selected) -> Iterable[str]:
    """Yield what git lists for an argument."""
    yield selected.listed
    if not selected.is_wide:
        yield os.path.dirname(selected.path)  # noqa: PTH120  # a path of bytes as well


def select(names: Sequence[str], left_out: Sequence[str] = ()) -> GitSelection:
    """Return what the arguments of a line mean, without the folders of other projects; all of them lie in one repository."""
    found: dict[str, Repository | None] = {}
    repositories = {name: _found_once(name, found) for name in names}
    outside = next((name for name, repository in repositories.items() if repository is None), None)
    if outside is not None:
        raise _outside(outside)
    tops = {repository.top: repository for repository in repositories.values() if repository is not None}
    if len(tops) > 1:
        message = f"the line names files of {len(tops)} repositories: {', '.join(map(shown, sorted(tops)))}."
        raise SchemaError(message, code=OUTSIDE, fix="Type a line for each; a submodule is a repository of its own.")
    (repository,) = tops.values()
    folders = tuple(_selected(folder, repository).path for folder in left_out)
    return GitSelection(repository, tuple(_selected(name, repository) for name in names), folders)


def repository_of(name: str) -> Repository | None:
    """Return the repository in which a file, a folder or a pattern lies; None where it lies in none."""
    return Repository.around(_folder_of(_resolved(name)))


def _found_once(name: str, found: dict[str, Repository | None]) -> Repository | None:
    """Return the repository of a name; git is asked once for each folder."""
    folder = _folder_of(_resolved(name))
    if folder not in found:
        found[folder] = Repository.around(folder)
    return found[folder]


def is_pattern(name: str) -> bool:
    """Return whether a name is a pattern: it has a wildcard, and nothing is called so."""
    return _WILD.search(name) is not None and not local_io.exists(name)


def _selected(name: str, repository: Repository) -> Selected:
    place = _resolved(name)
    path = os.path.relpath(place, os.path.realpath(repository.top))
    if path.split(os.sep, 1)[0] == os.pardir:
        raise _outside(name)
    return Selected(name, "" if path == os.curdir else path, _is_or_was_folder(place), is_pattern(name))


def _is_or_was_folder(place: str) -> bool:
    """Return whether a place is a folder, or may have been one: all that it had may be deleted, or left out of a sparse checkout."""
    if local_io.exists(place):
        return local_io.is_folder(place)
    return not place.lower().endswith(SUFFIXES)


def _resolved(name: str) -> str:
    """Return the place of a name without symbolic links; of a pattern, links are followed before its first wildcard."""
    try:
        if not is_pattern(name):
            return os.path.realpath(name)
        parts = name.split("/")
        fixed = next(number for number, part in enumerate(parts) if _WILD.search(part))
        head = "/".join(parts[:fixed]) or ("/" if name.startswith("/") else ".")
        return os.path.join(os.path.realpath(head), *parts[fixed:])  # noqa: PTH118  # a path of bytes as well
    except (OSError, ValueError) as error:
        raise SchemaError(f"{shown(name)} is not a path: {error}.", code="cli.no-file", fix="Check the path.") from None


def _folder_of(place: str) -> str:
    """Return the nearest folder that is there: a file or a folder may have been deleted."""
    while not os.path.isdir(place):  # noqa: PTH112  # a path of bytes as well
        place = os.path.dirname(place)  # noqa: PTH120  # likewise
    return place


def _outside(name: str) -> SchemaError:
    message = "the file lies in no work tree of git, so there is nothing to compare it with."
    fix = "Name files of a clone; or pass --store URL, OLD and NEW, --alone or --new."
    return NotThereError(message, code=OUTSIDE, path=plain(name), fix=fix)


# ---------------------------------------------------------------- patterns


def _expression(pattern: str) -> str:
    """Return the regular expression of a pattern: ** spans folders, * and ? stay within a name."""
    parts = pattern.split("/")
    words = []
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if part == "**":
            words.append(".*" if is_last else "(?:[^/]+/)*")
        else:
            words.append(_part_expression(part) + ("" if is_last else "/"))
    return "".join(words)


def _part_expression(part: str) -> str:
    """Return the regular expression of one name of a pattern."""
    words = []
    place = 0
    while place < len(part):
        letter = part[place]
        end = part.find("]", place + 2) if letter == "[" else -1
        if end > 0:
            inside = part[place + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            words.append(f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside.replace('^', chr(92) + '^', 1)}]")
            place = end
        else:
            words.append({"*": "[^/]*", "?": "[^/]"}.get(letter) or re.escape(letter))
        place += 1
    return "".join(words)

"""A work tree of git: where it is, what a name of a commit means in it, and what two commits have in common."""

import os
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from airflow_provider_schemas.cli.git import program
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError

OUTSIDE = "cli.git-outside"
_SHORT = 7
_COMMIT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_NAME = 1_000


class Repository(Struct, frozen=True, dict=True):
    """A work tree, by the folder at its top."""

    top: str

    @classmethod
    def around(cls, folder: str) -> "Repository | None":
        """Return the work tree that a folder is in; None where it is in none."""
        output = program.run(folder, "rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-toplevel")
        if output.code and program.is_outside(output):
            return None
        answers = output.out.split(b"\n", 2)
        if answers[0] == b"true" or answers[1:2] == [b"false"]:
            raise _without_files(folder)
        if output.code or len(answers) != 3:
            raise program.failed(output, "rev-parse", folder)
        return cls(program.text(answers[2].removesuffix(b"\n")))

    def label(self, path: str) -> str:
        """Return a path from the top as messages and reports have it: relative to the current folder."""
        place = os.path.join(self.top, path)  # noqa: PTH118  # a path of bytes as well
        try:
            return plain(os.path.relpath(place))
        except (OSError, ValueError):  # the current folder is gone
            return plain(place)

    # ------------------------------------------------------------ commits

    def commit(self, name: str) -> str | None:
        """Return the id of the commit that a name means; None where there is none."""
        if not name or len(name) > _MAX_NAME or "\0" in name:
            return None
        output = program.run(self.top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        found = output.out.decode("ascii", "replace").strip()
        if output.code or not _COMMIT_ID.fullmatch(found):
            return None
        return found

    @cached_property
    def head(self) -> str:
        """The id of the commit that is checked out."""
        found = self.commit("HEAD")
        if found is None:
            fix = "Commit the files, or judge them without git: --new, --alone or --store URL."
            raise NotThereError("the repository has no commit yet.", code="cli.git-no-commit", path=plain(self.top), fix=fix)
        return found

    def parent(self, commit: str) -> str | None:
        """Return the first parent of a commit; None for one without parents, or whose parents a shallow clone does not have."""
        return self.commit(f"{commit}^1")

    def merge_bases(self, first: str, second: str) -> list[str]:
        """Return the newest commits that two have in common, the best one first."""
        output = program.run(self.top, "merge-base", "--all", first, second)
        if output.code > 1:
            raise self._objects_missing(output, "merge-base")
        return output.out.decode("ascii", "replace").split()

    # ------------------------------------------------------------ shallow clones

    @cached_property
    def cut_commits(self) -> frozenset[str]:
        """The commits whose parents a shallow clone does not have."""
        place = program.checked(self.top, "rev-parse", "--git-path", "shallow").removesuffix(b"\n")
        path = Path(self.top) / program.text(place)
        try:
            return frozenset(path.read_text("ascii", "replace").split())
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            message = f"the list of cut commits cannot be read: {error.strerror or error}."
            raise StorageError(message, code=program.FAILED, path=plain(str(path)), fix="Check the rights of the folder .git.") from None

    @property
    def is_shallow(self) -> bool:
        """Whether the clone lacks a part of the history."""
        return bool(self.cut_commits)

    def hides_history(self, first: str, second: str, base: str) -> bool:
        """Return whether history is cut between a base and the commits that it was found for: a nearer base may be hidden there."""
        if not self.is_shallow:
            return False
        between = program.checked(self.top, "rev-list", first, second, f"^{base}").decode("ascii", "replace").split()
        return not self.cut_commits.isdisjoint(between)

    # ------------------------------------------------------------ remotes

    def default_branches(self) -> Sequence[str]:
        """Return the default branch of origin; where the clone does not say which it is, origin/main and origin/master if there."""
        output = program.run(self.top, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
        named = program.text(output.out.strip()).removeprefix("refs/remotes/")
        if not output.code and named and self.commit(f"refs/remotes/{named}"):
            return [named]
        return [branch for branch in ("origin/main", "origin/master") if self.commit(f"refs/remotes/{branch}")]

    def knows_origin(self) -> bool:
        """Return whether anything was fetched from a remote called origin."""
        output = program.run(self.top, "for-each-ref", "--count=1", "refs/remotes/origin/")
        return not output.code and bool(output.out.strip())

    # ------------------------------------------------------------ errors

    def _objects_missing(self, output: program.GitOutput, command: str) -> SchemaError:
        return missing_objects(self, output) or program.failed(output, command, self.top)


def missing_objects(repository: Repository, output: program.GitOutput) -> SchemaError | None:
    """Return the error about objects that a clone does not have, if that is why git failed."""
    words = output.err
    if not any(sign in words for sign in (b"missing", b"promisor", b"bad object", b"unable to read", b"lazy fetching", b"could not fetch")):
        return None
    return lacking(repository, output.words)


def lacking(repository: Repository, reason: str) -> SchemaError:
    """Return the error about a file or folder of a commit that the clone left out."""
    message = f"the clone does not have all files of the commits: {reason}."
    fix = "It is a partial clone, and nothing is fetched here. Have git fetch them, git diff --stat BASE HEAD; or clone without --filter."
    return StorageError(message, code="cli.git-partial", path=plain(repository.top), fix=fix)


def _without_files(folder: str) -> SchemaError:
    message = "this is a repository without files, or its folder .git."
    return NotThereError(message, code=OUTSIDE, path=plain(folder), fix="Run it in a work tree: git clone, or git worktree add.")


def short(commit: str) -> str:
    """Return an id as messages show it."""
    return commit[:_SHORT]


def plain(path: str) -> str:
    """Return a path as messages and reports have it: Unicode, whatever bytes it has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")

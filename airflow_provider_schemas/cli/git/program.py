"""The program git, run so that a hostile repository runs nothing: without a shell, hooks, pagers, filters, monitors and network."""

import os
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError

NO_GIT = "cli.no-git"
FAILED = "cli.git-failed"
TIMEOUT_SECONDS = 60
# The configuration of a repository can name programs; these are the ones that reading commands would start.
_SAFE = (
    "--no-pager",
    # What an object says is what its id names, and not what a reference of this clone puts in its place.
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.untrackedCache=false",
)
# A hook of git sets these to its own repository and index; here the files on the line say which repository is meant.
_LEFT_OUT = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
)
_SET = {
    "LC_ALL": "C",
    "LANGUAGE": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # What a partial clone left out would be fetched with programs that its configuration names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_DUBIOUS = b"dubious ownership"
_NO_REPOSITORY = b"not a git repository"
_MAX_WORDS = 300


class GitOutput(NamedTuple):
    """What a run of git gave."""

    code: int
    out: bytes
    err: bytes

    @property
    def words(self) -> str:
        """What git said of its failure, on one line."""
        text = self.err.decode("utf-8", "replace")
        return " ".join(text.split())[:_MAX_WORDS]


def run(folder: str, *words: str, stdin: bytes | None = None, timeout: float = TIMEOUT_SECONDS) -> GitOutput:
    """Run git in a folder and return what it gave; raise an error where it cannot run at all, or trusts nobody with the folder."""
    command = ["git", *_SAFE, *words]
    source: Mapping[str, int | bytes] = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    try:
        # The words are a list that begins with options of ours, and names from outside stand behind --end-of-options or --.
        done = subprocess.run(  # type: ignore[call-overload]  # noqa: S603  # one of two keys, each with its own type
            command, cwd=folder, env=_environment(), capture_output=True, check=False, timeout=timeout, **source
        )
    except FileNotFoundError as error:
        raise _not_started(folder, error) from None
    except subprocess.TimeoutExpired:
        message = f"git {words[0]} did not end within {timeout:g} seconds."
        fix = "Look whether the disk answers, and whether another git holds a lock; then type the line again."
        raise StorageError(message, code="cli.git-timeout", path=folder, fix=fix) from None
    except (OSError, ValueError) as error:
        message = f"git cannot be run: {error}."
        raise StorageError(message, code=NO_GIT, path=folder, fix="Check the installation of git.") from None
    output = GitOutput(done.returncode, done.stdout, done.stderr)
    if output.code and _DUBIOUS in output.err:
        raise _not_trusted(folder)
    return output


def checked(folder: str, *words: str, stdin: bytes | None = None) -> bytes:
    """Run git and return its output, or raise an error with what it said."""
    output = run(folder, *words, stdin=stdin)
    if output.code:
        raise failed(output, words[0], folder)
    return output.out


def failed(output: GitOutput, command: str, folder: str) -> SchemaError:
    """Return the error about a run of git that failed."""
    message = f"git {command} ended with {output.code}: {output.words or 'it said nothing'}."
    return StorageError(message, code=FAILED, path=folder, fix="Run it by hand to see what is wrong with the repository.")


def is_outside(output: GitOutput) -> bool:
    """Return whether git said that the folder belongs to no repository."""
    return _NO_REPOSITORY in output.err


def text(data: bytes) -> str:
    """Return a name that git wrote, as Python has names of files: bytes that are not UTF-8 come back as they were."""
    return os.fsdecode(data)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    return {**kept, **_SET}


def _not_started(folder: str, error: FileNotFoundError) -> SchemaError:
    if error.filename != "git" and not os.path.isdir(folder):  # noqa: PTH112  # a name of bytes as well
        return NotThereError(f"there is no folder {shown(folder)}.", code="cli.no-file", fix="Check the path.")
    message = "there is no program git on the PATH, so nothing can be compared with git."
    return NotThereError(message, code=NO_GIT, fix="Install git; in a container, install its package or take an image that has it.")


def _not_trusted(folder: str) -> SchemaError:
    message = "git refuses the repository, because another user owns it."
    fix = "In a container of CI, run before: git config --global --add safe.directory FOLDER, with the folder of the repository."
    return StorageError(message, code="cli.git-owner", path=folder, fix=fix)

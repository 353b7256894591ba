"""Remember what an environment was made from, and decide what a call has to change.

The file `made-from` is there only while the environment is whole: it goes before a change and comes back after it. Its first line is the
state; the others are the calls that need no change, which tools/environment.sh looks up without starting a Python.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from tools.environments import lists

STAMP = "made-from"
PROJECT = Path("pyproject.toml")


@dataclass(frozen=True)
class State:
    """What an environment was made from."""

    folder: str
    mode: str
    lists: tuple[str, ...]
    names: tuple[str, ...]
    contents: str
    project: str


class Change(StrEnum):
    """What a call has to change."""

    MAKE = "make"
    UPDATE = "update"
    GROW = "grow"
    PROJECT = "project"
    NOTHING = "nothing"


def wanted(folder: Path, requirements: Path, constraints: Path, mode: str, before: State | None) -> State:
    """Return the state after a call: the lists that are there stay, and grow by the list of the call."""
    present = before is not None and before.folder == str(folder.absolute()) and before.mode == mode
    kept = [Path(name) for name in before.lists if Path(name).is_file()] if before is not None and present else []
    together = lists.widest([*kept, requirements])
    files = {path for name in together for path in lists.included(name)} | lists.included(constraints)
    return State(
        folder=str(folder.absolute()),
        mode=mode,
        lists=tuple(map(str, together)),
        names=tuple(sorted({name for path in files for name in lists.names(path)})),
        contents=_digest(sorted(files)),
        project=_digest([PROJECT]) if mode == "editable" else "",
    )


def change(before: State | None, after: State, *, works: bool) -> Change:
    """Decide what leads from one state to the other.

    An environment without a state, or elsewhere, is made anew, and so is one that has a distribution which nothing names any more.
    """
    if before is None or not works or (before.folder, before.mode) != (after.folder, after.mode):
        return Change.MAKE
    if set(before.names) - set(after.names):
        return Change.MAKE
    if before.lists != after.lists:
        return Change.GROW
    if before.contents != after.contents:
        return Change.UPDATE
    return Change.NOTHING if before.project == after.project else Change.PROJECT


def read(folder: Path) -> State | None:
    """Return the state of an environment; None where it is not whole."""
    try:
        first = (folder / STAMP).read_text("utf-8").splitlines()[0]
        fields = json.loads(first)
        return State(**fields | {"lists": tuple(fields["lists"]), "names": tuple(fields["names"])})
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return None


def write(folder: Path, state: State, calls: Sequence[str]) -> None:
    """Write down that an environment is whole, at once."""
    partial = folder / f"{STAMP}.partial"
    partial.write_text("\n".join([json.dumps(asdict(state)), *calls, ""]), "utf-8")
    partial.replace(folder / STAMP)


def calls(folder: Path) -> list[str]:
    """Return the calls that are known to need no change."""
    try:
        return (folder / STAMP).read_text("utf-8").splitlines()[1:]
    except OSError:
        return []


def forget(folder: Path) -> None:
    """Take the state away before a change: who interrupts it makes the next call start anew."""
    (folder / STAMP).unlink(missing_ok=True)


def _digest(paths: Sequence[Path]) -> str:
    """Return a digest of what files say; what their comments say does not count."""
    said = hashlib.sha256()
    for path in paths:
        text = path.read_text("utf-8") if path.suffix != ".txt" else "\n".join(lists.lines(path))
        said.update(f"{path.name}\n{text}\n".encode())
    return said.hexdigest()[:16]

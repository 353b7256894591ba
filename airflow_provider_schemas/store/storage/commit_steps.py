"""Name the steps of a commit, a rename and a drop, and call one hook at each: tests stop, delay or kill a writer there."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LISTED: Final = "listed"  # the head is known
JUDGED: Final = "judged"  # the next version is made and fits
SIDECAR: Final = "sidecar"  # what the file cannot hold is written beside it
TEMPORARY: Final = "temporary"  # the bytes lie in a temporary file, on local disks
CREATED: Final = "created"  # the version is there, and nobody knows it
CLEANED: Final = "cleaned"  # the temporary file is gone
CONFIRMED: Final = "confirmed"  # the writer knows that it won
METADATA: Final = "metadata"  # what goes with it is written

# Of a commit to a table that others keep, besides LISTED and JUDGED.
STAGED: Final = "staged"  # the peer's next schema is made and compared, and nothing is sent
ANSWERED: Final = "answered"  # the catalog has answered, or the lost answer is settled

# Of a rename, and of a drop.
COPIED: Final = "copied"  # contracts, waivers and plans of a table lie under its new name as well
MOVED: Final = "moved"  # the table has its new name
ASIDE: Final = "aside"  # the table has no name any more, on local disks
DROPPED: Final = "dropped"  # its files are gone, and its contracts, waivers and plans are there

ALL = (LISTED, JUDGED, SIDECAR, TEMPORARY, CREATED, CLEANED, CONFIRMED, METADATA)
OF_MOUNTS = (LISTED, JUDGED, STAGED, ANSWERED)


def _ignore(step: str) -> None:
    """Do nothing: nobody listens."""


_listener: Callable[[str], None] = _ignore
_quiet = threading.local()


def listen(listener: Callable[[str], None] | None) -> None:
    """Call a function at each step of this process from now on; None ends that."""
    global _listener  # noqa: PLW0603  # one listener a process: commits of all threads and stores pass here
    _listener = listener or _ignore


@contextmanager
def unheard() -> Iterator[None]:
    """Call no hook for what this thread writes meanwhile: it is not a step of a commit."""
    _quiet.on = True
    try:
        yield
    finally:
        _quiet.on = False


def reached(step: str) -> None:
    """Call the hook: a writer has reached a step."""
    if not getattr(_quiet, "on", False):
        _listener(step)

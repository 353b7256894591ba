"""The steps of a commit, a rename and a drop, by name, and one hook that is told of each: tests stop, delay or kill a writer there."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LISTED: Final = "listed"  # the head is known
JUDGED: Final = "judged"  # the next version is made and fits
SIDECAR: Final = "sidecar"  # what the file cannot hold is written beside it
TEMPORARY: Final = "temporary"  # the bytes lie in a temporary file, on local disks
CREATED: Final = "created"  # the version is there, and nobody has been told
CLEANED: Final = "cleaned"  # the temporary file is gone
CONFIRMED: Final = "confirmed"  # the writer knows that it won
METADATA: Final = "metadata"  # what goes with it is written

# Of a rename, and of a drop.
COPIED: Final = "copied"  # what hangs on a table lies under its new name as well
MOVED: Final = "moved"  # the table has its new name
ASIDE: Final = "aside"  # the table has no name any more, on local disks
DROPPED: Final = "dropped"  # its files are gone, and what hung on it is there

ALL = (LISTED, JUDGED, SIDECAR, TEMPORARY, CREATED, CLEANED, CONFIRMED, METADATA)


def _nobody(phase: str) -> None:
    """Nobody listens."""


_listener: Callable[[str], None] = _nobody
_quiet = threading.local()


def listen(listener: Callable[[str], None] | None) -> None:
    """Have a function called at each step of this process; None ends it."""
    global _listener  # noqa: PLW0603  # one listener a process: commits of all threads and stores pass here
    _listener = listener or _nobody


@contextmanager
def unheard() -> Iterator[None]:
    """Write something in this thread that is no step of a commit."""
    _quiet.on = True
    try:
        yield
    finally:
        _quiet.on = False


def reached(phase: str) -> None:
    """A writer is here."""
    if not getattr(_quiet, "on", False):
        _listener(phase)

"""Read what a job printed: how far it is, how many tests passed, and what failed."""

import re
from typing import NamedTuple

_PERCENT = re.compile(rb"\[ *(\d+)%\]")
_COUNTS = re.compile(r"(\d+) (passed|failed|skipped|error)s?\b")
_LAST_LINE = re.compile(r"^=* ?(?:\d+ \w+, )*\d+ \w+.* in [\d.]+s.*$", re.MULTILINE)
_FAILURES = re.compile(r"^=+ (FAILURES|ERRORS) =+$", re.MULTILINE)
# A job that failed without a list of failures shows the end of its output.
_END = 150


class Counts(NamedTuple):
    """How many tests ended how."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Add the tests of another job."""
        return Counts(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def percent(output: bytes) -> int | None:
    """Return how much of its tests pytest has run, where it says so."""
    found = _PERCENT.findall(output)
    return int(found[-1]) if found else None


def counts(output: str) -> Counts | None:
    """Return the counts of pytest's last line; None where no line of pytest is there."""
    lines = _LAST_LINE.findall(output)
    if not lines:
        return None
    found = {word: int(number) for number, word in _COUNTS.findall(lines[-1])}
    return Counts(found.get("passed", 0), found.get("failed", 0) + found.get("error", 0), found.get("skipped", 0))


def failures(output: str) -> str:
    """Return the part of the output that tells what failed: pytest's failures, else the last lines."""
    begin = _FAILURES.search(output)
    if begin:
        return output[begin.start() :]
    return "\n".join(output.splitlines()[-_END:])

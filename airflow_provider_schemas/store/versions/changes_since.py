"""Compare a table with a version that somebody saw: what is newer, and whether its history went back."""

from msgspec import Struct

from airflow_provider_schemas.core.compatibility.version_chain import rewound
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.common import arguments

Seen = Version | int | tuple[int, str]
"""A version that somebody saw: itself, its number, or its number and digest."""


class Movement(Struct, frozen=True):
    """The versions after a version that was seen. True if there are any, or if history went back."""

    head: int
    newer: tuple[int, ...] = ()
    report: Report = Report()

    def __bool__(self) -> bool:
        return bool(self.newer or self.report.findings)


def number_of(seen: Seen) -> int:
    """Return the number of a version that was seen."""
    return arguments.seen(seen)[0]


def digest_of(seen: Seen) -> str | None:
    """Return the digest of a version that was seen, if it is known."""
    return arguments.seen(seen)[1]


def went_back(seen: Seen, now: Version) -> Report:
    """Report whether the newest version is behind a version that was seen, or another version of the same number."""
    number, digest = arguments.seen(seen)
    if digest is None and now.number >= number:
        return Report(old=number, new=now.number)
    return rewound((number, digest), now)


def lost(seen: Seen, now: Version) -> Report:
    """Report a break: the version that was seen is not there, so nobody knows what came after it."""
    number = number_of(seen)
    message = f"version {number} was seen last, and it was expired or deleted since, so nobody knows what came up to version {now.number}."
    fix = (
        f"Mark the task as success: then version {now.number} counts. Elsewhere, ask what comes after version {now.number}. "
        "Or say in a contract what is needed."
    )
    breaks = Verdict.BREAK
    answers = Answers(data_by_id=breaks, data_by_name=breaks, jobs=breaks)
    finding = Finding(
        "VERSION_REWOUND",
        f"version {now.number}",
        message,
        fix,
        breaks,
        old=str(number),
        new=str(now.number),
        verdicts=answers,
        data=breaks,
        jobs=breaks,
    )
    return Report((finding,), old=number, new=now.number)

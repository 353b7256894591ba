"""Compare a table with a version that somebody saw: what is newer, and whether its history went back."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined
from airflow_provider_schemas.core.compatibility.version_chain import replaced, rewound
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.mounts.source import Head, Heads
from airflow_provider_schemas.store.versions.heads import head_of, heads_after, is_head, is_same_schema, return_text

Seen = arguments.Seen
TABLE_REPLACED = "TABLE_REPLACED"


class Movement(ShortRepr, Struct, frozen=True):
    """The versions after a version that was seen. True if there are any, if history went back, or if it is another table."""

    head: int
    newer: tuple[int, ...] = ()
    """The numbers in the order in which they came; in a mounted table a number that was seen may come back."""
    report: Report = Report()
    came: tuple[Head, ...] = ()
    """The same as heads, for a mounted table."""
    restored: str = ""
    """That the newest schema was current before, for a mounted table, if it was."""

    def _short_text(self) -> str:
        newer = f"{counted(len(self.newer), 'newer version')} (v{self.newer[0]} to v{self.newer[-1]})" if self.newer else "no newer version"
        findings = self.report.findings and counted(len(self.report.findings), "finding")
        return f"to v{self.head}: {joined(newer, findings or '')}"

    def __bool__(self) -> bool:
        return bool(self.newer or self.report.findings)

    @property
    def is_replaced(self) -> bool:
        """Whether the table was dropped and made again."""
        return any(finding.rule == TABLE_REPLACED for finding in self.report.findings)


def number_of(seen: Seen) -> int:
    """Return the number of a version that was seen."""
    return arguments.seen(seen)[0]


def digest_of(seen: Seen) -> str | None:
    """Return the digest of a version that was seen, if it is known."""
    return arguments.seen(seen)[1]


def table_id_of(seen: Seen) -> str:
    """Return the id of the table of a version that was seen; empty if it is not known."""
    return arguments.seen(seen)[2]


def moved_by_heads(seen: Seen, now: Version, log: Callable[[], Heads]) -> Movement:
    """Return what came to a mounted table after a version that was seen. The log is only asked for where the head is another one."""
    if is_head(seen, now) or is_same_schema(seen, now):
        return Movement(now.number)
    heads = log()
    report = replaced_since(seen, now)
    is_replaced = bool(report.findings)
    came = heads_after(heads, seen)
    notes: list[str] = []
    if came is None:
        came = _of_which_nobody_knows(heads, now, is_replaced=is_replaced)
        if not is_replaced:
            notes.append(_unknown(seen, now))
    came = _with_newest(came, now)
    restored = return_text(heads, now)
    if restored:
        notes.append(restored)
    numbers = tuple(head.number for head in came)
    return Movement(now.number, numbers, msgspec.structs.replace(report, notes=tuple(notes)), came, restored)


def _of_which_nobody_knows(heads: Heads, now: Version, *, is_replaced: bool) -> tuple[Head, ...]:
    """Return the heads that came where the log does not hold what was seen: all of another table, all after a cut, else the newest."""
    if is_replaced or not heads.whole:
        return tuple(head for head in heads.entries if head.table_id == now.table_id)
    return ()


def _with_newest(came: tuple[Head, ...], now: Version) -> tuple[Head, ...]:
    """Return the heads with the newest one, which a log may lack that was read a moment before."""
    if came and is_head((came[-1].number, came[-1].digest, came[-1].table_id), now):
        return came
    return (*came, head_of(now))


def _unknown(seen: Seen, now: Version) -> str:
    return f"version {number_of(seen)} is not in the history of the table, so nobody knows what came between it and version {now.number}"


def replaced_since(seen: Seen, now: Version) -> Report:
    """Report whether the table was dropped and made again since a version of it was seen."""
    return replaced(arguments.seen(seen), now)


def went_back(seen: Seen, now: Version) -> Report:
    """Report whether the newest version is behind a version that was seen, or another version of the same number."""
    number, digest, _ = arguments.seen(seen)
    if digest is None and now.number >= number:
        return Report(old=number, new=now.number)
    return rewound((number, digest), now)


def lost(seen: Seen, now: Version) -> Report:
    """Report a break: the version that was seen is not there, so nobody knows what came after it."""
    number = number_of(seen)
    gone = "whoever keeps the table dropped it from the metadata since" if now.table_id else "it was expired or deleted since"
    message = f"version {number} was seen last, and {gone}, so nobody knows what came up to version {now.number}."
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

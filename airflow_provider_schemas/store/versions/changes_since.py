"""Has a table moved since it was seen? And does its history hold together?"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.compatibility.version_chain import rewound, successor, unmutated
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.common import arguments

Seen = Version | int | tuple[int, str]
"""A version that somebody saw: itself, its number, or its number and digest."""

_SHOWN = 10


class Movement(Struct, frozen=True):
    """What came after a version that was seen. True if anything did, or if history went back."""

    head: int
    newer: tuple[int, ...] = ()
    report: Report = Report()

    def __bool__(self) -> bool:
        return bool(self.newer or self.report.findings)


def number_of(seen: Seen) -> int:
    """The number of a version that was seen."""
    return arguments.seen(seen)[0]


def digest_of(seen: Seen) -> str | None:
    """Its digest, if that is known."""
    return arguments.seen(seen)[1]


def went_back(seen: Seen, now: Version) -> Report:
    """Whether the newest version is behind one that was seen, or another one of its number."""
    digest = digest_of(seen)
    if digest is None and now.number >= number_of(seen):
        return Report(old=number_of(seen), new=now.number)
    return rewound((number_of(seen), digest), now)


def lost(seen: Seen, now: Version) -> Report:
    """A break: the version that was seen is not there, so what came after it is not known."""
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


def inspected(versions: Sequence[Version], seen: Sequence[Seen] = ()) -> Report:
    """What does not fit together in a history, oldest version first: files that changed, versions that do not stand on the one before,
    numbers that went back, and who else writes here."""
    found: list[Report] = []
    by_number = {one.number: one for one in versions}
    for one in seen:
        now = by_number.get(number_of(one), versions[-1] if versions else None)
        found += [] if now is None else [went_back(one, now), *_changed(one, now, by_number.get(now.number + 1))]
    found += [report for old, new in pairwise(versions) for report in (*_links(old, new), *_fallen(old, new))]
    findings = tuple(dict.fromkeys(finding for report in found for finding in report.findings))
    newest = versions[-1].number if versions else None
    return Report(findings, new=newest, notes=tuple(_notes(versions)))


def _changed(seen: Seen, now: Version, after: Version | None) -> Iterator[Report]:
    """Whether the file of a version is another than was seen; not where the next one stands on it, as on any other version."""
    past, digest = None if after is None else _past_of(after), digest_of(seen)
    if now.number == number_of(seen) and digest is not None and (past is None or past.parent_sha256 != now.digest):
        yield unmutated(now, digest)


def _links(old: Version, new: Version) -> Iterator[Report]:
    """Whether a version stands on the one before: a gap is none of its faults, an older version may have been expired."""
    past = _past_of(new)
    if new.number != old.number + 1 or past is None or past.parent_sha256 is None or past.parent_sha256 == old.digest:
        return
    if past.parent_id == old.number:
        yield unmutated(old, past.parent_sha256)
    yield successor(old, new)


def _fallen(old: Version, new: Version) -> Iterator[Report]:
    """Whether ids may be given out again: the highest one fell, which only somebody else can do."""
    if new.schema.highest_field_id < old.schema.highest_field_id:
        found = check(old.schema, new.schema).findings
        yield Report(tuple(one for one in found if one.rule == "HIGHEST_FIELD_ID_REGRESSED"))


def _past_of(version: Version) -> Provenance | None:
    try:
        return version.provenance
    except SchemaError:
        return None


def _notes(versions: Sequence[Version]) -> Iterator[str]:
    outside = [one.number for one in versions if _past_of(one) is None]
    if outside and len(outside) == len(versions):
        yield "every version is by an outside writer"
    elif outside:
        yield f"by an outside writer: version {listed(outside)}"
    gaps = [
        f"{old.number + 1} to {new.number - 1}" if new.number - old.number > 2 else str(old.number + 1)
        for old, new in pairwise(versions)
        if new.number > old.number + 1
    ]
    if versions and versions[0].number > 0:
        gaps.insert(0, f"before {versions[0].number}")
    if gaps:
        yield f"not there any more: version {', '.join(gaps[:_SHOWN])}"


def listed(numbers: Sequence[int]) -> str:
    """1, 2, 5 ... as people read it."""
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return ", ".join(map(str, numbers[:_SHOWN])) + more

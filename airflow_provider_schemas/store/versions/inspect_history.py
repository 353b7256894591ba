"""Inspect a history: files that changed, versions that do not follow the one before, numbers that went back, and outside writers."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.compatibility.id_audit import audit_ids
from airflow_provider_schemas.core.compatibility.version_chain import successor, unmutated
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.versions.changes_since import Seen, digest_of, number_of, went_back
from airflow_provider_schemas.store.versions.facts import provenance_of

_SHOWN = 10


def inspect_history(versions: Sequence[Version], seen: Sequence[Seen] = ()) -> Report:
    """Report what does not fit together in a history, oldest version first, also with versions that somebody saw."""
    reports = [*_compare_seen(versions, seen), *_compare_neighbours(versions)]
    findings = tuple(dict.fromkeys(finding for report in reports for finding in report.findings))
    newest = versions[-1].number if versions else None
    return Report(findings, new=newest, notes=tuple(_notes(versions)))


def with_ids(report: Report, versions: Sequence[Version]) -> Report:
    """Return the report with what is wrong with the ids of the table as a whole, each finding once."""
    known = {(finding.rule, finding.path, finding.message) for finding in report.findings}
    found = audit_ids([version.schema for version in versions])
    fresh = tuple(finding for finding in found if (finding.rule, finding.path, finding.message) not in known)
    return msgspec.structs.replace(report, findings=(*report.findings, *fresh))


def _compare_seen(versions: Sequence[Version], seen: Sequence[Seen]) -> Iterator[Report]:
    """Yield what became of versions that somebody saw."""
    if not versions:
        return
    by_number = {version.number: version for version in versions}
    for remembered in seen:
        now = by_number.get(number_of(remembered), versions[-1])
        yield went_back(remembered, now)
        yield from _check_digest(remembered, now, by_number.get(now.number + 1))


def _check_digest(seen: Seen, now: Version, after: Version | None) -> Iterator[Report]:
    """Yield whether a file is another than was seen. The next version may stand on it, as on any version: then it is the right file."""
    provenance = None if after is None else provenance_of(after)
    digest = digest_of(seen)
    is_confirmed = provenance is not None and provenance.parent_sha256 == now.digest
    if now.number == number_of(seen) and digest is not None and not is_confirmed:
        yield unmutated(now, digest)


def _compare_neighbours(versions: Sequence[Version]) -> Iterator[Report]:
    for old, new in pairwise(versions):
        yield from _check_parent(old, new)
        yield from _check_highest_id(old, new)


def _check_parent(old: Version, new: Version) -> Iterator[Report]:
    """Yield whether a version follows the one before. A gap is not a fault: an older version may have been expired."""
    provenance = provenance_of(new)
    if new.number != old.number + 1 or provenance is None or provenance.parent_sha256 in (None, old.digest):
        return
    if provenance.parent_id == old.number:
        yield unmutated(old, provenance.parent_sha256)
    yield successor(old, new)


def _check_highest_id(old: Version, new: Version) -> Iterator[Report]:
    """Yield whether ids may be given out again: the highest id fell, which only an outside writer can do."""
    if new.schema.highest_field_id < old.schema.highest_field_id:
        findings = check(old.schema, new.schema).findings
        yield Report(tuple(finding for finding in findings if finding.rule == "HIGHEST_FIELD_ID_REGRESSED"))


def _notes(versions: Sequence[Version]) -> Iterator[str]:
    outside = [version.number for version in versions if provenance_of(version) is None]
    if outside and len(outside) == len(versions):
        yield "every version is by an outside writer"
    elif outside:
        yield f"by an outside writer: version {_list_numbers(outside)}"
    gaps = list(_find_gaps(versions))
    if gaps:
        yield f"not there any more: version {', '.join(gaps[:_SHOWN])}"


def _find_gaps(versions: Sequence[Version]) -> Iterator[str]:
    if versions and versions[0].number > 0:
        yield f"before {versions[0].number}"
    for old, new in pairwise(versions):
        first = old.number + 1
        last = new.number - 1
        if first == last:
            yield str(first)
        elif first < last:
            yield f"{first} to {last}"


def _list_numbers(numbers: Sequence[int]) -> str:
    """Return numbers as people read them: 1, 2, 5 ..."""
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    if len(numbers) > _SHOWN:
        return f"{shown} and {len(numbers) - _SHOWN} more"
    return shown

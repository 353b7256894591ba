"""How stored versions follow each other: does the next one stand on the head, is a file what was recorded, has history gone back?

About versions and not about what their schemas say. Whoever commits asks the first question; whoever reads
what was read before asks the others.
"""

from collections.abc import Iterator

from airflow_provider_schemas.core.report import Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaFileError

# As many signs of a digest as people compare.
_SHORT = 12


def successor(head: Version, following: Version) -> Report:
    """Whether a version is the one after the head: the next number, on the same branch, made of that very file."""
    reasons = list(_reasons(head, following))
    if not reasons:
        return _report(head.number, following.number)
    words = {"old": str(head.number), "new": str(following.number), "reason": ", and ".join(reasons)}
    return _report(head.number, following.number, _finding("VERSION_NOT_SUCCESSOR", following.number, words))


def _reasons(head: Version, following: Version) -> Iterator[str]:
    if following.branch != head.branch:
        yield f"it is of branch {following.branch}, and the head of {head.branch}"
    if following.number != head.number + 1:
        yield f"the next number is {head.number + 1}"
    try:
        past = following.provenance
    except SchemaFileError:
        yield "what it says of its origin cannot be read"
        return
    if past is not None and past.parent_id not in (None, head.number):
        yield f"it was made of version {past.parent_id}"
    if past is not None and past.parent_sha256 not in (None, head.digest):
        yield f"it was made of a file {_short(past.parent_sha256)}, and the head is {_short(head.digest)}"


def unmutated(version: Version, digest: str) -> Report:
    """Whether the file of a version still is the one whose digest was recorded."""
    if version.digest == digest:
        return _report(version.number, version.number)
    words = {"new": str(version.number), "new_digest": _short(version.digest), "old_digest": _short(digest)}
    return _report(version.number, version.number, _finding("SCHEMA_FILE_MUTATED", version.number, {"old": "", **words}))


def rewound(seen: Version | tuple[int, str | None], now: Version) -> Report:
    """Whether the newest version lies behind one that was seen, by its number, or is another one of the same number."""
    number, digest = (seen.number, seen.digest) if isinstance(seen, Version) else seen
    if now.number > number or (now.number == number and now.digest == digest):
        return _report(number, now.number)
    reason = f", with the digest {_short(now.digest)} instead of {_short(digest)}" if now.number == number else ""
    words = {"old": str(number), "new": str(now.number), "reason": reason}
    return _report(number, now.number, _finding("VERSION_REWOUND", now.number, words))


def _short(digest: str | None) -> str:
    return (digest or "")[:_SHORT]


def _finding(rule_id: str, number: int, words: dict[str, str]) -> Finding:
    rule, path = RULES[rule_id], f"version {number}"
    answers = rule.answers()
    verdict = worst((answers.data_by_id, answers.jobs, answers.writers))
    return Finding(
        rule.id,
        path,
        rule.says.format_map(words),
        rule.fix,
        verdict,
        old=words["old"],
        new=words["new"],
        verdicts=answers,
        data=worst((answers.data_by_id, answers.data_by_name)),
        jobs=answers.jobs,
        writers=answers.writers,
    )


def _report(old: int, new: int, *findings: Finding) -> Report:
    return Report(findings, old=old, new=new)

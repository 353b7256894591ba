"""How stored versions follow each other: does the next one stand on the head, is a file what was recorded, has history gone back,
and is the table the one that was seen?

These are questions about versions, not about what their schemas say. A commit asks the first one; a reader that has
read the table before asks the others.
"""

from collections.abc import Iterator

from airflow_provider_schemas.core.report import Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaFileError

# People compare no more characters of a digest.
_SHORT = 12
_REPLACED = {
    "": "version {new} is the newest of another table, and nobody knows what the columns of the earlier one have become",
    "same": "version {new} of another table has the same columns",
}


def successor(head: Version, following: Version) -> Report:
    """Report whether a version is the one after the head: the next number, on the same branch, made from that very file."""
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
    """Report whether the file of a version still is the one whose digest was recorded."""
    if version.digest == digest:
        return _report(version.number, version.number)
    words = {"new": str(version.number), "new_digest": _short(version.digest), "old_digest": _short(digest)}
    return _report(version.number, version.number, _finding("SCHEMA_FILE_MUTATED", version.number, {"old": "", **words}))


def rewound(seen: Version | tuple[int, str | None], now: Version) -> Report:
    """Report whether the newest version lies behind one that was read before, or is another one of the same number."""
    if isinstance(seen, Version):
        return rewound((seen.number, seen.digest), now)
    number, digest = seen
    if now.number > number or (now.number == number and now.digest == digest):
        return _report(number, now.number)
    reason = ""
    if now.number == number:
        reason = f", with the digest {_short(now.digest)} instead of {_short(digest)}"
    words = {"old": str(number), "new": str(now.number), "reason": reason}
    return _report(number, now.number, _finding("VERSION_REWOUND", now.number, words))


def replaced(seen: Version | tuple[int, str | None, str], now: Version) -> Report:
    """Report whether the table was dropped and made again since a version of it was seen. Only a mounted table has an id that tells."""
    if isinstance(seen, Version):
        return replaced((seen.number, seen.digest, seen.table_id), now)
    number, digest, table_id = seen
    if not table_id or not now.table_id or table_id == now.table_id:
        return _report(number, now.number)
    variant = "same" if digest == now.digest else ""
    words = {"old": str(number), "new": str(now.number), "reason": _REPLACED[variant].format(new=now.number)}
    return _report(number, now.number, _finding("TABLE_REPLACED", now.number, words, variant=variant, path="table"))


def _short(digest: str | None) -> str:
    return (digest or "")[:_SHORT]


def _finding(rule_id: str, number: int, words: dict[str, str], *, variant: str = "", path: str = "") -> Finding:
    rule = RULES[rule_id]
    answers = rule.answers(variant)
    return Finding(
        rule.id,
        path or f"version {number}",
        rule.says.format_map(words),
        rule.fix,
        worst((answers.data_by_id, answers.jobs, answers.writers)),
        old=words["old"],
        new=words["new"],
        verdicts=answers,
        data=worst((answers.data_by_id, answers.data_by_name)),
        jobs=answers.jobs,
        writers=answers.writers,
    )


def _report(old: int, new: int, *findings: Finding) -> Report:
    return Report(findings, old=old, new=new)

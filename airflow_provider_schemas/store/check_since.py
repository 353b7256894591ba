"""What came to a table since a version that somebody saw, for whoever says nothing of what is needed."""

from datetime import datetime
from typing import Any

import msgspec

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.changes_since import Seen, digest_of, lost, number_of, went_back

# Who says nothing of what is needed wants to be told of everything that a reader may notice.
_WHAT_READERS_SEE = {"data": "block", "jobs": "block", "writers": "off"}
_OF_GOING_BACK = frozenset({"HIGHEST_FIELD_ID_REGRESSED"})


def came_since(table: Table, head: Version, since: Seen | None, policy: Policy, *, pinned: bool, now: datetime | None) -> Report:
    """Report what has come since a version that was seen; nothing, if it is the newest still.

    Pinned is for a job that names the version it reads.
    """
    if since is None:
        return Report(notes=("nothing was said of what is needed of it, so that it is there is all that was asked",))
    if (head.number, head.digest) == (number_of(since), digest_of(since)):
        return Report(old=head.number)
    seen = _there(table, number_of(since))
    if seen is None or digest_of(since) not in (None, seen.digest):
        return _of_one_that_went(since, seen, head)
    said: dict[str, Any] = {"protect": _WHAT_READERS_SEE, "readers": policy.readers, "exceptions": policy.exceptions}
    strict = policy.stricter(Policy(against=Against.PREVIOUS, **said))
    found = check(seen, head, strict, table=table.name, now=now)
    if any(one.verdict is not Verdict.OK for one in found.findings):
        found = _as_returned(found, table, seen, head, strict, now=now)
    if pinned:  # who names an older version has not met a table that went back
        return msgspec.structs.replace(found, findings=tuple(one for one in found.findings if one.rule not in _OF_GOING_BACK))
    return msgspec.structs.replace(found, findings=(*went_back(since, head).findings, *found.findings))


def _as_returned(found: Report, table: Table, seen: Version, head: Version, policy: Policy, *, now: datetime | None) -> Report:
    """The report, which knows what the table had before the version that was seen: nobody is told to undo what undid something.

    The words alone are those of the past. A job that saw the name between meets the change, whatever it restores.
    """
    try:
        judged = check(seen, head, policy, history=table.subject.past(head).history, table=table.name, now=now)
    except SchemaError:  # nobody's fault if an old one cannot be read
        return found
    returned = {(one.rule, one.path, one.old, one.new): one for one in judged.findings if _is_told_as_return(one)}
    findings = [_in_words_of(returned.get((one.rule, one.path, one.old, one.new)), one) for one in found.findings]
    return msgspec.structs.replace(found, findings=tuple(findings))


def _is_told_as_return(finding: Finding) -> bool:
    return bool(finding.restores) or not finding.changes


def _in_words_of(returned: Finding | None, finding: Finding) -> Finding:
    if returned is None:
        return finding
    words = {name: getattr(returned, name) for name in ("message", "why", "fix", "changes", "restores")}
    return msgspec.structs.replace(finding, **words)


def _of_one_that_went(since: Seen, seen: Version | None, head: Version) -> Report:
    """A break: nobody can tell any more what came. Its number may have been given out again, and others after it."""
    back = went_back(since, seen or head)
    found = back if back.findings else lost(since, head)
    note = f"version {number_of(since)} was seen and is not there any more"
    return msgspec.structs.replace(found, notes=(*found.notes, note))


def _there(table: Table, number: int) -> Version | None:
    try:
        return table.version(number)
    except NotThereError:
        return None

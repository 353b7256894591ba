"""What came to a table since a version that a job saw, for a job without a contract."""

from datetime import datetime
from typing import Any

import msgspec

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.common.table_findings import ruled
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.changes_since import Seen, digest_of, lost, number_of, replaced_since, went_back
from airflow_provider_schemas.store.versions.heads import is_same_schema

# Without a contract, every change that could affect a reader is reported.
_WHAT_READERS_SEE = {"data": "block", "jobs": "block", "writers": "off"}
_OF_GOING_BACK = frozenset({"HIGHEST_FIELD_ID_REGRESSED"})


def came_since(table: Table, head: Version, since: Seen | None, policy: Policy, *, pinned: bool, now: datetime | None) -> Report:
    """Report what has come since a version that was seen; nothing, if it still is the newest.

    Pinned is for a job that names the version it reads.
    """
    if since is None:
        return Report(notes=("nothing was said of what is needed of it, so that it is there is all that was asked",))
    replaced = replaced_since(since, head)
    if replaced.findings:
        return msgspec.structs.replace(replaced, findings=ruled(replaced.findings, _strict_policy(policy), now))
    if (head.number, head.digest) == (number_of(since), digest_of(since)):
        return Report(old=head.number)
    if table.subject.is_mounted and is_same_schema(since, head):
        return Report(old=head.number)
    seen = _find_version(table, number_of(since))
    if seen is None or digest_of(since) not in (None, seen.digest):
        return _report_lost(since, seen, head, is_mounted=table.subject.is_mounted)
    strict = _strict_policy(policy)
    report = check(seen, head, strict, table=table.name, now=now)
    if any(finding.verdict is not Verdict.OK for finding in report.findings):
        report = _explain_returns(report, table, seen, head, strict, now=now)
    return _with_history(report, table, since, head, pinned=pinned)


def _with_history(report: Report, table: Table, since: Seen, head: Version, *, pinned: bool) -> Report:
    """Return the report with what the order of versions says; nothing to a job that names an older version itself."""
    if not pinned and not table.subject.is_mounted:
        return msgspec.structs.replace(report, findings=(*went_back(since, head).findings, *report.findings))
    findings = tuple(finding for finding in report.findings if finding.rule not in _OF_GOING_BACK)
    notes = () if pinned else table.changed_since(since).report.notes
    return msgspec.structs.replace(report, findings=findings, notes=(*report.notes, *notes))


def _strict_policy(policy: Policy) -> Policy:
    """Return the policy of the table, joined with one that blocks all that a reader may notice."""
    rules: dict[str, Any] = {"protect": _WHAT_READERS_SEE, "readers": policy.readers, "exceptions": policy.exceptions}
    return policy.stricter(Policy(against=Against.PREVIOUS, **rules))


def _explain_returns(report: Report, table: Table, seen: Version, head: Version, policy: Policy, *, now: datetime | None) -> Report:
    """Return the report in words that know what the table had before the version that was seen: what undid something is not undone.

    Only the words come from the past. A job that saw the name in between meets the change, whatever it restores.
    """
    try:
        judged = check(seen, head, policy, history=table.subject.past(head).history, table=table.name, now=now)
    except SchemaError:  # an old version cannot be read
        return report
    returns = {_key(finding): finding for finding in judged.findings if finding.restores or not finding.changes}
    findings = [_with_words_of(returns.get(_key(finding)), finding) for finding in report.findings]
    return msgspec.structs.replace(report, findings=tuple(findings))


def _key(finding: Finding) -> tuple[str, str, str, str]:
    return finding.rule, finding.path, finding.old, finding.new


def _with_words_of(returned: Finding | None, finding: Finding) -> Finding:
    if returned is None:
        return finding
    words = {name: getattr(returned, name) for name in ("message", "why", "fix", "changes", "restores")}
    return msgspec.structs.replace(finding, **words)


def _report_lost(since: Seen, seen: Version | None, head: Version, *, is_mounted: bool) -> Report:
    """Report a break: what came can't be known any more. The number may have been given out again, and others after it."""
    report = lost(since, head)
    if not is_mounted:
        back = went_back(since, seen or head)
        report = back if back.findings else report
    note = f"version {number_of(since)} was seen and is not there any more"
    return msgspec.structs.replace(report, notes=(*report.notes, note))


def _find_version(table: Table, number: int) -> Version | None:
    """Return a version, if it is there."""
    try:
        return table.version(number)
    except NotThereError:
        return None

"""What came to a table since a version that somebody saw, for whoever says nothing of what is needed."""

from datetime import datetime
from typing import Any

import msgspec

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
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
    if pinned:  # who names an older version has not met a table that went back
        return msgspec.structs.replace(found, findings=tuple(one for one in found.findings if one.rule not in _OF_GOING_BACK))
    return msgspec.structs.replace(found, findings=(*went_back(since, head).findings, *found.findings))


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

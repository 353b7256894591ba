"""A run as GitLab's report of code quality: a list of findings at lines of files."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import Completed, Entry, cut, entries
from airflow_provider_schemas.render.ci.log_text import json_without_commands

MAX_DESCRIPTION = 1_000
_SEVERITIES: Mapping[Verdict, str] = MappingProxyType({
    Verdict.OK: "info",
    Verdict.WARN: "minor",
    Verdict.BREAK: "critical",
    Verdict.INVALID: "blocker",
})  # fmt: skip


def gitlab(run: CheckRun, completed: Completed = str) -> str:
    """Return the run as JSON."""
    issues = [_issue(entry) for entry in entries(run, completed)]
    return json_without_commands(json.dumps(issues, indent=1, ensure_ascii=True)) + "\n"


def _issue(entry: Entry) -> dict[str, Any]:
    return {
        "description": cut(entry.sentence, MAX_DESCRIPTION),
        "check_name": entry.rule,
        "fingerprint": entry.fingerprint,
        "severity": _severity(entry),
        "location": {"path": entry.location.path, "lines": {"begin": entry.location.first_line}},
    }


def _severity(entry: Entry) -> str:
    """Return the severity; GitLab has no word for what was accepted, which is information."""
    if entry.is_fault:
        return "blocker"
    if entry.is_suppressed:
        return "info"
    return _SEVERITIES[entry.verdict]

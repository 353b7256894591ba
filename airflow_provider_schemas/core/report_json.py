"""Reports as JSON values, in and out: the stable form that pages, other tools and stored plans share."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Finding, Place, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PlanError

# Members that follow from others; they are written for whoever reads the JSON without this library.
_DERIVED = ("code", "link")


def report_dict(report: Report) -> dict[str, Any]:
    """Return the report as plain values."""
    return {
        "table": report.table,
        "old": report.old,
        "new": report.new,
        "verdict": report.verdict.value,
        "fits": report.fits,
        "counts": counts(report),
        "contracts": report.contracts,
        "findings": [finding_dict(finding) for finding in report.findings],
        "notes": list(report.notes),
        **basis_dict(report),
        **_if_any("file", report.file),
        **_if_any("mended", [consumer.name for consumer in report.mended]),
    }


def basis_dict(report: Report) -> dict[str, str]:
    """Return what the verdict rests on and when that was looked at; nothing, where the caller handed in both sides."""
    if not report.judged_by:
        return {}
    return {"judged_by": report.judged_by, "at": report.at}


def counts(report: Report) -> dict[str, int]:
    """Return how many findings have which verdict."""
    times = Counter(finding.verdict for finding in report.findings)
    return {verdict.value: times[verdict] for verdict in Verdict}


def finding_dict(finding: Finding) -> dict[str, Any]:
    """Return the finding as plain values."""
    rule = RULES.get(finding.rule)
    verdicts = {name: value.value for name, value in msgspec.structs.asdict(finding.verdicts).items()}
    return {
        "rule": finding.rule,
        "code": "" if rule is None else rule.code,
        "path": finding.path,
        "id": finding.id,
        "old": finding.old,
        "new": finding.new,
        "verdict": finding.verdict.value,
        "verdicts": verdicts,
        "data": finding.data.value,
        "jobs": finding.jobs.value,
        "writers": finding.writers.value,
        "consumers": [msgspec.structs.asdict(consumer) for consumer in finding.consumers],
        **_if_any("mends", [msgspec.structs.asdict(consumer) for consumer in finding.mends]),
        **_if_any("why", finding.why),
        **_if_any("restores", list(finding.restores)),
        "owner": finding.owner,
        "contact": finding.contact,
        "message": finding.message,
        "fix": {"text": finding.fix, "changes": [change.to_json() for change in finding.changes]},
        "place": None if finding.place is None else place_dict(finding.place),
        "versions": list(finding.versions),
        "proven": finding.proven,
        "waived": finding.waived,
        "fault": finding.fault,
        "link": finding.link,
        **_row_members(finding),
    }


def place_dict(place: Place) -> dict[str, Any]:
    """Return the place as plain values, with the column where it is known: plans that were kept without one keep their seals."""
    if not place.column:
        return {"file": place.file, "line": place.line}
    return msgspec.structs.asdict(place)


def _if_any(key: str, value: str | list[Any]) -> dict[str, Any]:
    """Return a member that is written only where there is something to say."""
    return {key: value} if value else {}


def _row_members(finding: Finding) -> dict[str, Any]:
    """Return what a finding about rows says of them."""
    if not isinstance(finding, DataFinding):
        return {}
    return {"count": finding.count, "samples": [dict(row) for row in finding.samples]}


def report_of(value: object) -> Report:
    """Return the report in plain values."""
    members = _mapping(value, "report")
    findings = members.get("findings", [])
    if not isinstance(findings, list):
        raise _unreadable("report.findings", "they are no list")
    rest = {key: value for key, value in members.items() if key in Report.__struct_fields__ and key != "findings"}
    report: Report = _converted(rest, Report, "report")
    return msgspec.structs.replace(report, findings=tuple(map(_read_finding, findings)))


def _read_finding(value: object) -> Finding:
    members = {key: member for key, member in _mapping(value, "finding").items() if key not in _DERIVED}
    fix = _mapping(members.pop("fix", {}), "fix")
    kind = DataFinding if "count" in members else Finding
    finding: Finding = _converted({**members, "fix": fix.get("text", "")}, kind, "finding")
    return msgspec.structs.replace(finding, changes=tuple(parse_changes(fix.get("changes", []))))


def _mapping(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _unreadable(what, f"it is a {type(value).__name__}")
    return dict(value)


def _converted(value: dict[str, Any], kind: type[Any], what: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _unreadable(what, shown(str(error))[1:-1]) from None


def _unreadable(what: str, why: str) -> PlanError:
    return PlanError(f"the {what} cannot be read: {why}.", code="plan.unreadable", path=what, fix="Make the plan again.")

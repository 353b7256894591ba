"""Reports as JSON values, in and out: the stable form that pages, other tools and stored plans share."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PlanError

# Members that follow from others; they are written for whoever reads the JSON without this library.
_DERIVED = ("code", "link")


def report_dict(report: Report) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "table": report.table,
        "old": report.old,
        "new": report.new,
        "verdict": report.verdict.value,
        "fits": report.fits,
        "counts": counts(report),
        "contracts": report.contracts,
        "findings": [finding_dict(one) for one in report.findings],
        "notes": list(report.notes),
        **basis_dict(report),
        **({"mended": [one.name for one in report.mended]} if report.mended else {}),
    }


def basis_dict(report: Report) -> dict[str, str]:
    """What the verdict rests on and when that was looked at, as plain values; nothing, where both sides were handed in."""
    return {"judged_by": report.judged_by, "at": report.at} if report.judged_by else {}


def counts(report: Report) -> dict[str, int]:
    """How many findings have which verdict."""
    found = Counter(one.verdict for one in report.findings)
    return {one.value: found[one] for one in Verdict}


def finding_dict(one: Finding) -> dict[str, Any]:
    """The finding as plain values."""
    rule = RULES.get(one.rule)
    verdicts = {name: value.value for name, value in msgspec.structs.asdict(one.verdicts).items()}
    return {
        "rule": one.rule,
        "code": "" if rule is None else rule.code,
        "path": one.path,
        "id": one.id,
        "old": one.old,
        "new": one.new,
        "verdict": one.verdict.value,
        "verdicts": verdicts,
        "data": one.data.value,
        "jobs": one.jobs.value,
        "writers": one.writers.value,
        "consumers": [msgspec.structs.asdict(consumer) for consumer in one.consumers],
        **({"mends": [msgspec.structs.asdict(consumer) for consumer in one.mends]} if one.mends else {}),
        **({"why": one.why} if one.why else {}),
        **({"restores": list(one.restores)} if one.restores else {}),
        "owner": one.owner,
        "contact": one.contact,
        "message": one.message,
        "fix": {"text": one.fix, "changes": [change.to_json() for change in one.changes]},
        "place": None if one.place is None else msgspec.structs.asdict(one.place),
        "versions": list(one.versions),
        "proven": one.proven,
        "waived": one.waived,
        "fault": one.fault,
        "link": one.link,
        **({"count": one.count, "samples": [dict(row) for row in one.samples]} if isinstance(one, DataFinding) else {}),
    }


def report_of(value: object) -> Report:
    """The report in plain values."""
    members = _mapping(value, "report")
    findings = members.get("findings", [])
    if not isinstance(findings, list):
        raise _unreadable("report.findings", "they are no list")
    rest = {key: value for key, value in members.items() if key in Report.__struct_fields__ and key != "findings"}
    report: Report = _converted(rest, Report, "report")
    return msgspec.structs.replace(report, findings=tuple(map(_finding_of, findings)))


def _finding_of(value: object) -> Finding:
    members = {key: one for key, one in _mapping(value, "finding").items() if key not in _DERIVED}
    fix = _mapping(members.pop("fix", {}), "fix")
    kind = DataFinding if "count" in members else Finding
    found: Finding = _converted({**members, "fix": fix.get("text", "")}, kind, "finding")
    return msgspec.structs.replace(found, changes=tuple(parse_changes(fix.get("changes", []))))


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

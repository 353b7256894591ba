"""What the log says of one table besides its findings, as plain values: whose it is, how it was judged, what to type."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.report.text import fine_text, job, split_findings, subject
from airflow_provider_schemas.render.sanitize import JOINED
from airflow_provider_schemas.render.verdict.finding_entry import MAX_READERS, finding_details
from airflow_provider_schemas.render.version_entries import provenance, written_by
from airflow_provider_schemas.store.check_tables import TableAnswer
from airflow_provider_schemas.tasks.output.cli_commands import format_command, format_undo, format_waiver
from airflow_provider_schemas.tasks.output.short_texts import short
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_entry

_MAX_COMMANDED_FINDINGS = 3
_OVERRIDE = "override: "


class GateFacts(Struct, frozen=True, kw_only=True):
    """What a gate knows of all its tables besides the reports on them."""

    conn_id: str = ""
    consumer: str = ""
    check_commands: Mapping[str, str] = {}
    """The command that checks each table again."""
    bases: Mapping[str, str] = {}
    """How each table was judged, in a few words."""
    baseline_tables: frozenset[str] = frozenset()
    """The tables that were judged against the version that an earlier run saw."""
    since: Mapping[str, SeenVersion] = {}
    """The versions that were seen when the task was last green."""
    since_runs: Mapping[str, str] = {}
    """The runs in which they were seen."""
    since_moments: Mapping[str, str] = {}
    """When they were seen."""
    accepts: bool = False
    """Whether the success of this task accepts what does not fit."""

    def connected(self, command: str) -> str:
        """Return a command with the connection, where it can be typed as it is shown."""
        option = ""
        if self.conn_id and self.conn_id.isprintable():
            option = f"--conn {shlex.quote(self.conn_id)}"
        return Sheet(connection=option).connected(command)


def joined_answer(answers: list[TableAnswer]) -> TableAnswer:
    """Return one answer about a table, of which there are two where it is read and written."""
    first, *others = answers
    if not others:
        return first
    findings: dict[Finding, None] = {}
    notes: dict[str, None] = {}
    for answer in answers:
        findings |= dict.fromkeys(answer.report.findings)
        notes |= dict.fromkeys(answer.report.notes)
    old = next((answer.report.old for answer in answers if answer.report.old is not None), None)
    report = msgspec.structs.replace(first.report, findings=tuple(findings), notes=tuple(notes), old=old)
    return msgspec.structs.replace(first, report=report)


def table_facts(answer: TableAnswer, facts: GateFacts) -> dict[str, Any]:
    """Return what is said of a table; what there is nothing to say of is left out."""
    report = answer.report
    sheet = Sheet()
    entry: dict[str, Any] = {
        "subject": short(subject(report).replace(JOINED, " ")),
        "sentence": short(summary(report)),
        "how": short(facts.bases.get(answer.table, "")),
        "from": _compared_with(answer, facts),
        "contracts": report.contracts,
        "job": short(job(report, sheet).replace(JOINED, " ")),
        **_owner(answer),
        **_fine(report),
    }
    if not answer.fits and answer.version is not None:
        entry |= {"written": short(written_by(answer.version, report)), "override": override(answer.version)}
    if report.verdict is not Verdict.OK and answer.policy is not None:
        entry["policy"] = {"name": short(answer.policy.name), "found": short(answer.policy.found)}
    if answer.table in facts.check_commands:
        entry["again"] = facts.check_commands[answer.table] or format_command("log", answer.table, conn_id=facts.conn_id)
    if answer.table in facts.baseline_tables:
        entry["without_contract"] = True
    return {key: value for key, value in entry.items() if value}


def override(version: Version) -> dict[str, str]:
    """Return who wrote a version past the policy of its table, and why; empty if nobody did."""
    source = provenance(version) or Provenance()
    reason = source.policy or ""
    if not reason.startswith(_OVERRIDE):
        return {}
    return {"by": short(source.actor or ""), "why": short(reason.removeprefix(_OVERRIDE))}


def _compared_with(answer: TableAnswer, facts: GateFacts) -> dict[str, Any]:
    """Return the version that the judged one is compared with; and in which run of the task it was seen, if one saw it."""
    seen = facts.since.get(answer.table)
    if seen is not None and answer.table in facts.baseline_tables:
        run = facts.since_runs.get(answer.table, "")
        moment = facts.since_moments.get(answer.table, "")
        return {**seen_entry(seen), "run": short(run), "at": short(moment)}
    if answer.report.old is not None:
        return {"version": answer.report.old}
    return {}


def _owner(answer: TableAnswer) -> dict[str, str]:
    """Return who answers for the table, and how to reach them: as all findings say, or else its schema."""
    owners = {(finding.owner, finding.contact) for finding in answer.report.findings}
    if len(owners) == 1 and any(min(owners)):
        owner, contact = min(owners)
        return {"owner": short(owner), "contact": short(contact)}
    if answer.version is None:
        return {}
    try:
        attributes = answer.version.schema.table_attributes
    except SchemaError:
        return {}
    return {key: short(str(attributes[key])) for key in ("owner", "contact") if attributes.get(key)}


def _fine(report: Report) -> dict[str, Any]:
    _, fine = split_findings(report, verbose=False)
    return {"fine": {"count": len(fine), "text": short(fine_text(fine))}} if fine else {}


# ---------------------------------------------------------------- findings


def finding_entry(finding: Finding) -> dict[str, Any]:
    """Return a finding in its sentence."""
    masked = masked_finding(finding)
    return {
        "rule": masked.rule,
        "verdict": masked.verdict.value,
        "path": short(masked.path),
        "message": short(masked.message),
        "fix": short(masked.fix),
        "waived": short(masked.waived),
    }


def printed_details(finding: Finding, answer: TableAnswer, facts: GateFacts) -> dict[str, Any]:
    """Return what else is printed of a finding."""
    report = answer.report
    few = msgspec.structs.replace(finding, consumers=finding.consumers[:MAX_READERS], mends=finding.mends[:MAX_READERS])
    view = View.of(few, report.table, kept_elsewhere=report.kept_elsewhere)
    return finding_details(finding, view, shorten=short, connect=facts.connected)


def steps(answer: TableAnswer, facts: GateFacts) -> list[dict[str, str]]:
    """Return what to do about a table that is not there, or about findings that no contract was checked for."""
    if answer.version is None:
        return [*_steps_to_missing(answer, facts)] if answer.report.findings else []
    if answer.fits or answer.table not in facts.baseline_tables:
        return []
    return [*_baseline_steps(answer, facts)]


def _steps_to_missing(answer: TableAnswer, facts: GateFacts) -> Iterator[dict[str, str]]:
    """Yield the steps about a table without a version: nothing about it can be waived, and nothing but its name can be wrong."""
    yield {"label": "next step", "text": "Create the table, or mend the name, if it is another.", "command": ""}
    command = format_command("ls", answer.table.partition(".")[0], conn_id=facts.conn_id)
    if command:
        yield {"label": "", "text": "", "command": command}


def _baseline_steps(answer: TableAnswer, facts: GateFacts) -> Iterator[dict[str, str]]:
    """Yield the commands about the worst findings: the renderer has commands for contracts alone."""
    worst_first = sorted(answer.report.findings, key=lambda finding: -SEVERITY[finding.verdict])
    for finding in worst_first[:_MAX_COMMANDED_FINDINGS]:
        commands = {
            "fix in the table": format_undo(finding, answer.report.table, facts.conn_id, kept_elsewhere=answer.report.kept_elsewhere),
            "let it through": format_waiver(finding, answer.table, facts.consumer, facts.conn_id),
        }
        about = {"rule": finding.rule, "path": short(finding.path)}
        yield from ({"label": label, "text": "", "command": command, **about} for label, command in commands.items() if command)

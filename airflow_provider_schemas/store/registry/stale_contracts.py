"""Contracts whose jobs have not been seen for long: they are judged by themselves, and only warn.

So a job that was deleted in January blocks nobody for ever, and is named all the same.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from airflow_provider_schemas.core.compatibility.mended_contracts import mends
from airflow_provider_schemas.core.contracts.check_contract import unfit
from airflow_provider_schemas.core.contracts.lack import called
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import Ruling, strictest
from airflow_provider_schemas.core.report import Consumer, Finding, Report, Verdict, at_most
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.store.registry.contract_record import Registered
from airflow_provider_schemas.store.registry.json_records import at, first


def with_warnings(
    report: Report,
    stale: Sequence[Registered],
    old: TableSchema | None,
    new: TableSchema,
    *,
    policy: Policy | None = None,
    now: datetime | None = None,
) -> Report:
    """Return the report of a step with warnings about what it takes from jobs that have not been seen for long."""
    if not stale:
        return report
    moment = at(now)
    rules = policy or Policy()
    before = None if old is None else Lookup(old)
    after = Lookup(new)
    if before is not None:
        fitting = [registered for registered in stale if mends(before, after, registered.contract, moment, rules.profiles)]
        report = _note_fitting(report, fitting)
    lacks = _join_consumers(_new_lacks(stale, before, after, moment, rules.profiles))
    if not lacks:
        return report
    ruled = strictest([_rule(lacks, joined, moment) for joined in rules.joined()])
    findings = tuple(msgspec.structs.replace(finding, verdict=at_most(Verdict.WARN, finding.verdict)) for finding in ruled.findings)
    readers: dict[str, Consumer] = {}
    for finding in findings:
        readers |= {consumer.name: consumer for consumer in finding.consumers}
    notes = (*report.notes, note(list(readers.values())))
    return msgspec.structs.replace(report, findings=(*report.findings, *findings), notes=notes)


def note(readers: Sequence[Consumer]) -> str:
    """Return the note that some contracts only warn, and since when their readers were not seen."""
    names = first(f"{reader.name} (last seen {reader.last_seen[:10]})" for reader in readers)
    return f"only warned for readers that have not been seen for long: {names}"


def _note_fitting(report: Report, fitting: Sequence[Registered]) -> Report:
    """Return the report with a note that names the readers that fit again after the step."""
    if not fitting:
        return report
    names = first(f"{registered.consumer} (last seen {registered.last_seen[:10]})" for registered in fitting)
    return msgspec.structs.replace(report, notes=(*report.notes, f"mends readers that have not been seen for long: {names}"))


def _new_lacks(
    stale: Sequence[Registered], before: Lookup | None, after: Lookup, now: datetime, engines: Sequence[Reader]
) -> Iterator[Finding]:
    """Yield what the new schema lacks for these jobs, and the old one did not."""
    for registered in stale:
        lacks = list(unfit(after, registered.contract, seen=before, now=now, engines=engines))
        if not lacks:
            continue
        known: set[tuple[str, str]] = set()
        if before is not None:
            known = {(lack.rule, lack.path) for lack in unfit(before, registered.contract, seen=before, now=now, engines=engines)}
        yield from (lack for lack in lacks if (lack.rule, lack.path) not in known)


def _join_consumers(lacks: Iterator[Finding]) -> tuple[Finding, ...]:
    """Return one finding for all jobs that lack the same."""
    joined: dict[tuple[str, str, str, str], Finding] = {}
    for lack in lacks:
        key = (lack.rule, lack.path, lack.old, lack.new)
        if key in joined:
            same = joined[key]
            joined[key] = msgspec.structs.replace(same, consumers=(*same.consumers, *lack.consumers))
        else:
            joined[key] = lack
    return tuple(joined.values())


def _rule(lacks: Sequence[Finding], policy: Policy, now: datetime) -> Report:
    """Return the findings as one policy weighs them."""
    ruling = Ruling(policy, now)
    return Report(tuple(ruling.ruled(lack, called(lack)) for lack in lacks))

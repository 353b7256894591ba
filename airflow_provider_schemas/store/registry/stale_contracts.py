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

_Key = tuple[str, str, str, str]


def told(
    report: Report,
    stale: Sequence[Registered],
    old: TableSchema | None,
    new: TableSchema,
    *,
    policy: Policy | None = None,
    now: datetime | None = None,
) -> Report:
    """The report of a step, with what the step takes from jobs that have not been seen for long, as warnings."""
    moment = at(now)
    rules = policy or Policy()
    cured = [] if old is None else [one for one in stale if mends(Lookup(old), Lookup(new), one.contract, moment, rules.profiles)]
    report = _with_mended(report, cured)
    lacks = _grouped(_taken(stale, old, new, moment, rules.profiles))
    if not lacks:
        return report
    ruled = strictest([_ruled(lacks, one, moment) for one in rules.joined()])
    findings = tuple(msgspec.structs.replace(one, verdict=at_most(Verdict.WARN, one.verdict)) for one in ruled.findings)
    names = {one.name: one for finding in findings for one in finding.consumers}
    return msgspec.structs.replace(report, findings=(*report.findings, *findings), notes=(*report.notes, note(list(names.values()))))


def note(readers: Sequence[Consumer]) -> str:
    """That some contracts only warn, and since when their readers were not seen."""
    names = first(f"{one.name} (last seen {one.last_seen[:10]})" for one in readers)
    return f"only warned for readers that have not been seen for long: {names}"


def _with_mended(report: Report, cured: Sequence[Registered]) -> Report:
    """The report, with the readers that the step mends as a note."""
    if not cured:
        return report
    said = f"mends readers that have not been seen for long: {first(f'{one.consumer} (last seen {one.last_seen[:10]})' for one in cured)}"
    return msgspec.structs.replace(report, notes=(*report.notes, said))


def _taken(
    stale: Sequence[Registered], old: TableSchema | None, new: TableSchema, now: datetime, engines: Sequence[Reader]
) -> Iterator[Finding]:
    """What the new schema does not give, and the old one did."""
    if not stale:
        return
    before, after = None if old is None else Lookup(old), Lookup(new)
    for one in stale:
        lacks = list(unfit(after, one.contract, seen=before, now=now, engines=engines))
        if not lacks:
            continue
        known = set()
        if before is not None:
            known = {(lack.rule, lack.path) for lack in unfit(before, one.contract, seen=before, now=now, engines=engines)}
        yield from (lack for lack in lacks if (lack.rule, lack.path) not in known)


def _grouped(lacks: Iterator[Finding]) -> tuple[Finding, ...]:
    """One finding for all jobs that lack the same."""
    found: dict[_Key, tuple[Finding, list[Consumer]]] = {}
    for one in lacks:
        found.setdefault((one.rule, one.path, one.old, one.new), (one, []))[1].extend(one.consumers)
    return tuple(msgspec.structs.replace(one, consumers=tuple(consumers)) for one, consumers in found.values())


def _ruled(lacks: Sequence[Finding], policy: Policy, now: datetime) -> Report:
    ruling = Ruling(policy, now)
    return Report(tuple(ruling.ruled(one, called(one)) for one in lacks))

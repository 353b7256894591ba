"""From a table file to a plan: the changes that the file wants of a table as it is today.

What the file does not mention stays. Nothing is guessed, and changes after the file was written are not undone: a
file that equals an older version stops the plan.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.deadlines import ended
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.compatibility.inputs import earlier, schema_of
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.given_policy import excused
from airflow_provider_schemas.core.policies.plain_policy import Judging, PlainPolicy
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import Finding, Place, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.table_file.model import Column, TableFile
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import Accepted
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION, aliases, inline_policy
from airflow_provider_schemas.formats.table_file.planning.returning_names import accepts_return, returning_faults
from airflow_provider_schemas.formats.table_file.planning.source_places import EntryPath, places_of, spellings, with_places
from airflow_provider_schemas.formats.table_file.planning.target_schema import make_target

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence
    from airflow_provider_schemas.core.policies.policy import Policy, Waiver

_MAX_CHANGES = 5
_SPELLING = RULES["TYPE_SPELLING_CHANGED"]
_IGNORED_IN_TYPES = re.compile(r"[\s`]+")


class Planned(Struct, frozen=True, dict=True):
    """The changes that a table file wants of a table."""

    base: TableSchema
    target: TableSchema
    """The table as the file wants it."""
    left_alone: tuple[str, ...] = ()
    """Columns and fields that the file does not mention: they stay."""
    waivers: "tuple[Waiver, ...]" = ()
    """The rules that the file accepts."""
    notes: tuple[str, ...] = ()
    places: Mapping[str, Place] = {}
    """The places in the file by the paths of findings."""

    @cached_property
    def changes(self) -> tuple[SchemaChange, ...]:
        """The changes that lead to the target, as far as changes can express them."""
        return diff(self.base, self.target).changes


def changes_of(
    file: TableFile, schema: TableSchema, history: History | Iterable[TableSchema | Version] = (), *, now: datetime | None = None
) -> Planned:
    """Return what the file wants of a table that has this schema, or raise a TableFileError with the decisions to make first.

    `history` are the schemas before this one.
    """
    return msgspec.structs.replace(_planned(file, checked_schema(schema), history, now), places=places_of(file))


def _planned(file: TableFile, schema: TableSchema, history: History | Iterable[TableSchema | Version], now: datetime | None) -> Planned:
    """Return what the file wants, without the places: of a whole table they cost more than those of some findings."""
    target = make_target(file, schema)
    if target.faults or target.schema is not schema:
        faults = _faults(file, schema, earlier(history, schema), target.faults)
        if faults:
            raise file.refusal_of(faults)
    waivers, ended_notes = _waivers(file, schema, moment(now))
    notes = (*(_note(file, entry, text) for entry, text in target.notes), *ended_notes)
    return Planned(schema, target.schema, target.left_alone, waivers, notes)


def _faults(file: TableFile, schema: TableSchema, past: History, own: Iterable[Fault]) -> list[Fault]:
    """Return the faults that stop a plan: that the file is older than the table, else returning names and faults of the target."""
    stale = _stale_faults(file, schema, past)
    if stale:
        return stale
    returning = list(returning_faults(file, schema, past))
    paths = {fault.path for fault in returning}
    return [*returning, *(fault for fault in own if fault.path not in paths)]


def plan(
    file: TableFile,
    base: Version | None,
    *,
    policy: Judging | None = None,
    history: History | Iterable[TableSchema | Version] = (),
    contracts: "Iterable[Contract | Any]" = (),
    evidence: "Iterable[Evidence | Mapping[str, Any]]" = (),
    live: Collection[int] | None = None,
    now: datetime | None = None,
) -> Plan:
    """Return the plan that makes a table what the file wants, from its newest version; or from nothing.

    None as policy is the table's own, as far as it stands in the table or in the file: the stricter of the two.
    """
    if base is None:
        own = policy or _policy_of_file(file)
        first = Plan.of(None, file.create(), policy=own, contracts=contracts, table=file.table, now=now)
        return _with_file_findings(first, file, _waivers(file, first.result, moment(now))[1])
    schema = schema_of(base)
    past = earlier(history, schema)
    planned = _planned(file, schema, past, now)
    notes = planned.notes
    if policy is None:
        policy = _own_policy(file, schema)
        notes = (*notes, *_policy_notes(file, schema))
    whole = Plan.of(
        base,
        planned.target,
        policy=excused(policy, planned.waivers),
        history=past,
        contracts=contracts,
        evidence=evidence,
        live=live,
        table=file.table,
        left_alone=planned.left_alone,
        now=now,
    )
    return _with_file_findings(whole, file, notes)


# ---------------------------------------------------------------- findings about the text of the file


def _with_file_findings(plan: Plan, file: TableFile, notes: Iterable[str]) -> Plan:
    """Return the plan with the findings about the spelling of types, and with notes about the file."""
    findings = (*plan.report.findings, *spelling_findings(file))
    report = msgspec.structs.replace(plan.report, findings=findings, notes=(*plan.report.notes, *notes))
    report = with_places(report, file)
    return msgspec.structs.replace(plan, report=report)


def spelling_findings(file: TableFile) -> tuple[Finding, ...]:
    """Return a finding for each type that Paimon spells otherwise, such as INTEGER for INT.

    Blanks, case and the back-quotes around names do not count.
    """
    findings: list[Finding] = []
    for number, column in enumerate(file.columns):
        written = column.type.strip()
        canonical = str(column.kind)
        if written != canonical and _bare(written) != _bare(canonical):
            place = file.place(("columns", number, "type"))
            findings.append(_spelling_finding(word(column.name), written, canonical, place))
    return tuple(findings)


def _spelling_finding(path: str, written: str, canonical: str, place: Place | None) -> Finding:
    message = _SPELLING.says.format(path=path, new=written, old=canonical)
    return Finding(
        _SPELLING.id,
        path,
        message,
        _SPELLING.fix,
        Verdict.OK,
        old=canonical,
        new=written,
        verdicts=_SPELLING.answers(),
        place=place,
    )


def _bare(sql: str) -> str:
    return _IGNORED_IN_TYPES.sub("", sql).upper()


def _note(file: TableFile, entry: EntryPath | str, text: str) -> str:
    """Write a note with its place in the file, where that is known."""
    place = file.place(entry)
    if place is None:
        return text
    if place.file:
        return f"{place}: {text}"
    return f"line {place.line}: {text}"


# ---------------------------------------------------------------- older states


def _stale_faults(file: TableFile, schema: TableSchema, past: History) -> list[Fault]:
    """Return the fault of a file that wants no change of an older version: it was written for that one."""
    for old in past.schemas(_versions_to_compare(file, schema, past)):
        target = make_target(file, old)
        if target.schema is old and not target.faults:
            message = f"the file says what the table was at version {old.id}, and since then: {_changes_since(old, schema)}."
            fix = f"Add to the file what came since; to go back, restore version {old.id}, which keeps the ids."
            return [Fault("table-file.older-state", "table", message, fix)]
    return []


def _versions_to_compare(file: TableFile, schema: TableSchema, past: History) -> Sequence[int]:
    """Return the older versions that may equal the file, newest first: most differ in the names of their columns.

    A file that accepts that a name comes back was written after that change; so was one that drops a current column.
    """
    if any(schema.field(dropped.name) for dropped in file.dropped) or any(map(accepts_return, file.columns)):
        return []
    return past.having([column.name for column in file.columns], [dropped.name for dropped in file.dropped])[::-1]


def _changes_since(old: TableSchema, new: TableSchema) -> str:
    texts = [short_text(change) for change in diff(old, new).changes]
    if not texts:
        return "changes that no text can say"
    first = ", ".join(texts[:_MAX_CHANGES])
    if len(texts) > _MAX_CHANGES:
        return f"{first} and {len(texts) - _MAX_CHANGES} more"
    return first


# ---------------------------------------------------------------- rules that the file accepts


def _waivers(file: TableFile, schema: TableSchema, now: datetime) -> "tuple[tuple[Waiver, ...], list[str]]":
    """Return the waivers that count, and a note for each that has ended."""
    waivers: list[Waiver] = []
    notes: list[str] = []
    for entry, names, accepts in _accepting_entries(file, schema):
        if ended(accepts.until, now):
            rules = ", ".join(accepts.rules)
            notes.append(_note(file, (*entry, "accepts"), f"{rules} of {names[0]} was accepted until {accepts.until}, which is over."))
        else:
            waivers += _waivers_of(names, accepts)
    return tuple(waivers), notes


def _waivers_of(names: Sequence[str], accepts: Accepted) -> "Iterator[Waiver]":
    # A file that accepts nothing does not load what reads waivers.
    from airflow_provider_schemas.core.policies.policy import Waiver

    for rule, reason in accepts.rules.items():
        for name in names:
            yield Waiver(rule=rule, path=name, reason=reason, until=accepts.until, by=accepts.by)


def _accepting_entries(file: TableFile, schema: TableSchema) -> Iterator[tuple[EntryPath, list[str], Accepted]]:
    """Yield each entry that accepts rules, with every name that findings may have for it, and the rules."""
    for number, column in enumerate(file.columns):
        if column.accepts is not None:
            yield ("columns", number), _names_of(column, schema), column.accepts
    for number, dropped in enumerate(file.dropped):
        if dropped.accepts is not None:
            yield ("dropped", number), list(dict.fromkeys(spellings(dropped.name))), dropped.accepts


def _names_of(column: Column, schema: TableSchema) -> list[str]:
    """Return the names of a column: its own, earlier ones, and their aliases in the table."""
    names = [column.name, *column.earlier_names]
    for name in tuple(names):
        names += aliases(schema, name)
    return list(dict.fromkeys(map(word, names)))


# ---------------------------------------------------------------- the policy


def _policy_of_file(file: TableFile) -> "Policy | None":
    """Return the policy of the file; None for a name of the registry."""
    return inline_policy(file.policy) if isinstance(file.policy, str) else file.policy


def _own_policy(file: TableFile, schema: TableSchema) -> Judging:
    """Return the stricter of the policies of the table and of the file. The default stands for names of the registry."""
    current = inline_policy(schema.options.get(POLICY_OPTION))
    if not file.mentions("policy"):
        return current or PlainPolicy()
    from airflow_provider_schemas.core.policies.policy import Policy

    return (current or Policy()).stricter(_policy_of_file(file) or Policy())


def _policy_notes(file: TableFile, schema: TableSchema) -> Iterator[str]:
    """Yield a note for each policy that is a name: only the registry knows its meaning."""
    policies = (schema.options.get(POLICY_OPTION), file.policy)
    names = {policy for policy in policies if isinstance(policy, str) and inline_policy(policy) is None}
    for name in sorted(names - {"default"}):
        yield f"the policy {shown(name)} is a name, which stands for nothing here: the default was judged by"

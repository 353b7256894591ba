"""From a table file to a plan: what it asks for of a table as it is today.

What the file does not mention stays. Nothing is guessed, and what happened after the file was written is not
undone: a file that equals an older version stops the plan.
"""

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
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import Accepted
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION, aliases, inline_policy
from airflow_provider_schemas.formats.table_file.planning.returning_names import READDED, returning_faults
from airflow_provider_schemas.formats.table_file.planning.source_places import places_of, spellings
from airflow_provider_schemas.formats.table_file.planning.target_schema import Target, target_of
from airflow_provider_schemas.formats.table_file.planning.type_spelling import spelling_findings

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence
    from airflow_provider_schemas.core.policies.policy import Waiver

_MOST_CHANGES = 5


class Planned(Struct, frozen=True, dict=True):
    """What a table file asks for of a table."""

    base: TableSchema
    target: TableSchema
    """The table as the file wants it."""
    left_alone: tuple[str, ...] = ()
    """What the table has and the file does not mention: it stays."""
    waivers: "tuple[Waiver, ...]" = ()
    """The rules that the file accepts."""
    notes: tuple[str, ...] = ()
    places: Mapping[str, Place] = {}
    """Where in the file the things stand that findings speak of."""

    @cached_property
    def changes(self) -> tuple[SchemaChange, ...]:
        """The changes that lead there, as far as changes can."""
        return diff(self.base, self.target).changes


def changes_of(
    file: TableFile, schema: TableSchema, history: History | Iterable[TableSchema | Version] = (), *, now: datetime | None = None
) -> Planned:
    """What the file asks for of a table that has this schema, or a TableFileError that says what a person has to decide first.

    History is the schemas before this one.
    """
    schema = checked_schema(schema)
    target = target_of(file, schema)
    if target.faults or target.schema is not schema:
        past = earlier(history, schema)
        stale = _stale(file, schema, past)
        returning = list(returning_faults(file, schema, past))
        told = {one.path for one in returning}
        faults = stale or [*returning, *(one for one in target.faults if one.path not in told)]
        if faults:
            raise file.refusal_of(faults)
    waivers, over = _waivers(file, schema, moment(now))
    notes = (*(_note(file, entry, text) for entry, text in target.notes), *over)
    return Planned(schema, target.schema, target.left_alone, waivers, notes, places_of(file))


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
    """The plan that makes a table what the file says, from its newest version; or from nothing.

    None as policy is the table's own, as far as it stands in the table or in the file: the stricter of the two.
    """
    if base is None:
        own = policy or (inline_policy(file.policy) if isinstance(file.policy, str) else file.policy)
        found = Plan.of(None, file.create(), policy=own, contracts=contracts, table=file.table, places=places_of(file), now=now)
        return _with(found, file, _waivers(file, found.result, moment(now))[1])
    schema = schema_of(base)
    past = earlier(history, schema)
    planned = changes_of(file, schema, past, now=now)
    found = Plan.of(
        base,
        planned.target,
        policy=excused(_own_policy(file, schema) if policy is None else policy, planned.waivers),
        history=past,
        contracts=contracts,
        evidence=evidence,
        live=live,
        table=file.table,
        places=planned.places,
        left_alone=planned.left_alone,
        now=now,
    )
    return _with(found, file, (*planned.notes, *(_policy_notes(file, schema) if policy is None else ())))


def _with(found: Plan, file: TableFile, notes: Iterable[str]) -> Plan:
    """The plan, with what the text of the file alone can tell."""
    report = found.report
    findings, said = (*report.findings, *spelling_findings(file)), (*report.notes, *notes)
    return msgspec.structs.replace(found, report=msgspec.structs.replace(report, findings=findings, notes=said))


# ---------------------------------------------------------------- older states


def _stale(file: TableFile, schema: TableSchema, past: History) -> list[Fault]:
    """The fault of a file that asks for nothing of an older version: it was written for that one."""
    for old in past.schemas(_perhaps_equal(file, schema, past)):
        if _equals(target_of(file, old), old):
            message = f"the file says what the table was at version {old.id}, and since then: {_since(old, schema)}."
            fix = f"Add to the file what came since; to go back, restore version {old.id}, which keeps the ids."
            return [Fault("table-file.older-state", "table", message, fix)]
    return []


def _perhaps_equal(file: TableFile, schema: TableSchema, past: History) -> Sequence[int]:
    """The older versions at which it is worth to look, newest first: most differ in the names of their columns.

    A file that accepts that a name comes back knows what came since; so does one that drops what came since.
    """
    if any(schema.field(one.name) for one in file.dropped):
        return []
    if any(one.accepts is not None and READDED in one.accepts.rules for one in file.columns):
        return []
    return past.having([one.name for one in file.columns], [one.name for one in file.dropped])[::-1]


def _equals(target: Target, old: TableSchema) -> bool:
    return target.schema is old and not target.faults


def _since(old: TableSchema, new: TableSchema) -> str:
    texts = [short_text(one) for one in diff(old, new).changes]
    more = f" and {len(texts) - _MOST_CHANGES} more" if len(texts) > _MOST_CHANGES else ""
    return ", ".join(texts[:_MOST_CHANGES]) + more if texts else "changes that no text can say"


# ---------------------------------------------------------------- rules that the file accepts


def _waivers(file: TableFile, schema: TableSchema, now: datetime) -> "tuple[tuple[Waiver, ...], list[str]]":
    """Those that count, and a note for each that has ended."""
    waivers: list[Waiver] = []
    notes: list[str] = []
    for entry, names, accepts in _accepting(file, schema):
        if ended(accepts.until, now):
            rules = ", ".join(accepts.rules)
            notes.append(_note(file, (*entry, "accepts"), f"{rules} of {names[0]} was accepted until {accepts.until}, which is over."))
            continue
        waivers += _waivers_of(names, accepts)
    return tuple(waivers), notes


def _waivers_of(names: Iterable[str], accepts: Accepted) -> "list[Waiver]":
    # A file that accepts nothing needs nothing that reads exceptions.
    from airflow_provider_schemas.core.policies.policy import Waiver

    about = {"until": accepts.until, "by": accepts.by}
    return [Waiver(rule=rule, path=name, reason=why, **about) for rule, why in accepts.rules.items() for name in names]


def _accepting(file: TableFile, schema: TableSchema) -> Iterator[tuple[tuple[Any, ...], list[str], Accepted]]:
    """The entry, every name that findings may have for it, and what is accepted."""
    for number, column in enumerate(file.columns):
        if column.accepts is not None:
            names = [column.name, *column.earlier_names]
            names += [other for name in names for other in aliases(schema, name)]
            yield ("columns", number), list(dict.fromkeys(map(word, names))), column.accepts
    for number, one in enumerate(file.dropped):
        if one.accepts is not None:
            yield ("dropped", number), list(dict.fromkeys(spellings(one.name))), one.accepts


# ---------------------------------------------------------------- the table's own policy


def _own_policy(file: TableFile, schema: TableSchema) -> Judging:
    """The table's policy of now, and the one that the file brings: the stricter of both. Names of the registry stand for the default."""
    now = inline_policy(schema.options.get(POLICY_OPTION))
    if not file.mentions("policy"):
        return now or PlainPolicy()
    from airflow_provider_schemas.core.policies.policy import Policy

    brought = inline_policy(file.policy) if isinstance(file.policy, str) else file.policy
    return (now or Policy()).stricter(brought or Policy())


def _policy_notes(file: TableFile, schema: TableSchema) -> Iterator[str]:
    """A name means what the registry says; nobody handed that in."""
    names = {one for one in (schema.options.get(POLICY_OPTION), file.policy) if isinstance(one, str) and inline_policy(one) is None}
    for name in sorted(names - {"default"}):
        yield f"the policy {shown(name)} is a name, which stands for nothing here: the default was judged by"


def _note(file: TableFile, entry: Any, text: str) -> str:
    place = file.place(entry)
    return text if place is None else f"{place}: {text}" if place.file else f"line {place.line}: {text}"

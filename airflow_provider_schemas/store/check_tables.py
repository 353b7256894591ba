"""Do these tables fit what a job needs? The one answer that gates, sensors and commands repeat, and speak of in their own words.

One or two small files a table are read. A table whose newest file is the one that was seen before is not even
parsed. Whatever cannot be read is an error, and never an answer.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.check_contract import check_contract, checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract, writing
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Finding, Report, Verdict, worst
from airflow_provider_schemas.core.report_json import basis_dict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, NotThereError, SchemaError
from airflow_provider_schemas.store.check_data import with_data
from airflow_provider_schemas.store.check_since import came_since
from airflow_provider_schemas.store.commit import new_warehouse, registry_in_use
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.layout.identifiers import TableName, on_branch, table_name
from airflow_provider_schemas.store.layout.paths import Layout, schema_folder
from airflow_provider_schemas.store.prefetch import Wanted
from airflow_provider_schemas.store.registry import contracts, policies, waived_jobs, waivers
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.registry.fulfilled_contracts import as_fulfilled
from airflow_provider_schemas.store.registry.json_records import first
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.table import PolicyLike, Table
from airflow_provider_schemas.store.versions.changes_since import Seen, number_of

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

REGISTERED = "@registered"
_MEANINGS: tuple[str, ...] = ("fail", "warn", "ok")
_SHOWN = 20
_NO_REGISTRY = "registry: none (it has no id and no version names one, so nobody would notice that it is not there)"

Needs = Iterable[str] | Mapping[str, Any] | str
"""Tables; or for each what is needed of it: a contract in any form, '@registered', or None."""


class TableAnswer(Struct, frozen=True, kw_only=True):
    """The answer about one table."""

    table: str
    report: Report
    version: Version | None = None
    writes: bool = False
    place: str = ""
    """The folder of its schema files."""
    layout: Layout | None = None
    registered: Registered | None = None
    """The contract of the job that asks, where that is what was judged."""

    @property
    def fits(self) -> bool:
        return self.report.fits

    @property
    def judged_by(self) -> str:
        """What was looked at: schema files, footer (1 of 12), description."""
        return self.report.judged_by

    @property
    def at(self) -> str:
        """The moment of the look, in UTC."""
        return self.report.at

    def to_dict(self) -> dict[str, Any]:
        """The answer in plain and few values."""
        findings = [
            {"rule": one.rule, "path": one.path, "verdict": one.verdict.value, "message": one.message, "fix": one.fix, "waived": one.waived}
            for one in self.report.findings[:_SHOWN]
        ]
        seen = (
            {} if self.version is None else {"version": self.version.number, "digest": self.version.digest, "branch": self.version.branch}
        )
        more = {"more": len(self.report.findings) - _SHOWN} if len(self.report.findings) > _SHOWN else {}
        return {
            **seen,
            "verdict": self.report.verdict.value,
            "fits": self.fits,
            "findings": findings,
            **more,
            "notes": list(self.report.notes),
            **basis_dict(self.report),
        }


class Judgement(Struct, frozen=True, kw_only=True):
    """The answer about all tables of a job."""

    tables: tuple[TableAnswer, ...]
    consumer: str = ""
    store: str = ""
    registry: str = ""
    """The id of the registry whose contracts and policies counted; empty if it has none."""
    lists: int = 0
    gets: int = 0
    puts: int = 0
    millis: int = 0

    def __repr__(self) -> str:
        return f"Judgement(verdict={self.verdict.value!r}, tables={[one.table for one in self.tables]}, consumer={self.consumer!r})"

    @property
    def verdict(self) -> Verdict:
        return worst(one.report.verdict for one in self.tables)

    @property
    def fits(self) -> bool:
        return all(one.fits for one in self.tables)

    @property
    def reports(self) -> tuple[Report, ...]:
        return tuple(one.report for one in self.tables)

    def to_dict(self) -> dict[str, Any]:
        """The answer in plain and few values."""
        tables: dict[str, dict[str, Any]] = {}
        for one in self.tables:
            tables[one.table] = _joined(tables[one.table], one.to_dict()) if one.table in tables else one.to_dict()
        about = {
            "store": self.store,
            "registry": self.registry or "none",
            "consumer": self.consumer,
            "verdict": self.verdict.value,
            "fits": self.fits,
        }
        return {**about, "tables": tables, "lists": self.lists, "gets": self.gets, "millis": self.millis}


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The answers about a table that a job both reads and writes, as one."""
    findings = [*one["findings"], *(finding for finding in other["findings"] if finding not in one["findings"])]
    hidden = one.get("more", 0) + other.get("more", 0) + max(0, len(findings) - _SHOWN)
    return {
        **one,
        "verdict": worst(Verdict(part["verdict"]) for part in (one, other)).value,
        "fits": one["fits"] and other["fits"],
        "findings": findings[:_SHOWN],
        **({"more": hidden} if hidden else {}),
        "notes": list(dict.fromkeys([*one["notes"], *other["notes"]])),
    }


class _Question(NamedTuple):
    """One table, and what is asked of it."""

    table: Table
    need: Any
    writes: bool
    since: Seen | None
    home: str
    """The team that asks."""
    number: int | None = None
    """The version that is read, if it is not the newest."""
    look: bool | None = None
    """Whether its data are looked at; None is what the store says."""


def judge(
    store: "SchemaStore",
    reads: Needs = (),
    writes: Needs = (),
    policy: PolicyLike = None,
    *,
    consumer: str = "",
    since: Mapping[str, Seen] | None = None,
    branch: str | None = None,
    version: int | Mapping[str, int] | None = None,
    on_missing: str = "fail",
    look: bool | None = None,
    now: datetime | None = None,
) -> Judgement:
    """Whether the tables fit a job as they are now; or as they were in a version, for a job that reads that one.

    Reads are tables, or what is needed of each: a contract in any form, '@registered' for the one that the consumer
    has registered, or None. A table without a contract is compared with the version that since names, if it does.
    Policy can only be stricter than a table's own. Version is the number for the one table that is asked about, or numbers
    by table. On missing is what a table, or such a version, means that is not there: fail, warn or ok. Look is whether
    the newest data file of a table that is only described is read; as the store says, if nothing is said.
    """
    arguments.text(consumer, "consumer")
    if on_missing not in _MEANINGS:
        fix = f"There are {', '.join(_MEANINGS)}."
        raise ContractError(f"{shown(on_missing)} is no meaning of a missing table.", code="judge.on-missing", path="on_missing", fix=fix)
    if since is not None and not isinstance(since, Mapping):
        message, fix = f"since is a {type(since).__name__}, and no mapping.", "Pass what was seen of each table, by its name."
        raise ContractError(message, code="judge.since", path="since", fix=fix)
    store = store.in_judgement()
    questions = [*_questions(store, reads, False, since, branch), *_questions(store, writes, True, since, branch)]
    if not questions:
        raise ContractError("no table is asked about.", code="contract.empty", path="reads", fix="Name at least one table.")
    _check_since(since or {}, questions)
    questions = [asked._replace(look=look) for asked in _pinned(questions, version)]
    start, before = time.monotonic(), store.asked()
    store.foresee(_wanted(questions, consumer))
    judged, registry = _together(questions, policy, consumer, on_missing, now)
    asked = store.asked() - before
    millis = int((time.monotonic() - start) * 1000)
    about = {"lists": asked.lists, "gets": asked.gets, "puts": asked.puts, "millis": millis}
    return Judgement(tables=judged, consumer=consumer, store=store.url, registry=registry, **about)


def _wanted(questions: Iterable[_Question], consumer: str) -> Wanted:
    """What will be asked of the storage."""
    tables = {(asked.table.id, asked.table.branch_name): asked.need for asked in questions}
    registered = tuple((name, consumer) for (name, _), need in tables.items() if need == REGISTERED and consumer)
    return Wanted(tuple(tables), contracts=registered)


def _check_since(since: Mapping[str, Seen], questions: Iterable[_Question]) -> None:
    """ContractError if something was seen of a table that is not asked about: a misspelled name would pass for nothing seen."""
    strange = [one for one in since if one not in {asked.table.name for asked in questions}]
    if strange:
        message = f"since speaks of {first(map(shown, strange))}, which is not asked about."
        raise ContractError(message, code="judge.since", path="since", fix="Name the tables as in reads and writes.")


def _pinned(questions: list[_Question], version: int | Mapping[str, int] | None) -> list[_Question]:
    """The questions, about the versions that are named."""
    if version is None:
        return questions
    names = {asked.table.name for asked in questions}
    if not isinstance(version, Mapping) and len(names) > 1:
        fix = "Pass {table: number}, as every table counts its own."
        raise ContractError(
            f"{len(names)} tables are asked about, and one version is named.", code="judge.version", path="version", fix=fix
        )
    numbers = version if isinstance(version, Mapping) else dict.fromkeys(names, version)
    strange = [one for one in numbers if one not in names]
    if strange:
        message = f"version speaks of {first(map(shown, strange))}, which is not asked about."
        raise ContractError(message, code="judge.version", path="version", fix="Name the tables as in reads and writes.")
    known = {table: arguments.number(number) for table, number in numbers.items()}
    return [asked._replace(number=known.get(asked.table.name)) for asked in questions]


def _questions(
    store: "SchemaStore", needs: Needs, writes: bool, since: Mapping[str, Seen] | None, branch: str | None
) -> Iterator[_Question]:
    asked = [needs] if isinstance(needs, str | TableName) else needs
    if not isinstance(asked, Iterable):
        message, fix = f"a {type(asked).__name__} names no tables.", "Pass names, or a mapping of names to what is needed."
        raise ContractError(message, code="judge.no-tables", path="writes" if writes else "reads", fix=fix)
    pairs = asked.items() if isinstance(asked, Mapping) else ((one, None) for one in asked)
    for name, need in pairs:
        seen = (since or {}).get(str(name))
        if seen is not None:
            number_of(seen)  # an error if it is none
        yield _Question(store.table(table_name(name), branch), need, writes, seen, store.team or NO_TEAM)


def _together(
    questions: list[_Question], policy: PolicyLike, consumer: str, on_missing: str, now: datetime | None
) -> tuple[tuple[TableAnswer, ...], str]:
    """The answers, and the id of the registry, which is read once while the first tables are looked at."""
    roots, database = questions[0].table.subject.roots, questions[0].table.id.database
    if len(questions) == 1 and roots.registry.protocol == "file":
        registry = _met(roots, database)
        alone = (_judged(questions[0], registry, policy, consumer, on_missing=on_missing, now=now),)
        return _of_this_registry(alone, roots, registry, database), registry
    at_once = max(roots.warehouse.at_once, roots.registry.at_once)
    with ThreadPoolExecutor(min(at_once, len(questions)) + 1, "schemas-judge") as pool:
        met = pool.submit(_met, roots, database)
        answers = tuple(pool.map(lambda one: _judged(one, met, policy, consumer, on_missing=on_missing, now=now), questions))
    return _of_this_registry(answers, roots, met.result(), database), met.result()


def _met(roots: Roots, database: str) -> str:
    """Return the id of the registry; StorageError if it has none, and tables name one."""
    registry = registry_in_use.met(roots)
    if not registry:
        registry_in_use.check_neighbours(roots, registry, database)
    return registry


def _of_this_registry(answers: tuple[TableAnswer, ...], roots: Roots, registry: str, database: str) -> tuple[TableAnswer, ...]:
    """The answers; StorageError if a table is missing, and the others name another registry: it may lie in that one."""
    if any(one.version is None for one in answers):
        registry_in_use.check_neighbours(roots, registry, database)
    return answers


def _judged(
    asked: _Question, registry: "str | Future[str]", policy: PolicyLike, consumer: str, *, on_missing: str, now: datetime | None
) -> TableAnswer:
    table = asked.table
    try:
        head = table.latest() if asked.number is None else table.version(asked.number)
    except NotThereError as error:
        there = _id_of(registry)  # a registry that is not there is no reason to go on without a table
        new_warehouse.check_begun(table.subject.roots)
        new_warehouse.check_not_empty(table.subject.roots, there)
        return TableAnswer(table=table.name, report=_missing(error, table.name, on_missing), writes=asked.writes)
    registry_in_use.check(table.subject, head, _id_of(registry))
    rules, notes = _policy(asked, head, policy, consumer, now)
    own = _registered(asked, consumer)
    report = _report(asked, head, rules, consumer, own, now=now)
    said = dict.fromkeys([*report.notes, *notes, *([] if _id_of(registry) else [_NO_REGISTRY])])
    report = msgspec.structs.replace(report, table=on_branch(table.name, head.branch), new=head.number, notes=tuple(said))
    return msgspec.structs.replace(_answer(asked, head, report), registered=own)


def _id_of(registry: "str | Future[str]") -> str:
    return registry if isinstance(registry, str) else registry.result()


def _answer(asked: _Question, head: Version, report: Report) -> TableAnswer:
    place, table = asked.table.place, asked.table
    folder = f"{place.files.url.rstrip('/')}/{schema_folder(place.folder, table.branch_name)}"
    return TableAnswer(table=table.name, report=report, version=head, writes=asked.writes, place=folder, layout=place.layout)


def _policy(asked: _Question, head: Version, policy: PolicyLike, consumer: str, now: datetime | None) -> tuple[Policy, tuple[str, ...]]:
    table, registry = asked.table, asked.table.registry
    said = waivers.active(registry, table.id, may_write=False, now=now)
    own = policies.found(registry, table.id, head.schema, layout=table.place.layout).for_caller(policy)
    excused = waived_jobs.for_job(own.excused(said.waivers), registry, table.id, _asking(asked, consumer), asked.home)
    return _for_this_job(excused, consumer) if asked.need is None else excused, said.said


def _asking(asked: _Question, consumer: str) -> str:
    """The name under which the job is judged that asks."""
    if asked.need is None or asked.need == REGISTERED:
        return consumer
    return _contract(asked.need, asked.writes, consumer).name


def _for_this_job(policy: Policy, consumer: str) -> Policy:
    """The policy, where all that is found concerns one job, whose contract nobody knows: what holds for it holds for all of it."""
    return policy.with_exceptions(
        lambda waiver: waiver.model_copy(update={"consumer": ""}) if consumer and waiver.consumer == consumer else waiver
    )


def _registered(asked: _Question, consumer: str) -> Registered | None:
    """The contract of the job that asks, however long ago it was seen: here it is."""
    if not (isinstance(asked.need, str) and asked.need == REGISTERED):
        return None
    return contracts.found(asked.table.registry, asked.table.id, _said(consumer), home=asked.home)


def _report(
    asked: _Question, head: Version, policy: Policy, consumer: str, registered: Registered | None, *, now: datetime | None
) -> Report:
    looking: dict[str, Any] = {"policy": policy, "allowed": asked.look, "now": now}
    if asked.need is None:
        came = came_since(asked.table, head, asked.since, policy, pinned=asked.number is not None, now=now)
        return with_data(came, asked.table, head, None, writes=asked.writes, **looking)
    about: dict[str, Any] = {"policy": policy, "table": asked.table.name, "version": head.number, "now": now}
    if registered is not None:
        needed, notes = as_fulfilled(registered, head, asked.table.versions, policy, now)
        report = check_contract(head.schema, needed.contract, **about)
        report = msgspec.structs.replace(report, notes=(*report.notes, *notes))
        return with_data(report, asked.table, head, needed.contract, **looking)
    contract = _contract(asked.need, asked.writes, consumer)
    found_now = check_contract(head.schema, contract, **about)
    explained = found_now if found_now.fits else _explained(asked, head, contract, found_now, about)
    return with_data(explained, asked.table, head, contract, **looking)


def _explained(asked: _Question, head: Version, contract: Contract, report: Report, about: Mapping[str, Any]) -> Report:
    """The report of a contract that does not fit, seen from the newest version that it did fit: what was renamed since is told as that."""
    fitting = _last_fitting(asked, head, contract, about)
    if fitting is None:
        return report
    found = check_contract(head.schema, contract, seen=fitting.schema, **about)
    note = f"version {fitting.number} did fit"
    return msgspec.structs.replace(found, old=fitting.number, notes=(*found.notes, note))


def _last_fitting(asked: _Question, head: Version, contract: Contract, about: Mapping[str, Any]) -> Version | None:
    """The newest version that the contract fits; nobody's fault if an old one cannot be read."""
    try:
        earlier = [one for one in asked.table.versions() if one.number < head.number]
    except SchemaError:
        return None
    fits = (one for one in reversed(earlier) if check_contract(one.schema, contract, **{**about, "version": one.number}).fits)
    return next(fits, None)


def _said(consumer: str) -> str:
    if not consumer:
        message = f"{REGISTERED} is the contract of a job, and which job is not said."
        raise ContractError(message, code="contract.no-name", path="consumer", fix="Pass consumer, the name of the job.")
    return consumer


def _contract(need: Any, writes: bool, consumer: str) -> Contract:
    found = checked_contract(need)
    if not (found.columns or found.primary_key or found.partitioned_by):
        fix = "Name a column, or pass None to be told of what breaks readers."
        raise ContractError("nothing is needed of this table.", code="contract.empty", path="writes" if writes else "reads", fix=fix)
    if consumer and not found.name:
        found = found.model_copy(update={"name": consumer})
    return writing(found) if writes and not found.writes else found


def _missing(error: NotThereError, table: str, on_missing: str) -> Report:
    """What it means that a table is not there."""
    verdict = {"fail": Verdict.BREAK, "warn": Verdict.WARN}.get(on_missing, Verdict.OK)
    rule = RULES["TABLE_MISSING"]
    broken = Verdict.BREAK
    finding = Finding(
        rule.id, "table", error.message, error.fix, verdict, verdicts=rule.answers(), data=broken, jobs=broken, writers=broken
    )
    return Report((finding,), table=table)

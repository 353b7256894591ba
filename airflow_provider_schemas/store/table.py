"""A table of a store, on one branch: its versions, what may become of it, and what hangs on it.

Nothing is asked of the storage before somebody asks for something, and nothing is remembered but files that
never change.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from os import PathLike
from typing import Any

import msgspec

from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Policy, Waiver
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ChangeError, IncompatibleSchemaError, NotThereError
from airflow_provider_schemas.formats import engine_sql
from airflow_provider_schemas.formats.mini_paimon import TableMetadata
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit import delete_versions, manage_branches, new_table, operations, registry_in_use
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.store.commit.evaluate import Surroundings, Terms, Wanted, asks_for_data, read_changes
from airflow_provider_schemas.store.commit.operations import Return, Wish
from airflow_provider_schemas.store.commit.target import wanted_of
from airflow_provider_schemas.store.commit.verify import verified
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.common.author import Author
from airflow_provider_schemas.store.layout.identifiers import TableName, branch_name
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import (
    bindings,
    contracts,
    fulfilled_contracts,
    plans,
    policies,
    register_contract,
    waived_jobs,
    waivers,
)
from airflow_provider_schemas.store.registry.bindings import Binding
from airflow_provider_schemas.store.registry.contract_record import Registered
from airflow_provider_schemas.store.registry.contracts import Contracts
from airflow_provider_schemas.store.retention import expiry
from airflow_provider_schemas.store.retention.expiry import Expiry
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table_location import Place
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions import mini_paimon_metadata
from airflow_provider_schemas.store.versions.changes_since import Movement, Seen
from airflow_provider_schemas.store.versions.history import History
from airflow_provider_schemas.store.versions.inspect_history import inspect_history
from airflow_provider_schemas.store.versions.past import EarlierVersions

PolicyLike = Policy | Mapping[str, Any] | None


class Table:
    """One table on one branch."""

    def __init__(self, roots: Roots, name: TableName, branch: str | None = None, place: Place | None = None) -> None:
        self._subject = Subject(roots, name, branch_name(branch), place)

    def __repr__(self) -> str:
        branch = "" if self.branch_name == "main" else f", branch={self.branch_name!r}"
        return f"Table({self.name!r}{branch})"

    @property
    def id(self) -> TableName:
        """Its name in two parts."""
        return self._subject.name

    @property
    def name(self) -> str:
        return str(self._subject.name)

    @property
    def database(self) -> str:
        return self._subject.name.database

    @property
    def table(self) -> str:
        return self._subject.name.table

    @property
    def branch_name(self) -> str:
        return self._subject.branch

    @property
    def place(self) -> Place:
        """Where its schema files lie."""
        return self._subject.place

    @property
    def registry(self) -> Files:
        """The files of the registry."""
        return self._subject.registry

    @property
    def open_location(self) -> Callable[[str], Files] | None:
        """Opens the folder of data that a schema names; None where data are not looked at."""
        return self._subject.roots.open_location

    @property
    def looks(self) -> bool:
        """Whether gates may look at the data of a table that is only described."""
        return self._subject.roots.look

    @property
    def subject(self) -> Subject:
        """The table as the rooms of the store know it."""
        return self._subject

    # ------------------------------------------------------------ versions

    def exists(self) -> bool:
        """Whether it has a version."""
        return self._subject.exists()

    def latest(self) -> Version:
        """The newest version: one listing, and a read if it was not read before."""
        head = self._subject.latest()
        if head is None:
            raise self._subject.missing()
        return head

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the versions that are there, lowest first: one listing."""
        return tuple(self._subject.versions.entries())

    def version(self, number: int) -> Version:
        """One version."""
        number, versions = arguments.number(number), self._subject.versions
        entry = versions.entries().get(number)
        if entry is None:
            raise self._subject.missing_version(number)
        return versions.read(number, entry)

    def versions(self) -> tuple[Version, ...]:
        """All versions that are there, oldest first."""
        return _versions(self._subject)

    def schema(self, number: int | None = None) -> TableSchema:
        """The schema of a version; of the newest one, if no number is given."""
        return (self.latest() if number is None else self.version(number)).schema

    def history(self) -> History:
        """All versions in words, the newest first."""
        return History(self.versions())

    def changed_since(self, seen: Seen) -> Movement:
        """What came after a version that was seen: one listing."""
        return self._subject.moved(seen)

    def inspect(self, *seen: Seen) -> Report:
        """What does not fit together in the history, and with what was seen of it; and who else writes here."""
        return msgspec.structs.replace(inspect_history(_versions(self._subject.foreseen()), seen), table=self.name)

    # ------------------------------------------------------------ planning and changing

    def policy(self) -> Policy:
        """The policy of the table as it is now, with the waivers that count."""
        subject = self._subject.in_judgement()
        registry_in_use.check_table(subject)
        return waived_jobs.for_jobs(_policy(subject), subject.registry, subject.name)

    def plan(
        self,
        changes: Any = None,
        target: TableSchema | TableFile | str | PathLike[str] | None = None,
        *,
        policy: PolicyLike = None,
        override: str = "",
        unchecked: str = "",
        evidence: Iterable[Any] = (),
    ) -> Plan:
        """What would become of the table by these changes, or to be what a schema or a table file says. Writes nothing.

        Policy can only be stricter than the table's, unless override says why. Target may be the path of a table file. Unchecked
        says why a description that names another place, or another format, is not compared with the files there.
        """
        wanted, terms = self._wanted(changes, target), _terms(policy, override, evidence, unchecked)
        subject = self._subject.foreseen(step=True, data=asks_for_data(wanted))
        registry_in_use.check_table(subject)
        head = subject.latest()
        past = EarlierVersions.of(()) if head is None else subject.past(head)
        return operations.planned(Surroundings(subject, terms, note=False), head, past, wanted)

    def _wanted(self, changes: Any, target: Any) -> Wanted:
        if (changes is None) == (target is None):
            raise ChangeError("pass changes or a target, and not both.", code="change.none", fix="Pass one of them.")
        if target is None:
            return changes if isinstance(changes, TableSchema | TableFile) else read_changes(changes)
        return wanted_of(target)

    def evolve(
        self,
        changes: Any = None,
        policy: PolicyLike = None,
        expected_version: Seen | None = None,
        key: str | None = None,
        *,
        target: TableSchema | TableFile | str | PathLike[str] | None = None,
        override: str = "",
        unchecked: str = "",
        evidence: Iterable[Any] = (),
        actor: str = "",
        run: str = "",
        approval: str = "",
    ) -> Committed:
        """Write the version that comes of these changes, or of a target. What is done already is not done again."""
        about = {"actor": actor, "run": run, "approval": approval, "unchecked": unchecked}
        wish = self._wish(key, policy, override, expected_version, evidence, **about)
        return operations.evolve(self._subject, self._wanted(changes, target), wish)

    def apply(
        self,
        plan: Plan,
        key: str | None = None,
        *,
        approval: str = "",
        override: str = "",
        unchecked: str = "",
        evidence: Iterable[Any] = (),
        actor: str = "",
        run: str = "",
    ) -> Committed:
        """Write what a plan says. One that breaks something needs an approval: the name of whoever gave it.

        Without a key the plan's own digest is it, so that a plan is applied once.
        """
        plan = plans.checked(plan)
        wish = self._wish(
            key or f"plan {plan.digest}", None, override, None, evidence, actor=actor, run=run, approval=approval, unchecked=unchecked
        )
        return operations.apply(self._subject_of(plan), plan, wish)

    def _subject_of(self, plan: Plan) -> Subject:
        """The table that a plan is about. One that the plan makes lies where `create_table` would put it."""
        if plan.base is None and new_table.lies_elsewhere(plan.result):
            return new_table.registered(self._subject.roots, self.id)
        return self._subject

    def restore(
        self,
        number: int,
        *,
        columns: Iterable[str] = (),
        policy: PolicyLike = None,
        override: str = "",
        unchecked: str = "",
        expected_version: Seen | None = None,
        key: str | None = None,
        evidence: Iterable[Any] = (),
        actor: str = "",
        run: str = "",
        approval: str = "",
    ) -> Committed:
        """Write a new version that is what an old one was, with its ids. Nothing is deleted.

        With columns, only those come back, with their ids, and everything else stays as it is.
        """
        about = {"actor": actor, "run": run, "approval": approval, "unchecked": unchecked}
        wish = self._wish(key, policy, override, expected_version, evidence, **about)
        return operations.restore(self._subject, _back(number, columns), wish)

    def restore_plan(
        self,
        number: int,
        *,
        columns: Iterable[str] = (),
        policy: PolicyLike = None,
        override: str = "",
        unchecked: str = "",
        evidence: Iterable[Any] = (),
    ) -> Plan:
        """What going back would mean. Writes nothing."""
        back, terms = _back(number, columns), _terms(policy, override, evidence, unchecked)
        subject = self._subject.foreseen(step=True, data=True)
        registry_in_use.check_table(subject)
        head = subject.latest()
        if head is None:
            raise subject.missing()
        return operations.judged_restore(Surroundings(subject, terms, note=False), back, head, subject.past(head)).noted

    def _wish(self, key: str | None, policy: PolicyLike, override: str, expected: Seen | None, evidence: Iterable[Any], **who: str) -> Wish:
        about = {"run": who["run"], "approval": who["approval"], "unchecked": who["unchecked"]}
        author = Author(actor=who["actor"] or self._subject.roots.actor, key=key, override=override, **about)
        return Wish(author, _terms(policy, override, evidence, who["unchecked"]), expected)

    # ------------------------------------------------------------ engines that commit by themselves

    def statements(self, plan: Plan, engine: str = "spark") -> engine_sql.EngineSql:
        """The engine's own statements for a plan, where a catalog keeps the table."""
        return engine_sql.statements(self.name, plans.checked(plan).changes, engine=engine, schema=self.schema())

    def verify(self, plan: Plan) -> Report:
        """Whether the table is what a plan said it would be, whoever did it; what differs, if not."""
        return verified(plans.checked(plan), self.latest(), self.name)

    # ------------------------------------------------------------ branches

    def branches(self) -> tuple[str, ...]:
        """The branches of the table, without the main one."""
        return manage_branches.branches(self._subject)

    def branch(self, name: str | None) -> "Table":
        """The table on another branch."""
        return Table(self._subject.roots, self.id, name, self._subject.place)

    def create_branch(self, name: str, version: int | None = None) -> "Table":
        """A new branch with the versions up to this one, or all of them."""
        manage_branches.create_branch(self._subject, name, None if version is None else arguments.number(version))
        return self.branch(name)

    # ------------------------------------------------------------ what hangs on it

    def contracts(self) -> tuple[Contract, ...]:
        """What registered jobs need of it."""
        return tuple(one.contract for one in self.registered())

    def registered(self) -> Contracts:
        """The same with teams, dates and versions, and what could not be read; one that has waited and been fulfilled waits no more."""
        registry_in_use.check_table(self._subject)
        found = contracts.listed(self._subject.registry, self.id)
        return fulfilled_contracts.settled(found, self._subject.versions.all, partial(_policy_if_there, self._subject, found))

    def register(
        self,
        contract: Any,
        *,
        consumer: str = "",
        owner: str = "",
        contact: str = "",
        team: str = "",
        pending: bool = False,
        pin_again: bool = False,
        max_age: timedelta | None = None,
    ) -> Registered:
        """Register what a job needs, in any form; refused if the table does not fit it, unless it is to wait.

        Columns stay pinned to the fields that they meant when the job first registered, unless they are pinned again.
        Max age is for how long after it was last seen the job may hold up changes.
        """
        subject = self._subject.in_judgement()
        roots = _check_registry(subject, f"the contract about {self.name}")
        whose = {key: text for key, text in (("owner", owner), ("contact", contact)) if text}
        wanted = checked_contract(contract).model_copy(update=whose) if whose else contract
        about: dict[str, Any] = {"consumer": consumer, "team": team or roots.team, "pending": pending, "max_age": max_age}
        about |= {"actor": roots.actor, "alone": roots.single_writer}
        about |= {"policy": _policy_of_job(subject, consumer or getattr(wanted, "name", ""), team or roots.team)}
        head = subject.latest()
        found = register_contract.register(roots.registry, self.id, wanted, head, pin_again=pin_again, **about)
        now = subject.latest()  # as it was, where nothing was written
        if head is None or now is None or now.digest == head.digest:
            return found
        try:  # the table has moved on, perhaps without asking a job that it did not know yet
            return register_contract.register(roots.registry, self.id, wanted, now, **about)
        except IncompatibleSchemaError:
            self.remove_contract(found.consumer, team=found.team)
            raise

    def remove_contract(self, consumer: str, *, team: str = "") -> Registered:
        """Take the contract of a job away."""
        roots = _check_registry(self._subject, f"the contract about {self.name}")
        return register_contract.remove(
            roots.registry, self.id, consumer, team=team or roots.team, actor=roots.actor, alone=roots.single_writer
        )

    def waive(self, rule: str, path: str = "*", *, until: str | datetime, reason: str, consumer: str = "", by: str = "") -> Waiver:
        """Let a finding through until a day, for one job or for all."""
        roots = _check_registry(self._subject, f"the waiver about {self.name}")
        self._subject.check_there()
        job = waived_jobs.meant(roots.registry, self.id, consumer, roots.team)
        said = {"rule": rule, "path": path, "until": until, "reason": reason, "consumer": job, "by": by}
        return waivers.waive(roots.registry, self.id, said, actor=roots.actor, alone=roots.single_writer).waiver

    def waivers(self) -> tuple[Waiver, ...]:
        """The waivers that count."""
        registry_in_use.check_table(self._subject)
        return waivers.active(self._subject.registry, self.id, may_write=False).waivers

    def unreadable_waivers(self) -> tuple[str, ...]:
        """What lies among the waivers and cannot be read: it lifts nothing."""
        registry_in_use.check_table(self._subject)
        return tuple(map(str, waivers.active(self._subject.registry, self.id, may_write=False).unreadable))

    def bind(self, folder: str, version: int) -> Binding:
        """Say with which version the files of a folder, or one file, were written."""
        roots = _check_registry(self._subject, f"the binding of {folder}")
        about: dict[str, Any] = {"actor": roots.actor, "alone": roots.single_writer}
        bound = bindings.bind(roots.registry, self.id, folder, self.version(version), **about)
        try:
            self.version(version)
        except NotThereError:  # it was expired in between
            bindings.unbind(roots.registry, self.id, folder, **about)
            raise
        return bound

    def unbind(self, folder: str) -> None:
        """Take back what was said of a folder."""
        roots = _check_registry(self._subject, f"the binding of {folder}")
        bindings.unbind(roots.registry, self.id, folder, actor=roots.actor, alone=roots.single_writer)

    def bindings(self) -> tuple[Binding, ...]:
        """Which folders were written with which version."""
        registry_in_use.check_table(self._subject)
        return bindings.listed(self._subject.registry, self.id).bindings

    def save_plan(self, plan: Plan, *, run: str = "") -> str:
        """Keep a plan in the registry; the digest by which it is found."""
        roots = _check_registry(self._subject, f"the plan for {self.name}")
        return plans.save(roots.registry, self.id, plans.checked(plan), actor=roots.actor, run=run)

    def saved_plan(self, digest: str) -> Plan:
        """A plan that was kept, by its digest or the beginning of it."""
        registry_in_use.check_table(self._subject)
        return plans.load(self._subject.registry, self.id, digest)

    def metadata(self) -> TableMetadata:
        """Mini Paimon's word about the table; made of the newest version, where the file is missing or behind."""
        if self.place.layout is not Layout.MINI_PAIMON:
            message = f"{self.name} is laid out as {self.place.layout}, which has no file about a table."
            raise NotThereError(message, code="metadata.not-there", path=self.name, fix="Ask for its schema or its history.")
        return mini_paimon_metadata.read(self.place, self.id, self.schema())

    # ------------------------------------------------------------ what is still needed

    def references(self) -> References:
        """Which versions are still needed, and by whom."""
        self._subject.check_there()
        registry_in_use.check_table(self._subject)
        return self._subject.references()

    def expire(self, older_than: timedelta = expiry.DEFAULT_AGE, *, dry_run: bool = True) -> Expiry:
        """Delete versions that nobody needs and that were superseded that long ago; without dry_run=False say only which."""
        return delete_versions.expire(self._subject, older_than, dry_run=dry_run)


def _check_registry(subject: Subject, what: str) -> Roots:
    """The roots, if a record may be written about the table."""
    subject.roots.check_writable(subject.registry, what)
    registry_in_use.check_for_records(subject)
    return subject.roots


def _versions(subject: Subject) -> tuple[Version, ...]:
    found = subject.versions.all()
    if not found:
        raise subject.missing()
    return found


def _policy(subject: Subject) -> Policy:
    """The policy of a table that is there, with the waivers that count."""
    head = subject.latest()
    if head is None:
        raise subject.missing()
    waived = waivers.active(subject.registry, subject.name, may_write=False).waivers
    return policies.found(subject.registry, subject.name, head.schema, layout=subject.place.layout).excused(waived)


def _policy_if_there(subject: Subject, jobs: Contracts) -> Policy | None:
    """The policy by which these jobs are judged; None for a table that is not there yet."""
    return waived_jobs.among(_policy(subject), lambda: jobs) if subject.exists() else None


def _policy_of_job(subject: Subject, job: str, team: str) -> Policy | None:
    """The policy by which one job is judged, likewise."""
    return waived_jobs.for_job(_policy(subject), subject.registry, subject.name, job, team) if subject.exists() else None


def _back(number: int, columns: Iterable[str]) -> Return:
    return Return(arguments.number(number), arguments.many(columns, "columns"))


def _terms(policy: PolicyLike, override: str, evidence: Iterable[Any], unchecked: str) -> Terms:
    return Terms(policy, override, arguments.many(evidence, "evidence"), unchecked=unchecked)

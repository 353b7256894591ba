"""What hangs on a table: contracts, waivers, bindings and plans in the registry, and the versions that are still needed."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec

from airflow_provider_schemas.core.blame.column_blame import ColumnBlame
from airflow_provider_schemas.core.blame.column_readers import ColumnReaders, who_reads
from airflow_provider_schemas.core.blame.find_field import FieldFinder
from airflow_provider_schemas.core.blame.readers_by_version import LAST, ReadersByVersion, readers_by_version
from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Policy, Waiver
from airflow_provider_schemas.errors import ColumnNotFoundError, IncompatibleSchemaError, NotThereError
from airflow_provider_schemas.store.commit import delete_versions, new_warehouse, registry_in_use
from airflow_provider_schemas.store.commit.mounted import refusals as mounted_refusals
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.registry import (
    bindings,
    contracts,
    fulfilled_contracts,
    plans,
    register_contract,
    registered_jobs,
    replaced_pins,
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
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.table_versions import TableVersions
from airflow_provider_schemas.store.versions import column_history
from airflow_provider_schemas.store.versions.heads import all_in_order


class TableRecords(TableVersions):
    """One table on one branch, with the records about it."""

    # ------------------------------------------------------------ contracts

    def contracts(self) -> tuple[Contract, ...]:
        """Return what registered jobs need of it."""
        return tuple(registered.contract for registered in self.registered())

    def registered(self) -> Contracts:
        """Return the contracts with teams, dates and versions, and what could not be read.

        A contract that was to wait, and that a version has fulfilled since, waits no more.
        """
        return _registered(self._subject)

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
        roots = _writable_roots(subject, f"the contract about {self.name}")
        wanted = _with_owner(contract, owner, contact)
        team = team or roots.team
        job = consumer or getattr(wanted, "name", "")
        about: dict[str, Any] = {
            "consumer": consumer,
            "team": team,
            "pending": pending,
            "max_age": max_age,
            "actor": roots.actor,
            "alone": roots.single_writer,
            "policy": _policy_for_job(subject, job, team),
        }
        head = subject.latest()
        registered = register_contract.register(roots.registry, self.id, wanted, head, pin_again=pin_again, **about)
        newest = subject.latest()  # as it was, where nothing was written
        if head is None or newest is None or newest.digest == head.digest:
            return registered
        try:  # the table has moved on, perhaps without asking a job that it did not know yet
            return register_contract.register(roots.registry, self.id, wanted, newest, **about)
        except IncompatibleSchemaError:
            self.remove_contract(registered.consumer, team=registered.team)
            raise

    def remove_contract(self, consumer: str, *, team: str = "") -> Registered:
        """Take the contract of a job away."""
        roots = _writable_roots(self._subject, f"the contract about {self.name}")
        return register_contract.remove(
            roots.registry, self.id, consumer, team=team or roots.team, actor=roots.actor, alone=roots.single_writer
        )

    def who(self, column: str | None = None) -> ColumnReaders:
        """Return the registered jobs that use a column of the newest version, or the table: by the field, whatever its name was."""
        wanted = arguments.text(column or "", "column")
        subject = self._subject.foreseen(step=True)
        head = subject.latest()
        if head is None:
            raise subject.missing()
        listed = _registered(subject)
        jobs = registered_jobs.of(listed)
        policy = _policy_for_jobs(subject, listed)
        doubts = registered_jobs.doubts(listed)
        has_column = not wanted or FieldFinder(head.schema).find(wanted) is not None
        former = None if has_column else self._former_column(wanted)
        return who_reads(jobs, head, wanted, table=self.name, policy=policy, unreadable=doubts, former=former)

    def _former_column(self, column: str) -> ColumnBlame | None:
        """Return the column that had this name in earlier versions; None where no known version had it."""
        try:
            return self.blame(column=column).columns[0]
        except (ColumnNotFoundError, NotThereError):
            return None

    def readers_by_version(self, last: int = LAST) -> ReadersByVersion:
        """Return which registered jobs fit which of the newest versions: to which one may the table go back without breaking anybody?"""
        count = arguments.number(last)
        subject = self._subject.foreseen(step=True)
        subject.check_there()
        listed = _registered(subject)
        newest = column_history.newest(subject.versions, count)
        about: dict[str, Any] = {"table": self.name, "unreadable": registered_jobs.doubts(listed), "last": count, "origins": newest.origins}
        matrix = readers_by_version(registered_jobs.of(listed), newest.versions, _policy_for_jobs(subject, listed), **about)
        return msgspec.structs.replace(matrix, notes=(*matrix.notes, *newest.notes))

    # ------------------------------------------------------------ waivers

    def waive(self, rule: str, path: str = "*", *, until: str | datetime, reason: str, consumer: str = "", by: str = "") -> Waiver:
        """Let a finding through until a day, for one job or for all."""
        roots = _writable_roots(self._subject, f"the waiver about {self.name}")
        self._subject.check_there()
        job = waived_jobs.meant(roots.registry, self.id, consumer, roots.team)
        waiver = {"rule": rule, "path": path, "until": until, "reason": reason, "consumer": job, "by": by}
        return waivers.waive(roots.registry, self.id, waiver, actor=roots.actor, alone=roots.single_writer).waiver

    def waivers(self) -> tuple[Waiver, ...]:
        """Return the waivers that count."""
        registry_in_use.check_table(self._subject)
        return waivers.active(self._subject.registry, self.id, may_write=False).waivers

    def unreadable_waivers(self) -> tuple[str, ...]:
        """Return what lies among the waivers and cannot be read: it lifts nothing."""
        registry_in_use.check_table(self._subject)
        return tuple(map(str, waivers.active(self._subject.registry, self.id, may_write=False).unreadable))

    # ------------------------------------------------------------ bindings

    def bind(self, folder: str, version: int) -> Binding:
        """Record with which version the files of a folder, or one file, were written."""
        mounted_refusals.refuse_binding(self._subject)
        roots = _writable_roots(self._subject, f"the binding of {folder}")
        author: dict[str, Any] = {"actor": roots.actor, "alone": roots.single_writer}
        bound = bindings.bind(roots.registry, self.id, folder, self.version(version), **author)
        try:
            self.version(version)
        except NotThereError:  # it was expired in between
            bindings.unbind(roots.registry, self.id, folder, **author)
            raise
        return bound

    def unbind(self, folder: str) -> None:
        """Take back the binding of a folder."""
        roots = _writable_roots(self._subject, f"the binding of {folder}")
        bindings.unbind(roots.registry, self.id, folder, actor=roots.actor, alone=roots.single_writer)

    def bindings(self) -> tuple[Binding, ...]:
        """Return which folders were written with which version."""
        registry_in_use.check_table(self._subject)
        return bindings.listed(self._subject.registry, self.id).bindings

    # ------------------------------------------------------------ plans

    def save_plan(self, plan: Plan, *, run: str = "") -> str:
        """Keep a plan in the registry, and return the digest by which it is found."""
        roots = _writable_roots(self._subject, f"the plan for {self.name}")
        return plans.save(roots.registry, self.id, plans.checked(plan), actor=roots.actor, run=run)

    def saved_plan(self, digest: str) -> Plan:
        """Return a plan that was kept, by its digest or the beginning of it."""
        registry_in_use.check_table(self._subject)
        return plans.load(self._subject.registry, self.id, digest)

    # ------------------------------------------------------------ versions that are still needed

    def references(self) -> References:
        """Return which versions are still needed, and by whom."""
        self._subject.check_there()
        registry_in_use.check_table(self._subject)
        return self._subject.references()

    def expire(self, older_than: timedelta = expiry.DEFAULT_AGE, *, dry_run: bool = True) -> Expiry:
        """Delete versions that nobody needs and that were superseded that long ago; without dry_run=False only name them."""
        mounted_refusals.refuse_expiry(self._subject)
        return delete_versions.expire(self._subject, older_than, dry_run=dry_run)


def _registered(subject: Subject) -> Contracts:
    """Return the contracts that count for a table."""
    registry_in_use.check_table(subject)
    listed = contracts.listed(subject.registry, subject.name)
    versions = subject.versions
    if subject.is_mounted:
        listed = replaced_pins.all_matched_again(listed, versions.latest())
    return fulfilled_contracts.settled(listed, partial(all_in_order, versions), partial(_policy_for_jobs, subject, listed))


def _writable_roots(subject: Subject, what: str) -> Roots:
    """Return the roots, if a record may be written about the table."""
    subject.roots.check_writable(subject.registry, what)
    if subject.is_mounted:  # its first record may be the first thing of all that the registry holds
        with new_warehouse.begun(subject.roots, registered=True):
            registry_in_use.check_for_records(subject)
    else:
        registry_in_use.check_for_records(subject)
    return subject.roots


def _with_owner(contract: Any, owner: str, contact: str) -> Any:
    """Return the contract with the owner and the contact that were given besides."""
    given = {key: text for key, text in (("owner", owner), ("contact", contact)) if text}
    return checked_contract(contract).model_copy(update=given) if given else contract


def _policy_for_jobs(subject: Subject, jobs: Contracts) -> Policy | None:
    """Return the policy by which these jobs are judged; None for a table that is not there yet."""
    if not subject.exists():
        return None
    return waived_jobs.among(subject.policy(), lambda: jobs)


def _policy_for_job(subject: Subject, job: str, team: str) -> Policy | None:
    """Return the policy by which one job is judged; None for a table that is not there yet."""
    if not subject.exists():
        return None
    return waived_jobs.for_job(subject.policy(), subject.registry, subject.name, job, team)

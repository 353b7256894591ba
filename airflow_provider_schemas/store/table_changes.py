"""What may become of a table: its policy, plans, and the steps that write a version."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import ChangeError
from airflow_provider_schemas.formats import engine_sql
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit import operations, registry_in_use
from airflow_provider_schemas.store.commit.by_source.spelling import respelled
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.store.commit.evaluate import CommitTerms, TableContext, Wanted, asks_for_data, read_changes
from airflow_provider_schemas.store.commit.mounted import refusals as mounted_refusals
from airflow_provider_schemas.store.commit.mounted import statements as mounted_statements
from airflow_provider_schemas.store.commit.operations import CommitRequest, RestoreTarget
from airflow_provider_schemas.store.commit.target import Target, lies_elsewhere, read_target, subject_in_registry
from airflow_provider_schemas.store.commit.verify import verified
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.registry import plans, waived_jobs
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.table_versions import TableVersions
from airflow_provider_schemas.store.versions.changes_since import Seen

PolicyLike = Policy | Mapping[str, Any] | None


class TableChanges(TableVersions):
    """One table on one branch, to be planned and changed."""

    def policy(self) -> Policy:
        """Return the policy of the table as it is now, with the waivers that count."""
        subject = self._subject.in_judgement()
        registry_in_use.check_table(subject)
        return waived_jobs.for_jobs(subject.policy(), subject.registry, subject.name)

    # ------------------------------------------------------------ changes, or a target

    def plan(
        self,
        changes: Any = None,
        target: Target | None = None,
        *,
        policy: PolicyLike = None,
        override: str = "",
        unchecked: str = "",
        evidence: Iterable[Any] = (),
        jobs: Iterable[Contract] = (),
    ) -> Plan:
        """Return what would become of the table by these changes, or by a schema or table file as the target. Writes nothing.

        Policy can only be stricter than the table's, unless override says why. Target may be the path of a table file. Unchecked
        says why a description that names another place, or another format, is not compared with the files there. Jobs are contracts
        that count as registered, in place of what the same jobs have registered.
        """
        wanted = self._spelled(_wanted(changes, target))
        terms = replace(_terms(policy, override, evidence, unchecked), jobs=tuple(jobs))
        subject = self._subject.foreseen(step=True, data=asks_for_data(wanted))
        registry_in_use.check_table(subject)
        head = subject.latest()
        return operations.make_plan(TableContext(subject, terms, note=False), head, subject.past(head), wanted)

    def evolve(
        self,
        changes: Any = None,
        policy: PolicyLike = None,
        expected_version: Seen | None = None,
        key: str | None = None,
        *,
        target: Target | None = None,
        override: str = "",
        unchecked: str = "",
        evidence: Iterable[Any] = (),
        actor: str = "",
        run: str = "",
        approval: str = "",
        revision: str = "",
    ) -> Committed:
        """Write the version that comes of these changes, or of a target. What is done already is not done again."""
        about = {"run": run, "approval": approval, "key": key, "override": override, "unchecked": unchecked}
        author = self._subject.roots.author(actor=actor, revision=revision, **about)
        request = CommitRequest(author, _terms(policy, override, evidence, unchecked), expected_version)
        wanted = self._spelled(_wanted(changes, target))
        mounted_refusals.refuse_step(self._subject, wanted, request.terms)
        return operations.evolve(self._subject, wanted, request)

    # ------------------------------------------------------------ a plan

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
        revision: str = "",
    ) -> Committed:
        """Write what a plan says. One that breaks something needs an approval: the name of the person who gave it.

        Without a key the plan's own digest is the key, so that a plan is applied once.
        """
        plan = plans.checked(plan)
        mounted_refusals.refuse_plan(self._subject, plan)
        key = key or f"plan {plan.digest}"
        about = {"run": run, "approval": approval, "key": key, "override": override, "unchecked": unchecked}
        author = self._subject.roots.author(actor=actor, revision=revision, **about)
        request = CommitRequest(author, _terms(None, override, evidence, unchecked))
        return operations.apply(self._subject_of(plan), plan, request)

    def _subject_of(self, plan: Plan) -> Subject:
        """Return the table that a plan is about. One that the plan makes lies where `create_table` would put it."""
        if plan.base is None and lies_elsewhere(plan.result):
            return subject_in_registry(self._subject.roots, self.id)
        return self._subject

    # ------------------------------------------------------------ an old version

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
        revision: str = "",
    ) -> Committed:
        """Write a new version that is what an old one was, with its ids. Nothing is deleted.

        With columns, only those come back, with their ids, and everything else stays as it is.
        """
        about = {"run": run, "approval": approval, "key": key, "override": override, "unchecked": unchecked}
        author = self._subject.roots.author(actor=actor, revision=revision, **about)
        request = CommitRequest(author, _terms(policy, override, evidence, unchecked), expected_version)
        restore_target = _restore_target(number, columns)
        mounted_refusals.refuse_restore(self._subject, restore_target, request.terms)
        return operations.restore(self._subject, restore_target, request)

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
        """Return what going back would mean. Writes nothing."""
        restore_target = _restore_target(number, columns)
        terms = _terms(policy, override, evidence, unchecked)
        subject = self._subject.foreseen(step=True, data=True)
        registry_in_use.check_table(subject)
        head = subject.latest()
        if head is None:
            raise subject.missing()
        context = TableContext(subject, terms, note=False)
        return operations.evaluate_restore(context, restore_target, head, subject.past(head)).noted

    def _spelled(self, wanted: Wanted) -> Wanted:
        """Return changes as those who keep the table would spell them."""
        if isinstance(wanted, TableSchema | TableFile) or not self._subject.is_mounted:
            return wanted
        return respelled(wanted)

    # ------------------------------------------------------------ engines that commit by themselves

    def statements(self, plan: Plan, engine: str | None = None) -> engine_sql.EngineSql:
        """Return the engine's own statements for a plan, where a catalog keeps the table; for Spark, if no engine is named."""
        changes = plans.checked(plan).changes
        if self._subject.is_mounted:
            return mounted_statements.statements(self._subject, changes, self.schema(), engine)
        return engine_sql.statements(self.name, changes, engine=engine or "spark", schema=self.schema())

    def name_in_engine(self, engine: str) -> tuple[str, str | tuple[str, ...]]:
        """Return an engine, and the table's name in its SQL. Of a mounted table, Spark is Spark with whoever keeps the table."""
        if not self._subject.is_mounted:
            return engine, self.name
        return mounted_statements.name_in_engine(self._subject.roots, self._subject.name, engine)

    def verify(self, plan: Plan) -> Report:
        """Report whether the table is what a plan said it would be, and what differs, if not; another engine may have changed it."""
        return verified(plans.checked(plan), self.latest(), self.name, kept_by_others=self._subject.is_mounted)


def _wanted(changes: Any, target: Target | None) -> Wanted:
    """Return what a caller wants of a table: its changes, or its target."""
    if (changes is None) == (target is None):
        raise ChangeError("pass changes or a target, and not both.", code="change.none", fix="Pass one of them.")
    if target is not None:
        return read_target(target)
    if isinstance(changes, TableSchema | TableFile):
        return changes
    return read_changes(changes)


def _terms(policy: PolicyLike, override: str, evidence: Iterable[Any], unchecked: str) -> CommitTerms:
    return CommitTerms(policy, override, arguments.many(evidence, "evidence"), unchecked=unchecked)


def _restore_target(number: int, columns: Iterable[str]) -> RestoreTarget:
    return RestoreTarget(arguments.number(number), arguments.many(columns, "columns"))

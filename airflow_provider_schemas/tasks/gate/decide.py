"""Do the tables fit the task? Asked once by gates, guards and the decorator; enforce.py says what then becomes of the task."""

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

import msgspec

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.report import Answers, Consumer, Finding
from airflow_provider_schemas.core.report import Verdict as Weight
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer, judge
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.error_handling import settled
from airflow_provider_schemas.tasks.gate import baseline, bypass, kept_baselines, register_contract
from airflow_provider_schemas.tasks.gate.arguments import OUTCOMES, Asked, Outcome
from airflow_provider_schemas.tasks.gate.foreseen import foreseen
from airflow_provider_schemas.tasks.gate.request import Question
from airflow_provider_schemas.tasks.gate.verdict import Verdict
from airflow_provider_schemas.tasks.output import cli_commands, metrics
from airflow_provider_schemas.tasks.output.failure_report import unfit
from airflow_provider_schemas.tasks.task_run import Run


def fit(asked: Asked, context: Mapping[str, Any], *, task: Any = None) -> Verdict:
    """The verdict, in XCom before anything is raised. What does not fit raises nothing here; what cannot be asked does.

    Task is the gate, if this is one: what stands behind it may run past it.
    """
    run, ti = Run.of(context), context["ti"]
    with settled():
        asking = _Asking(Question.of(asked, run), run, ti, task)
        verdict = asking.verdict()
    said = verdict.to_dict()
    not_kept = kept_baselines.write(asking.store, verdict, said, ends_here=task is not None)
    verdict = msgspec.structs.replace(verdict, notes=(*verdict.notes, *not_kept), judgement=asking.counted(verdict.judgement))
    said |= verdict.about_asking()
    baseline.push(ti, said, by_sight=bool(verdict.by_sight))
    metrics.count_verdicts(verdict.judgement)
    return msgspec.structs.replace(verdict, plain=said)


class _Asking:
    """One question of one run."""

    def __init__(self, question: Question, run: Run, ti: Any, gate: Any) -> None:
        self.question, self.run, self.ti, self.gate = question, run, ti, gate
        self.hook = SchemaStoreHook(question.conn_id, actor=run.actor)
        self.began = time.monotonic()
        self.store: SchemaStore = self.hook.store.judging()
        self.asked_before = self.store.asked()
        self.store.foresee(foreseen(self.store, question, run))
        where = baseline.Where(question.conn_id, question.branch or MAIN)
        self.looked = self._looked_back(where) if question.by_sight else baseline.Sight()

    def _looked_back(self, where: baseline.Where) -> baseline.Sight:
        with_registry = kept_baselines.read(self.store, self.run, self.question.by_sight, self.question.conn_id)
        return baseline.looked_back(self.ti, self.question.by_sight, where, with_registry)

    def verdict(self) -> Verdict:
        judgement = self._judged()
        register_contract.renew(self.store, judgement, self.question.contracts, self.run)
        return Verdict(
            judgement=judgement,
            outcome=self._outcome(judgement),
            run=self.run,
            conn_id=self.question.conn_id,
            alias=self.hook.alias,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            bundle=baseline.bundle_of(self.ti),
            after=self.looked.after,
            since=self.looked.since,
            notes=(*self._registered(judgement), *self._bypassed(), *self._misspelt(judgement)),
            again=dict(self._again(judgement)),
            about={one.table: self._about(one) for one in judgement.tables},
            pinned=frozenset(one.table for one in judgement.tables if self._is_pinned(one.table)),
            by_sight=frozenset(self.question.by_sight),
            guard=self.gate is None,
        )

    def counted(self, judgement: Judgement) -> Judgement:
        """The judgement, with all that was asked for it: by the judge, by registering, and for what is kept for the next run."""
        asked = self.store.asked() - self.asked_before
        millis = int((time.monotonic() - self.began) * 1000)
        return msgspec.structs.replace(judgement, lists=asked.lists, gets=asked.gets, puts=asked.puts, millis=millis)

    def _judged(self) -> Judgement:
        asked = self.question
        found = judge(
            self.store,
            asked.reads,
            asked.writes,
            asked.policy,
            consumer=self.run.consumer,
            since=self.looked.since,
            branch=asked.branch,
            version=asked.version,
            on_missing="warn" if asked.on_missing == "warn" else "fail",
        )
        answers = (self._unless_forgotten(one) for one in found.tables)
        return msgspec.structs.replace(found, tables=tuple(_with_victim(one, self.run) for one in answers))

    def _unless_forgotten(self, answer: TableAnswer) -> TableAnswer:
        """The answer; a break where the task was green before, and nobody knows any more what it saw then."""
        by_sight = self._need(answer) is None and answer.version is not None and answer.table not in self.looked.since
        if not (by_sight and self.looked.forgotten) or kept_baselines.may_write(self.store):
            return answer
        return forgotten(answer)

    def _outcome(self, judgement: Judgement) -> Outcome:
        """The worst of what the tables that are missing and those that do not fit have as consequence."""
        found = [
            self.question.on_missing if one.version is None else self.question.on_incompatible
            for one in judgement.tables
            if one.version is None or not one.fits
        ]
        return next((one for one in OUTCOMES if one in found), "fits")

    def _registered(self, judgement: Judgement) -> tuple[str, ...]:
        # Who reads an older version needs nothing of the newest.
        if not self.question.register or self.question.version is not None:
            return ()
        return register_contract.register(self.store, judgement, self.question.contracts, self.run)

    def _bypassed(self) -> tuple[str, ...]:
        # A guard stands before its own task, which nothing can run past.
        stops = {self.question.on_incompatible, self.question.on_missing}
        return () if self.gate is None else bypass.notes(self.gate, stops, mapped=self.run.map_index >= 0)

    def _misspelt(self, judgement: Judgement) -> Iterator[str]:
        """The table that may have been meant, where one is not there."""
        for one in judgement.tables:
            if one.version is None:
                database, _, table = one.table.partition(".")
                try:
                    like = get_close_matches(table, self.store.tables(database), n=1)
                except SchemaError:  # that it is not there is said in any case
                    like = []
                yield from (f"{one.table} is not there. Did you mean {database}.{name}?" for name in like)

    def _again(self, judgement: Judgement) -> Iterator[tuple[str, str]]:
        """The command that asks again about each table that does not fit."""
        for one in unfit(judgement):
            yield one.table, self._asked_again(one) or cli_commands.format_task_test(self.run)

    def _asked_again(self, answer: TableAnswer) -> str:
        need, table, conn_id = self._need(answer), answer.table, self.question.conn_id
        if isinstance(need, str):
            return cli_commands.format_command("check", table, f"--for={self.run.consumer}", conn_id=conn_id)
        name = register_contract.name_of(self.run, self.question.contracts, table, writes=answer.writes)
        about = cli_commands.TableCheck(answer, name, conn_id, need, self.looked.since.get(table), pinned=self._is_pinned(table))
        return cli_commands.format_check(about, self._known(table) if need is not None else ())

    def _known(self, table: str) -> tuple[Contract, ...]:
        """The contracts that are registered; the verdict stands without them."""
        try:
            return self.store.table(table).contracts()
        except SchemaError:
            return ()

    def _is_pinned(self, table: str) -> bool:
        version = self.question.version
        return table in version if isinstance(version, Mapping) else version is not None

    def _need(self, answer: TableAnswer) -> Any:
        return (self.question.writes if answer.writes else self.question.reads)[answer.table]

    def _about(self, answer: TableAnswer) -> str:
        """How a table was judged."""
        need = self._need(answer)
        if answer.version is None:
            return ""
        if isinstance(need, Contract):
            return f"{len(need.columns):,} of {len(answer.version.schema.fields):,} columns needed"
        if need is not None:
            return "as registered"
        seen = self.looked.since.get(answer.table)
        if seen is None:
            why = "nothing is known of it from when this task was last green" if self.looked.forgotten else "seen for the first time"
            return f"{why}: judged from now on by what comes after version {answer.version.number}"
        same = seen == (answer.version.number, answer.version.digest)
        return f"as in {self.looked.runs[answer.table]}" if same else f"version {seen[0]} was seen in {self.looked.runs[answer.table]}"


def forgotten(answer: TableAnswer) -> TableAnswer:
    """The answer about a table of which nothing is known from when the task was green: what came since is not known either."""
    number = 0 if answer.version is None else answer.version.number
    message = f"this task was green before, and what it saw of {answer.table} then is kept no more, so nobody knows what was changed since."
    fix = (
        f"Mark this task as success: then version {number} counts. Or say what it needs, in a contract: "
        f'reads={{"{answer.table}": ["a_column"]}}. A connection that may write keeps it in the registry.'
    )
    finding = Finding("EXPECT_FIELD_MISSING", "table", message, fix, Weight.BREAK, verdicts=Answers(jobs=Weight.BREAK), jobs=Weight.BREAK)
    return msgspec.structs.replace(answer, report=msgspec.structs.replace(answer.report, findings=(*answer.report.findings, finding)))


def _with_victim(answer: TableAnswer, run: Run) -> TableAnswer:
    """What breaks somebody, as what breaks this task: nobody else is asked here."""
    this = Consumer(run.consumer, run.owner)
    findings = tuple(
        one if one.consumers or one.verdict not in (Weight.BREAK, Weight.INVALID) else msgspec.structs.replace(one, consumers=(this,))
        for one in answer.report.findings
    )
    return msgspec.structs.replace(answer, report=msgspec.structs.replace(answer.report, findings=findings))

"""Do the tables fit the task? The one order in which gates, guards, the decorator and sensors find out; enforce.py ends the task."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.check_tables import Judgement
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.tasks.error_handling import settled
from airflow_provider_schemas.tasks.gate import bypass, explain, kept_baselines, prefetch, register_contract
from airflow_provider_schemas.tasks.gate.arguments import OUTCOMES, GateArguments, Outcome
from airflow_provider_schemas.tasks.gate.baseline import TaskBaseline, find_baseline
from airflow_provider_schemas.tasks.gate.earlier_verdicts import StoreBranch
from airflow_provider_schemas.tasks.gate.judge import judge_tables
from airflow_provider_schemas.tasks.gate.request import GateRequest
from airflow_provider_schemas.tasks.gate.task_history import TaskInstance, push_verdict
from airflow_provider_schemas.tasks.gate.verdict import GateVerdict
from airflow_provider_schemas.tasks.output import metrics
from airflow_provider_schemas.tasks.task_run import Run, bundle_version

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator


def decide(arguments: GateArguments, context: Mapping[str, Any], *, gate: "BaseOperator | None" = None) -> GateVerdict:
    """Judge the tables of a task, and return the verdict: it lies in XCom before anything is raised.

    1. Read the request; 2. find the baseline; 3. have the store judge the tables; 4. register contracts that fit, and write the notes;
    5. compose the verdict; 6. keep what was seen for the next run, in the registry; 7. put the verdict into XCom.

    Tables that do not fit raise nothing here; tables that cannot be judged do. `gate` is the task, if it is a gate and no guarded job.
    """
    run = Run.of(context)
    ti = context["ti"]
    # Here an error of the library ends the task, at once or after a retry. The verdict stands from there on: that the registry does
    # not take what was seen is a note only, and errors of XCom are Airflow's own.
    with settled():
        request = GateRequest.of(arguments, run)
        check = _Check(request, run)
        baseline = check.find_baseline(ti)
        judgement = judge_tables(check.store, request, run, baseline)
        judged_at = datetime.now(UTC)
        register_contract.note_job_seen(check.store, judgement, request.contracts, run)
        notes = [*check.register(judgement), *check.bypassing_tasks(gate), *explain.similar_names(check.store, judgement)]
        verdict = check.compose(judgement, baseline, notes, judged_at, bundle_version(ti), is_guard=gate is None)
    xcom_value = verdict.to_dict()
    notes += kept_baselines.save(check.store, verdict, xcom_value, ends_here=gate is not None)
    verdict = verdict.finished(check.with_costs(judgement), notes, xcom_value)
    push_verdict(ti, verdict.xcom_value, is_baseline=bool(verdict.baseline_tables))
    metrics.count_verdicts(verdict.judgement)
    return verdict


class _Check:
    """One request of one run, with the store that it is about; what the storage will be asked for is under way."""

    def __init__(self, request: GateRequest, run: Run) -> None:
        self.request = request
        self.run = run
        self._hook = SchemaStoreHook(request.conn_id, actor=run.actor)
        self._began = time.monotonic()
        self.store = self._hook.store.judging()
        self._requests_before = self.store.asked()
        self.store.foresee(prefetch.list_reads(self.store, request, run))

    def find_baseline(self, ti: TaskInstance) -> TaskBaseline:
        """Find what the task saw when it was last green, of tables without a contract."""
        tables = self.request.uncontracted_tables
        if not tables:
            return TaskBaseline()
        kept = kept_baselines.read_kept(self.store, self.run, tables, self.request.conn_id)
        return find_baseline(ti, tables, StoreBranch(self.request.conn_id, self.request.branch or MAIN), kept)

    def register(self, judgement: Judgement) -> tuple[str, ...]:
        """Register the contracts that fit, and return the notes about it."""
        # A job that reads an older version needs nothing of the newest.
        if not self.request.register or self.request.version is not None:
            return ()
        return register_contract.register(self.store, judgement, self.request.contracts, self.run)

    def bypassing_tasks(self, gate: "BaseOperator | None") -> tuple[str, ...]:
        """Return a note for each task behind the gate that runs although the gate stops."""
        # A guard stands before its own task, which nothing can run past.
        if gate is None:
            return ()
        outcomes = {self.request.on_incompatible, self.request.on_missing}
        return bypass.write_notes(gate, outcomes, mapped=self.run.map_index >= 0)

    def choose_outcome(self, judgement: Judgement) -> Outcome:
        """Return what becomes of the task: the worst of what missing tables and those that do not fit have as consequence."""
        outcomes: set[Outcome] = set()
        for answer in judgement.tables:
            if answer.version is None:
                outcomes.add(self.request.on_missing)
            elif not answer.fits:
                outcomes.add(self.request.on_incompatible)
        return next((outcome for outcome in OUTCOMES if outcome in outcomes), "fits")

    def compose(
        self, judgement: Judgement, baseline: TaskBaseline, notes: list[str], judged_at: datetime, bundle: str, *, is_guard: bool
    ) -> GateVerdict:
        """Return the verdict, with all that a log says about it."""
        return GateVerdict(
            judgement=judgement,
            outcome=self.choose_outcome(judgement),
            run=self.run,
            conn_id=self.request.conn_id,
            alias=self._hook.alias,
            at=judged_at.isoformat(timespec="milliseconds"),
            bundle=bundle,
            after=baseline.after,
            since=baseline.since,
            since_runs=baseline.runs,
            since_moments=baseline.moments,
            notes=tuple(notes),
            check_commands=explain.check_commands(self.store, judgement, self.request, self.run, baseline),
            bases=explain.bases(judgement, self.request, baseline),
            pinned=frozenset(answer.table for answer in judgement.tables if self.request.is_pinned(answer.table)),
            baseline_tables=frozenset(self.request.uncontracted_tables),
            is_guard=is_guard,
        )

    def with_costs(self, judgement: Judgement) -> Judgement:
        """Return the judgement with all that was asked of the storage: also for registering, and for what is kept for the next run."""
        requests = self.store.asked() - self._requests_before
        millis = int((time.monotonic() - self._began) * 1000)
        return msgspec.structs.replace(judgement, lists=requests.lists, gets=requests.gets, puts=requests.puts, millis=millis)

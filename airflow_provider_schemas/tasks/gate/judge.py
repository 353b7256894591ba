"""The tables of a gate checked against what is needed of them, with the findings that only a gate has."""

import msgspec

from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Verdict
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer, judge
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.gate import kept_baselines
from airflow_provider_schemas.tasks.gate.baseline import TaskBaseline
from airflow_provider_schemas.tasks.gate.request import GateRequest
from airflow_provider_schemas.tasks.task_run import Run

_BROKEN = (Verdict.BREAK, Verdict.INVALID)


def judge_tables(store: SchemaStore, request: GateRequest, run: Run, baseline: TaskBaseline) -> Judgement:
    """Judge the tables: each by its contract, or by what came after the version in the baseline."""
    judgement = judge(
        store,
        request.reads,
        request.writes,
        request.policy,
        consumer=run.consumer,
        since=baseline.since,
        branch=request.branch,
        version=request.version,
        on_missing="warn" if request.on_missing == "warn" else "fail",
    )
    consumer = Consumer(run.consumer, run.owner)
    answers = list(judgement.tables)
    for place, answer in enumerate(judgement.tables):
        if answer.version is not None and _is_forgotten(store, request, baseline, answer):
            answers[place] = _with_forgotten_finding(answer, answer.version.number)
    return msgspec.structs.replace(judgement, tables=tuple(_with_consumer(answer, consumer) for answer in answers))


def _is_forgotten(store: SchemaStore, request: GateRequest, baseline: TaskBaseline, answer: TableAnswer) -> bool:
    """Return whether the task was green before, and nobody knows any more which version of the table it saw then."""
    if not baseline.forgotten or answer.table in baseline.since:
        return False
    has_contract = request.need(answer.table, writes=answer.writes) is not None
    return not has_contract and not kept_baselines.keeps_baselines(store)


def _with_forgotten_finding(answer: TableAnswer, number: int) -> TableAnswer:
    """Return the answer about version `number` with the finding that nobody knows what was changed since the task was green."""
    message = f"this task was green before, and what it saw of {answer.table} then is kept no more, so nobody knows what was changed since."
    fix = (
        f"Mark this task as success: then version {number} counts. Or say what it needs, in a contract: "
        f'reads={{"{answer.table}": ["a_column"]}}. A connection that may write keeps it in the registry.'
    )
    broken = Verdict.BREAK
    finding = Finding("EXPECT_FIELD_MISSING", "table", message, fix, broken, verdicts=Answers(jobs=broken), jobs=broken)
    return _with_findings(answer, (*answer.report.findings, finding))


def _with_consumer(answer: TableAnswer, consumer: Consumer) -> TableAnswer:
    """Return the answer so that what breaks somebody breaks this task: the gate asks for nobody else."""
    findings = list(answer.report.findings)
    for place, finding in enumerate(findings):
        if finding.verdict in _BROKEN and not finding.consumers:
            findings[place] = msgspec.structs.replace(finding, consumers=(consumer,))
    return _with_findings(answer, tuple(findings))


def _with_findings(answer: TableAnswer, findings: tuple[Finding, ...]) -> TableAnswer:
    return msgspec.structs.replace(answer, report=msgspec.structs.replace(answer.report, findings=findings))

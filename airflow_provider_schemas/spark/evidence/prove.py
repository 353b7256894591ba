"""Evidence from the live files of a table that a tightening is safe: footers where they suffice, a scan where not."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.spark.evidence.from_footers import ProofAnswer, answer_by_footers
from airflow_provider_schemas.spark.evidence.questions import ProofQuestion, find_questions, under_old_names
from airflow_provider_schemas.spark.files.discovery import FoundFiles, find_files
from airflow_provider_schemas.spark.reading.bad_values import BAD
from airflow_provider_schemas.spark.reading.read_table import read_table
from airflow_provider_schemas.spark.session import checked, described, time_zone
from airflow_provider_schemas.spark.sql import literal, name
from airflow_provider_schemas.spark.validation.count_failures import count_failures
from airflow_provider_schemas.spark.validation.expected import Expected, ExpectedColumn
from airflow_provider_schemas.spark.validation.form import compare_form, read_form
from airflow_provider_schemas.spark.validation.row_checks import NULL, Check, FormIssue
from airflow_provider_schemas.spark.validation.value_checks import INEXACT
from airflow_provider_schemas.store.data_files.live_files import live_files
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_SAY: Final = "Pass store.table(name)."

ChangesLike = Any
"""What `plan` takes as changes: texts, changes, or several of them."""


class _Proof(NamedTuple):
    """What a proof is about."""

    spark: "SparkSession"
    table: Table
    head: Version
    found: FoundFiles
    snapshot: int | None
    path: str | None


def prove(
    table: Table,
    changes: ChangesLike = None,
    *,
    target: TableSchema | TableFile | str | PathLike[str] | None = None,
    spark: "SparkSession | None" = None,
    path: str | None = None,
    branch: str | None = None,
) -> tuple[Evidence, ...]:
    """Return what all live files of a table prove of these changes, for `table.plan(changes, evidence=...)` and `table.evolve`.

    One Evidence a path and a question that holds: no live value is NULL, or all fit the new type. Of what does not hold
    the log says how many rows break it. Evidence is about the files that there were: each says which snapshot that was,
    and the log tells if there is a newer one by the end. Path is a folder that is read instead of the table's own data.
    Evidence is weighed by the plan: a reader that fails on the old type in the file fails whatever the values are.
    Changes and target are what `plan` takes. Without a session, the one that is active is used.
    """
    session = _find_session(spark)
    subject = _find_branch(table, branch)
    head = subject.latest()
    plan = subject.plan(changes, target)
    questions = find_questions(plan, head.schema)
    if not questions:
        return ()
    proof = _start_proof(session, subject, head, path)
    with described(proof.spark, f"prove {proof.table.name}"):
        by_footers = answer_by_footers(proof.spark, proof.table, proof.found, questions)
        rest = [question for question in questions if question not in by_footers]
        by_rows = _answer_by_rows(proof, rest, plan) if rest else {}
    for question, answer in {**by_footers, **by_rows}.items():
        if not answer.holds:
            _log.warning("%s: %s is not proven: %s.", proof.table.name, _claim(question), answer.reason)
    _warn_of_newer(proof)
    return (*_make_evidence(by_footers, "footers", proof), *_make_evidence(by_rows, "a scan", proof))


def _find_session(spark: "SparkSession | None") -> "SparkSession":
    if spark is None:
        from pyspark.sql import SparkSession

        spark = SparkSession.getActiveSession()
    return checked(spark)


def _find_branch(table: object, branch: str | None) -> Table:
    if not isinstance(table, Table):
        raise ContractError(f"a {type(table).__name__} is no table.", code="read.no-table", path="table", fix=_SAY)
    return table if branch is None else table.branch(branch)


def _start_proof(spark: "SparkSession", table: Table, head: Version, path: str | None) -> _Proof:
    snapshot = _newest_snapshot(table) if path is None else None
    return _Proof(spark, table, head, find_files(spark, table, snapshot=snapshot, tag=None, path=path), snapshot, path)


def _newest_snapshot(table: Table) -> int | None:
    """Return the newest snapshot of a table of Paimon's; None if there is none, and for plain folders."""
    if location_of(table.schema()) or table.place.layout is not Layout.PAIMON:
        return None
    return live_files(table).snapshot


# ---------------------------------------------------------------- rows


def _answer_by_rows(proof: _Proof, questions: Sequence[ProofQuestion], plan: Plan) -> dict[ProofQuestion, ProofAnswer]:
    """Scan the columns of the questions, as the newest version has them, and compare them with what they are to be."""
    names = tuple(dict.fromkeys(question.column for question in questions))
    noted = read_table(
        proof.spark,
        proof.table,
        columns=names,
        bad_values="quarantine",
        version=proof.head.number,
        snapshot=proof.snapshot,
        path=proof.path,
    )
    frame = noted.drop(BAD)
    fields = (field for field in under_old_names(plan.result, proof.head.schema) if field.name in names)
    columns = tuple(ExpectedColumn((field.name,), field.type, field.type.nullable, id=field.id) for field in fields)
    expected = Expected(columns, closed=False)
    comparison = compare_form(read_form(frame.schema.jsonValue()), expected, time_zone(proof.spark))
    checks = [check for check in comparison.checks if any(_is_about(check, question) for question in questions)]
    checks += map(_lost_check, questions)
    counts = count_failures(noted, checks)
    broken = dict(zip(checks, counts.counts, strict=True))
    return {question: _read_answer(question, comparison.issues, broken, counts.rows) for question in questions}


def _lost_check(question: ProofQuestion) -> Check:
    """Return the check that the column holds nothing that cannot be read as it is now: nothing is proven of a value that nobody has."""
    inside = f"startswith(`a note`.column, {literal(f'{question.column}.')})"
    lost = f"exists({name(BAD)}, `a note` -> `a note`.column = {literal(question.column)} or {inside})"
    return Check(INEXACT, question.column, lost, question.column)


def _is_about(check: Check, question: ProofQuestion) -> bool:
    return check.path == question.path and (check.rule == NULL) is question.not_null


def _read_answer(question: ProofQuestion, issues: Sequence[FormIssue], broken: Mapping[Check, int], rows: int) -> ProofAnswer:
    if any(issue.path == question.path for issue in issues):
        return ProofAnswer(False, "values of these types cannot be held against each other")
    lost = broken[_lost_check(question)]
    if lost:
        now = question.now.with_nullable(True)
        return ProofAnswer(False, f"{lost:,} of {rows:,} rows hold what cannot be read as {now}, which {question.column} is now")
    count = max((number for check, number in broken.items() if _is_about(check, question)), default=0)
    if not count:
        return ProofAnswer(True)
    return ProofAnswer(False, f"{count:,} of {rows:,} rows break it")


# ---------------------------------------------------------------- words


def _claim(question: ProofQuestion) -> str:
    if question.not_null:
        return f"that {question.path} is never NULL"
    return f"that {question.path} fits {question.kind.with_nullable(True)}"


def _make_evidence(answers: Mapping[ProofQuestion, ProofAnswer], how: str, proof: _Proof) -> Iterator[Evidence]:
    """Yield the evidence for each question that holds."""
    for question, answer in answers.items():
        if answer.holds:
            moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
            yield Evidence(
                not_null=question.not_null,
                fits=None if question.not_null else str(question.kind.with_nullable(True)),
                found=f"{moment}, {how}{_place_text(proof)}",
                path=question.path,
                id=question.id,
                table=proof.table.name,
                files=len(proof.found.files),
            )


def _place_text(proof: _Proof) -> str:
    if proof.snapshot is not None:
        return f" of snapshot {proof.snapshot}"
    return f" of {shown(proof.found.base)[1:-1]}" if proof.found.base else ""


def _warn_of_newer(proof: _Proof) -> None:
    """Warn of what came while the files were read: it is not in the evidence."""
    table = proof.table.name
    head = proof.table.latest()
    if head.identity != proof.head.identity:
        _log.warning("%s: version %s came while the data were looked at: prove it again before you plan.", table, head.number)
    newest = _newest_snapshot(proof.table) if proof.snapshot is not None else None
    if newest != proof.snapshot:
        _log.warning("%s: snapshot %s came while %s was looked at: its rows are not proven.", table, newest, proof.snapshot)

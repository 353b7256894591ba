"""Do these tables fit what a job needs? The one answer that gates, sensors and commands repeat, and speak of in their own words.

`judge` shows the order; its parts stand in `checking/`. One or two small files a table are read. A table whose newest file is the one
that was seen before is not even parsed. What cannot be read is an error, and never an answer.
"""

import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from typing import TYPE_CHECKING

from airflow_provider_schemas.store.checking.answer_table import answer
from airflow_provider_schemas.store.checking.judgement import Judgement, TableAnswer
from airflow_provider_schemas.store.checking.questions import (
    REGISTERED,
    JobTerms,
    Needs,
    Numbers,
    Question,
    check_arguments,
    prefetch_request,
    read_questions,
)
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.table_changes import PolicyLike
from airflow_provider_schemas.store.versions.changes_since import Seen

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

__all__ = ["REGISTERED", "Judgement", "TableAnswer", "judge"]


def judge(
    store: "SchemaStore",
    reads: Needs = (),
    writes: Needs = (),
    policy: PolicyLike = None,
    *,
    consumer: str = "",
    since: Mapping[str, Seen] | None = None,
    branch: str | None = None,
    version: Numbers = None,
    on_missing: str = "fail",
    look: bool | None = None,
    now: datetime | None = None,
) -> Judgement:
    """Return whether the tables fit a job as they are now; or as they were in a version, for a job that reads that one.

    Reads are tables, or what is needed of each: a contract in any form, '@registered' for the one that the consumer
    has registered, or None. A table without a contract is compared with the version that since names, if it does.
    Policy can only be stricter than a table's own. Version is the number for the one table that is asked about, or numbers
    by table. On missing is what a table, or such a version, means that is not there: fail, warn or ok. Look is whether
    the newest data file of a table that is only described is read; as the store says, if it is None.
    """
    check_arguments(consumer, on_missing, since)
    store = store.in_judgement()
    questions = read_questions(store, reads, writes, since=since or {}, branch=branch, version=version, look=look)
    start = time.monotonic()
    requests_before = store.asked()
    store.foresee(prefetch_request(questions, consumer))
    answers, registry = _answer_all(questions, JobTerms(policy, consumer, on_missing, now))
    requests = store.asked() - requests_before
    return Judgement(
        tables=answers,
        consumer=consumer,
        store=store.url,
        registry=registry,
        lists=requests.lists,
        gets=requests.gets,
        puts=requests.puts,
        millis=int((time.monotonic() - start) * 1000),
    )


def _answer_all(questions: list[Question], terms: JobTerms) -> tuple[tuple[TableAnswer, ...], str]:
    """Return the answers, and the id of the registry, which is read once while the first tables are looked at."""
    roots = questions[0].table.subject.roots
    database = questions[0].table.id.database
    answers, registry = _answer_in_threads(questions, roots, database, terms)
    if any(answered.version is None for answered in answers):  # a missing table may lie in another registry, which others name
        registry_in_use.check_neighbours(roots, registry, database)
    return answers, registry


def _answer_in_threads(questions: list[Question], roots: Roots, database: str, terms: JobTerms) -> tuple[tuple[TableAnswer, ...], str]:
    """Return the answers, as many at once as the storage allows; one table with a local registry needs no threads."""
    if len(questions) == 1 and roots.registry.protocol == "file":
        known: Future[str] = Future()
        known.set_result(_read_registry_id(roots, database))
        return (answer(questions[0], known, terms),), known.result()
    at_once = max(roots.warehouse.at_once, roots.registry.at_once, *(files.at_once for files in roots.mounted.values()))
    with ThreadPoolExecutor(min(at_once, len(questions)) + 1, "schemas-judge") as pool:
        registry = pool.submit(_read_registry_id, roots, database)
        answers = tuple(pool.map(lambda question: answer(question, registry, terms), questions))
    return answers, registry.result()


def _read_registry_id(roots: Roots, database: str) -> str:
    """Return the id of the registry; raise StorageError if it has none, and tables name one."""
    registry = registry_in_use.read_id(roots)
    if not registry:
        registry_in_use.check_neighbours(roots, registry, database)
    return registry

"""What our own check says of a change, one verdict a question.

The questions are asked for data that Paimon's own readers find by id and plain Spark on Parquet finds by name, and the
rules' own verdicts count, whatever a policy makes of them.
"""

from typing import NamedTuple

from airflow_provider_schemas.core import Policy, check
from airflow_provider_schemas.core.report import Answers, Verdict, worst
from tests.peers.change import Change

QUESTIONS = {"data_by_id": "data by id", "data_by_name": "data by name", "jobs": "readers", "writers": "writers"}
READERS = ("paimon", "spark-4-parquet")


class Ours(NamedTuple):
    """The worst verdict on each question, and the rules that say more than that all is well."""

    answers: Answers
    rules: tuple[str, ...]

    def verdict(self, question: str) -> Verdict:
        found: Verdict = getattr(self.answers, question)
        return found

    def passes(self, question: str) -> bool:
        return self.verdict(question) in (Verdict.OK, Verdict.WARN)


def judged(change: Change) -> Ours:
    """Our verdicts on a change."""
    findings = check(change.old(), change.new(), Policy(readers=READERS)).findings
    answers = Answers(*(worst(getattr(one.verdicts, question) for one in findings) for question in QUESTIONS))
    return Ours(answers, tuple(dict.fromkeys(one.rule for one in findings)))

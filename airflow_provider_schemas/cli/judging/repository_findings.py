"""Findings about files that people keep in git: files that were deleted, or that name another table."""

from collections.abc import Iterable, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Consumer, Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract

TABLE_FILE_DELETED = "TABLE_FILE_DELETED"
TABLE_NAME_CHANGED = "TABLE_NAME_CHANGED"
CONTRACT_FILE_DELETED = "CONTRACT_FILE_DELETED"
# Where the part of a fix begins that is about readers.
_FOR_READERS = " Then have its readers"
PATH = "table"
"""The path of such a finding, which an exception names: it is about the table as a whole."""


def of_file(rule: str, reason: str, readers: Sequence[Consumer] = (), *, table: str = "", job: str = "") -> Finding:
    """Return the finding that a file is gone, or names another table; it breaks the readers that are known.

    With the table and a job, what to type is a whole command.
    """
    row = RULES[rule]
    answers = row.answers("read" if readers and "read" in row.variants else "")
    verdict = worst((answers.data_by_id, answers.jobs, answers.writers))
    return Finding(
        rule,
        PATH,
        row.says.format_map({"reason": reason}),
        _whole(row.fix, table, job or next((reader.name for reader in readers), "")),
        verdict,
        verdicts=answers,
        data=answers.data_by_id,
        jobs=answers.jobs,
        writers=answers.writers,
        consumers=tuple(readers),
    )


def _whole(fix: str, table: str, job: str) -> str:
    """Return the words with the table and the job in place of their stand-ins; without a job, what is about none."""
    if not job:
        return fix.partition(_FOR_READERS)[0]
    if not table:
        return fix
    return fix.replace("remove TABLE JOB", f"remove {quote(table)} {quote(job)}")


def readers_of(contracts: "Iterable[Contract]") -> tuple[Consumer, ...]:
    """Return the jobs of some contracts as a finding names them, each once."""
    readers = {
        contract.name: Consumer(contract.name, contract.owner, contract.contact, last_seen=contract.last_seen) for contract in contracts
    }
    return tuple(readers.values())


def weighed_file(findings: Iterable[Finding], policy: Judging) -> tuple[Finding, ...]:
    """Return findings about files as the strictest of the joined policies weighs them."""
    given = tuple(findings)
    rulings = [Ruling(rules, moment(None)) for rules in policy.joined()]
    return strictest([_rule(ruling, given) for ruling in rulings]).findings


def _rule(ruling: Ruling, findings: Sequence[Finding]) -> Report:
    return Report(tuple(ruling.ruled(finding, [finding.path]) for finding in findings))

"""What an audit finds, as rows: one finding a row, with plain columns that every engine can group and keep."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from airflow_provider_schemas.core.report import Finding, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.store.layout.identifiers import MAIN


class Row(NamedTuple):
    """One finding. Texts are empty where there is nothing to say."""

    table: str
    """Database and table."""
    branch: str
    rule: str
    verdict: str
    path: str
    """The column, the version, or what else the finding is about."""
    version: int | None
    """The newest version that it concerns."""
    file: str
    """A data file or schema file that shows it: the first, if there are several."""
    files: int
    """How many data files it concerns; 0 if it is about none."""
    message: str
    fix: str
    owner: str
    contact: str
    fault: str
    """The stable code of the error, where the rule speaks for several."""


# The columns as SQL, in the order of a row.
COLUMNS: Mapping[str, str] = {
    "table": "STRING NOT NULL",
    "branch": "STRING NOT NULL",
    "rule": "STRING NOT NULL",
    "verdict": "STRING NOT NULL",
    "path": "STRING NOT NULL",
    "version": "BIGINT",
    "file": "STRING NOT NULL",
    "files": "BIGINT NOT NULL",
    "message": "STRING NOT NULL",
    "fix": "STRING NOT NULL",
    "owner": "STRING NOT NULL",
    "contact": "STRING NOT NULL",
    "fault": "STRING NOT NULL",
}


def row_of(finding: Finding, table: str, branch: str, *, version: int | None = None, file: str = "", files: int = 0) -> Row:
    """A finding about a table, as a row."""
    about = (max(finding.versions) if finding.versions else version, file, files)
    said = (finding.message, finding.fix, finding.owner, finding.contact, finding.fault)
    return Row(table, branch, finding.rule, finding.verdict.value, finding.path, *about, *said)


def found(rule: str, path: str, *, fault: str = "", fix: str = "", **words: object) -> Finding:
    """A finding that only an audit has: the sentence of its rule with these words, whatever a policy says."""
    row = RULES[rule]
    answers = row.answers()
    verdict = worst((answers.data_by_id, answers.data_by_name, answers.jobs, answers.writers))
    message = row.says.format_map({"path": path, **words})
    questions = (answers.data_by_id, answers.jobs, answers.writers)
    finding = Finding(rule, path, message, fix or row.fix, verdict, verdicts=answers, fault=fault)
    return msgspec.structs.replace(finding, **dict(zip(("data", "jobs", "writers"), questions, strict=True)))


def unread(table: str, fault: Fault, branch: str = MAIN) -> Row:
    """What could not be read of a table, and why: nobody knows whether it is as it should be."""
    finding = found("TABLE_UNREAD", fault.path or table, fault=fault.code, fix=fault.fix, reason=fault.message)
    return row_of(finding, table, branch, file=fault.path if "/" in fault.path else "")


def whose(schema: TableSchema) -> tuple[str, str]:
    """Who answers for a table, and how to reach them, as its newest version says."""
    try:
        about = schema.table_attributes
    except SchemaError:
        return "", ""
    return str(about.get("owner") or ""), str(about.get("contact") or "")

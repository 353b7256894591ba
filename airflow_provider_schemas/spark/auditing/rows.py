"""What an audit finds, as rows: one finding a row, with plain columns that every engine can group and keep."""

from collections.abc import Mapping
from typing import NamedTuple

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


def make_row(finding: Finding, table: str, branch: str, *, version: int | None = None, file: str = "", files: int = 0) -> Row:
    """Return a finding about a table as a row. `version` counts where the finding names no versions."""
    return Row(
        table=table,
        branch=branch,
        rule=finding.rule,
        verdict=finding.verdict.value,
        path=finding.path,
        version=max(finding.versions, default=version),
        file=file,
        files=files,
        message=finding.message,
        fix=finding.fix,
        owner=finding.owner,
        contact=finding.contact,
        fault=finding.fault,
    )


def make_finding(rule: str, path: str, *, fault: str = "", fix: str = "", **words: str) -> Finding:
    """Return a finding that only an audit has: the sentence of its rule with these words, whatever a policy says."""
    row = RULES[rule]
    answers = row.answers()
    return Finding(
        rule,
        path,
        row.says.format_map({"path": path, **words}),
        fix or row.fix,
        worst((answers.data_by_id, answers.data_by_name, answers.jobs, answers.writers)),
        verdicts=answers,
        fault=fault,
        data=answers.data_by_id,
        jobs=answers.jobs,
        writers=answers.writers,
    )


def unread_row(table: str, fault: Fault, branch: str = MAIN) -> Row:
    """Return the row that tells what could not be read of a table, and why: nobody knows whether it is as it should be."""
    finding = make_finding("TABLE_UNREAD", fault.path or table, fault=fault.code, fix=fault.fix, reason=fault.message)
    file = fault.path if "/" in fault.path else ""
    return make_row(finding, table, branch, file=file)


def read_owner(schema: TableSchema) -> tuple[str, str]:
    """Return who answers for a table, and how to reach them, as its newest version has it."""
    try:
        attributes = schema.table_attributes
    except SchemaError:
        return "", ""
    return str(attributes.get("owner") or ""), str(attributes.get("contact") or "")

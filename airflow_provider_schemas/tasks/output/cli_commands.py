"""What to type in a terminal: the check of a task repeated, and a finding let through. Each can be pasted as it stands."""

import json
import shlex
from collections.abc import Collection

from msgspec import Struct

from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import MASK, without_credentials
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.formats.yaml.reading import read
from airflow_provider_schemas.render.findings.steps import MOUNTED_ENGINE, change_text, of_contract
from airflow_provider_schemas.store.check_tables import TableAnswer
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.versions.changes_since import TABLE_REPLACED
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.triggers.seen_versions import SeenVersion

_MAX_CHARACTERS = 600
_REWOUND_RULES = frozenset({"VERSION_REWOUND", "SCHEMA_FILE_MUTATED"})


def format_command(verb: str, *words: str, conn_id: str) -> str:
    """Write a command; empty where it could not be typed as it is shown, or would show a secret."""
    connection = ("--conn", conn_id) if conn_id else ()
    command = shlex.join(["airflow-schemas", verb, *connection, *words])
    if not command.isprintable() or len(command) > _MAX_CHARACTERS:
        return ""
    if MASK in command or without_credentials(command) != command:
        return ""
    return command


class TableCheck(Struct, frozen=True):
    """The check of one table by a task, with its answer."""

    answer: TableAnswer
    consumer: str
    conn_id: str
    contract: Contract | None = None
    since: SeenVersion | None = None
    """The version that an earlier run saw, where there is no contract."""
    pinned: bool = False
    """Whether the check is about the version of the answer, and not about the newest."""

    @property
    def table_words(self) -> tuple[str, ...]:
        """Return the words that name the branch and the table, with its version where that is pinned."""
        table, version = self.answer.table, self.answer.version
        if version is None:
            return (table,)
        name = f"{table}:{version.number}" if self.pinned else table
        if version.branch == MAIN:
            return (name,)
        return (f"--branch={version.branch}", name)


def format_check(check: TableCheck, registered: Collection[Contract] = ()) -> str:
    """Write the command that gives the same answer, by the registered contract, the one in the DAG, or the version that was seen."""
    consumer = f"--for={check.consumer}"
    if check.contract is None:
        since = _since(check)
        if not since:
            return ""
        return format_command("check", *check.table_words, f"--since={since}", consumer, conn_id=check.conn_id)
    own = (contract for contract in registered if contract.name == check.consumer)
    if any(_needs(contract) == _needs(check.contract) for contract in own):
        return format_command("check", *check.table_words, consumer, conn_id=check.conn_id)
    return _format_check_of_text(check, check.contract)


def _format_check_of_text(check: TableCheck, contract: Contract) -> str:
    """Write a command that reads the contract from its input."""
    command = format_command("check", *check.table_words, "--contract", "-", conn_id=check.conn_id)
    if not command:
        return ""
    line = f"echo {shlex.quote(_contract_text(check, contract))} | {command}"
    if line.isprintable() and len(line) <= _MAX_CHARACTERS:
        return line
    return ""


def _since(check: TableCheck) -> str:
    """Return the version that was seen, with its digest where the number alone is not enough; empty where no command can name it."""
    if check.since is None or check.pinned:
        return ""
    number, digest = check.since[:2]
    rules = {finding.rule for finding in check.answer.report.findings}
    if TABLE_REPLACED in rules:  # which is told by the id of the table that was seen
        table_id = "".join(check.since[2:])
        return f"{number}:{digest}:{table_id}" if digest and table_id else ""
    if rules & _REWOUND_RULES:
        return f"{number}:{digest}"
    return str(number)


def format_task_test(run: Run) -> str:
    """Write the command that runs the task again without a trace, where what it needs is too long to be typed."""
    index = ("--map-index", str(run.map_index)) if run.map_index >= 0 else ()
    command = shlex.join(["airflow", "tasks", "test", *index, run.dag_id, run.task_id, run.run_id])
    if not command.isprintable():
        return ""
    return command


def _needs(contract: Contract) -> tuple[object, ...]:
    """Return what a contract needs, to whatever fields it is pinned."""
    columns = tuple(column.model_copy(update={"id": None}).model_dump_json() for column in contract.columns)
    return columns, contract.shape, contract.primary_key, contract.partitioned_by, contract.read_with, contract.write_with


def _contract_text(check: TableCheck, contract: Contract) -> str:
    """Write the file of the job on one line."""
    about = {"name": check.consumer, "table": check.answer.table, "owner": "", "contact": "", "last_seen": ""}
    return json.dumps(read(contract_file.write([contract.model_copy(update=about)])).value, ensure_ascii=False)


def format_undo(finding: Finding, table: str, conn_id: str, *, kept_elsewhere: bool = False) -> str:
    """Write the command that changes the table so that the finding goes away; empty where no change can do that.

    For a table that another catalog keeps, the command prints the statement of its engine.
    """
    changes = [change_text(change) for change in finding.changes]
    is_exact = changes == [short_text(change) for change in finding.changes]
    if not changes or not is_exact or _is_of_contract(finding):
        return ""
    if kept_elsewhere:
        return format_command("plan", table, *changes, "--sql", MOUNTED_ENGINE, conn_id=conn_id)
    return format_command("evolve", table, *changes, conn_id=conn_id)


def format_waiver(finding: Finding, table: str, consumer: str, conn_id: str) -> str:
    """Write the command that lets a finding through for this job; empty for findings about a contract, which say it themselves."""
    if finding.verdict is not Verdict.BREAK or finding.path.startswith("-") or _is_of_contract(finding):
        return ""
    path = finding.path or "*"
    return format_command("waive", table, finding.rule, path, f"--for={consumer}", "--until=3d", "--reason=WHY", conn_id=conn_id)


def _is_of_contract(finding: Finding) -> bool:
    return of_contract(RULES.get(finding.rule))

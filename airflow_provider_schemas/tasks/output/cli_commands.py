"""What to type in a terminal: the question of a task asked again, and a finding let through. Each can be pasted as it stands."""

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
from airflow_provider_schemas.render.finding_steps import change_text, of_contract
from airflow_provider_schemas.store.check_tables import TableAnswer
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.tasks.task_run import Run

_LONGEST = 600
_OF_GOING_BACK = frozenset({"VERSION_REWOUND", "SCHEMA_FILE_MUTATED"})


def command(verb: str, *words: str, conn_id: str) -> str:
    """The line to type; empty where it could not be typed as it is shown, or would show a secret."""
    conn = ("--conn", conn_id) if conn_id else ()
    found = shlex.join(["airflow-schemas", verb, *conn, *words])
    fine = found.isprintable() and MASK not in found and without_credentials(found) == found
    return found if fine and len(found) <= _LONGEST else ""


class Asked(Struct, frozen=True):
    """A question about one table, as it has to be asked again."""

    answer: TableAnswer
    consumer: str
    conn_id: str
    contract: Contract | None = None
    since: tuple[int, str] | None = None
    """The version that was seen, where there is no contract."""
    pinned: bool = False
    """Whether it is about the version of the answer, whatever is the newest."""

    @property
    def table(self) -> str:
        version = self.answer.version
        return f"{self.answer.table}:{version.number}" if self.pinned and version is not None else self.answer.table

    @property
    def branch(self) -> tuple[str, ...]:
        branch = MAIN if self.answer.version is None else self.answer.version.branch
        return () if branch == MAIN else (f"--branch={branch}",)


def again(asked: Asked, registered: Collection[Contract] = ()) -> str:
    """What gives the same answer about one table: by the registered contract, by the one in the DAG, or from what was seen."""
    job = f"--for={asked.consumer}"
    if asked.contract is None:
        since = _seen(asked)
        return command("check", *asked.branch, asked.table, f"--since={since}", job, conn_id=asked.conn_id) if since else ""
    if any(_same(one, asked.contract) for one in registered if one.name == asked.consumer):
        return command("check", *asked.branch, asked.table, job, conn_id=asked.conn_id)
    line = command("check", *asked.branch, asked.table, "--contract", "-", conn_id=asked.conn_id)
    found = f"echo {shlex.quote(_written(asked.answer.table, asked.contract, asked.consumer))} | {line}"
    return found if line and found.isprintable() and len(found) <= _LONGEST else ""


def _seen(asked: Asked) -> str:
    """The version that was seen, with its digest where its number alone tells nothing; empty where it cannot be asked by that."""
    if asked.since is None or asked.pinned:
        return ""
    went_back = any(one.rule in _OF_GOING_BACK for one in asked.answer.report.findings)
    return ":".join(map(str, asked.since)) if went_back else str(asked.since[0])


def tested(run: Run) -> str:
    """What runs the task again without a trace, where what it needs is too long to be typed."""
    index = ("--map-index", str(run.map_index)) if run.map_index >= 0 else ()
    found = shlex.join(["airflow", "tasks", "test", *index, run.dag_id, run.task_id, run.run_id])
    return found if found.isprintable() else ""


def _same(one: Contract, other: Contract) -> bool:
    """Whether two contracts need the same, to whatever fields the registered one is pinned."""
    return _needs(one) == _needs(other)


def _needs(contract: Contract) -> tuple[object, ...]:
    columns = tuple(one.model_copy(update={"id": None}).model_dump_json() for one in contract.columns)
    return columns, contract.shape, contract.primary_key, contract.partitioned_by, contract.read_with


def _written(table: str, contract: Contract, consumer: str) -> str:
    """The file of a job on one line."""
    job = contract.model_copy(update={"name": consumer, "table": table, "owner": "", "contact": "", "last_seen": ""})
    return json.dumps(read(contract_file.write([job])).value, ensure_ascii=False)


def undoing(finding: Finding, table: str, conn_id: str) -> str:
    """What takes a finding away again by changing the table, where a change can."""
    texts = [change_text(one) for one in finding.changes]
    exact = texts == [short_text(one) for one in finding.changes]
    return command("evolve", table, *texts, conn_id=conn_id) if texts and exact and not _is_of_contract(finding) else ""


def waiver(finding: Finding, table: str, consumer: str, conn_id: str) -> str:
    """What lets a finding through for this job. Findings about a contract say it themselves."""
    if finding.verdict is not Verdict.BREAK or finding.path.startswith("-") or _is_of_contract(finding):
        return ""
    return command("waive", table, finding.rule, finding.path or "*", f"--for={consumer}", "--until=3d", "--reason=WHY", conn_id=conn_id)


def _is_of_contract(finding: Finding) -> bool:
    return of_contract(RULES.get(finding.rule))

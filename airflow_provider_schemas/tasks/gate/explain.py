"""What a verdict says besides the reports: which table may have been meant, how each was judged, and how to check it again."""

from collections.abc import Iterator
from difflib import get_close_matches

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.versions.heads import is_head
from airflow_provider_schemas.tasks.gate import register_contract
from airflow_provider_schemas.tasks.gate.baseline import TaskBaseline
from airflow_provider_schemas.tasks.gate.request import GateRequest
from airflow_provider_schemas.tasks.output import cli_commands
from airflow_provider_schemas.tasks.output.failure_report import unfit
from airflow_provider_schemas.tasks.task_run import Run

_FORGOTTEN = "nothing is known of it from when this task was last green"
_FIRST_TIME = "seen for the first time"


def similar_names(store: SchemaStore, judgement: Judgement) -> Iterator[str]:
    """Yield a note for each table that is not there and whose name is nearly that of another table."""
    for answer in judgement.tables:
        if answer.version is not None:
            continue
        name = _similar_name(store, answer.table)
        if name:
            yield f"{answer.table} is not there. Did you mean {name}?"


def _similar_name(store: SchemaStore, table: str) -> str:
    """Return the table whose name is most like this one; empty if none is, or if the tables cannot be listed."""
    database, _, short_name = table.partition(".")
    try:
        names = store.tables(database)
    except SchemaError:
        return ""
    return next((f"{database}.{name}" for name in get_close_matches(short_name, names, n=1)), "")


# ---------------------------------------------------------------- how a table was judged


def bases(judgement: Judgement, request: GateRequest, baseline: TaskBaseline) -> dict[str, str]:
    """Return how each table was judged, in a few words."""
    return {answer.table: _basis(answer, request, baseline) for answer in judgement.tables}


def _basis(answer: TableAnswer, request: GateRequest, baseline: TaskBaseline) -> str:
    if answer.version is None:
        return ""
    need = request.need(answer.table, writes=answer.writes)
    if isinstance(need, Contract):
        return f"{len(need.columns):,} of {len(answer.version.schema.fields):,} columns needed"
    if need is not None:
        return "as registered"
    return _baseline_basis(answer.table, answer.version, baseline)


def _baseline_basis(table: str, version: Version, baseline: TaskBaseline) -> str:
    """Return how a table without a contract was judged."""
    seen = baseline.since.get(table)
    if seen is None:
        why = _FORGOTTEN if baseline.forgotten else _FIRST_TIME
        return f"{why}: judged from now on by what comes after version {version.number}"
    run_id = baseline.runs[table]
    if is_head(seen, version):
        return f"as in {run_id}"
    return f"version {seen[0]} was seen in {run_id}"


# ---------------------------------------------------------------- how to check it again


def check_commands(store: SchemaStore, judgement: Judgement, request: GateRequest, run: Run, baseline: TaskBaseline) -> dict[str, str]:
    """Return the command that checks each table again that does not fit."""
    commands: dict[str, str] = {}
    for answer in unfit(judgement):
        command = _check_command(store, answer, request, run, baseline)
        commands[answer.table] = command or cli_commands.format_task_test(run)
    return commands


def _check_command(store: SchemaStore, answer: TableAnswer, request: GateRequest, run: Run, baseline: TaskBaseline) -> str:
    """Return the command that checks one table; empty if it would be too long to be typed."""
    table = answer.table
    need = request.need(table, writes=answer.writes)
    if isinstance(need, str):
        return cli_commands.format_command("check", table, f"--for={run.consumer}", conn_id=request.conn_id)
    check = cli_commands.TableCheck(
        answer,
        register_contract.consumer_name(run, request.contracts, table, writes=answer.writes),
        request.conn_id,
        need,
        baseline.since.get(table),
        pinned=request.is_pinned(table),
    )
    if need is None:
        return cli_commands.format_check(check)
    return cli_commands.format_check(check, _registered_contracts(store, table))


def _registered_contracts(store: SchemaStore, table: str) -> tuple[Contract, ...]:
    """Return the contracts that are registered; none if they cannot be read, because the verdict stands without them."""
    try:
        return store.table(table).contracts()
    except SchemaError:
        return ()

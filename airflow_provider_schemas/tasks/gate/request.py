"""The request of a gate: its arguments as values, read out of what templates gave, with every fault of them at once."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Self

from airflow.sdk import conf
from msgspec import Struct

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.gate.arguments import OUTCOMES, GateArguments, Outcome
from airflow_provider_schemas.tasks.gate.requirements import Needs, TableNeed, read_needs, read_table_name
from airflow_provider_schemas.tasks.not_said import is_left_out
from airflow_provider_schemas.tasks.policy_argument import read_policy
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

_NOTHING = "neither reads nor writes is said, so there is nothing to judge."
_NOTHING_FIX = "Pass reads or writes: a list of tables, or {table: contract}."


class GateContracts(NamedTuple):
    """The contracts that the author wrote, by table: of the tables that the task reads, and of those that it writes."""

    reads: Mapping[str, Contract]
    writes: Mapping[str, Contract]

    def of_tables(self, *, writes: bool) -> Mapping[str, Contract]:
        """Return the contracts of the tables that are written, or of those that are read."""
        return self.writes if writes else self.reads


class GateRequest(Struct, frozen=True, kw_only=True):
    """What a task needs of its tables, and what becomes of it if they do not fit."""

    conn_id: str
    reads: Mapping[str, TableNeed]
    writes: Mapping[str, TableNeed]
    branch: str | None
    version: int | Mapping[str, int] | None
    on_incompatible: Outcome
    on_missing: Outcome
    policy: Policy | Mapping[str, Any] | None
    register: bool

    @classmethod
    def of(cls, arguments: GateArguments, run: Run) -> Self:
        """Read the arguments of a task in this run."""
        conn_id = template_values.read_text(arguments.conn_id, "conn_id") or DEFAULT
        places = FilePlaces.of(run, conn_id)
        reads = _read_needs(arguments.reads, "reads", run, places)
        writes = _read_needs(arguments.writes, "writes", run, places)
        if not reads and not writes:
            raise ContractError(_NOTHING, code="contract.empty", path="reads", fix=_NOTHING_FIX)
        return cls(
            conn_id=conn_id,
            reads=reads,
            writes=writes,
            branch=template_values.read_text(arguments.branch, "branch") or None,
            version=_read_version(arguments.version),
            on_incompatible=_read_outcome(arguments.on_incompatible, "on_incompatible"),
            on_missing=_read_outcome(arguments.on_missing, "on_missing"),
            policy=read_policy(arguments.policy, places),
            register=template_values.read_switch(arguments.register, "register", default=True) and _may_register(),
        )

    def need(self, table: str, *, writes: bool) -> TableNeed:
        """Return what is needed of a table that is read or written."""
        return self.writes[table] if writes else self.reads[table]

    def is_pinned(self, table: str) -> bool:
        """Return whether a named version of the table is read, and not the newest."""
        if isinstance(self.version, Mapping):
            return table in self.version
        return self.version is not None

    def tables(self) -> Iterator[tuple[str, TableNeed]]:
        """Yield the tables that are read, and then those that are written, each with what is needed of it."""
        yield from self.reads.items()
        yield from self.writes.items()

    @property
    def contracts(self) -> GateContracts:
        """Return the contracts that the author wrote."""
        return GateContracts(_contracts(self.reads), _contracts(self.writes))

    @property
    def uncontracted_tables(self) -> tuple[str, ...]:
        """Return the tables that the author named alone: they are judged against what the task saw."""
        return tuple(dict.fromkeys(table for table, need in self.tables() if need is None))


def _contracts(needs: Mapping[str, TableNeed]) -> dict[str, Contract]:
    return {table: need for table, need in needs.items() if isinstance(need, Contract)}


def _read_needs(value: Value, argument: str, run: Run, places: FilePlaces) -> Needs:
    """Read what is needed of each table; contracts bear the name of the task."""
    if is_left_out(value):
        return {}
    needs = read_needs(value, argument, folder=places)
    for table, need in needs.items():
        if isinstance(need, Contract):
            needs[table] = need.model_copy(update={"name": run.consumer, "owner": need.owner or run.owner})
    return needs


def _read_outcome(value: Value, argument: str) -> Outcome:
    return template_values.read_choice(value, argument, OUTCOMES, "fail")  # type: ignore[return-value]  # one of them


def _read_version(value: Value) -> int | Mapping[str, int] | None:
    """Read the number of a version, or numbers by table; None for the newest."""
    version = template_values.parse_value(value, "version")
    if not isinstance(version, Mapping):
        return template_values.read_version_number(version, "version")
    if not version:
        raise template_values.argument_error("version names no table.", "version", "Pass {table: number}, or leave it out for the newest.")
    numbers: dict[str, int | None] = {}
    for key, text in version.items():
        table = read_table_name(key)
        number = template_values.read_version_number(text, f"version.{key}")
        if numbers.setdefault(table, number) != number:
            message = f"{table} stands there twice, with different numbers."
            raise template_values.argument_error(message, "version", "Keep the one that is meant.")
    return {table: number for table, number in numbers.items() if number is not None} or None


def _may_register() -> bool:
    """Return whether the configuration of this Airflow lets contracts be registered at all."""
    switch = conf.get("schemas", "register_contracts", fallback="True") or True
    return template_values.read_switch(switch, "[schemas] register_contracts", default=True)

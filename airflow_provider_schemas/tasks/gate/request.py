"""What a task asks, in values: read out of arguments as they come out of templates, with every fault told."""

from collections.abc import Mapping
from typing import Any

from airflow.sdk import conf
from msgspec import Struct

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.gate.arguments import OUTCOMES, Asked, Outcome
from airflow_provider_schemas.tasks.gate.requirements import named, needs_of
from airflow_provider_schemas.tasks.not_said import is_left_out
from airflow_provider_schemas.tasks.policy_argument import read_policy
from airflow_provider_schemas.tasks.task_run import Run


class Question(Struct, frozen=True, kw_only=True):
    """What is asked, in values."""

    conn_id: str
    reads: Mapping[str, Any]
    writes: Mapping[str, Any]
    branch: str | None
    version: int | Mapping[str, int] | None
    on_incompatible: Outcome
    on_missing: Outcome
    policy: Policy | Mapping[str, Any] | None
    register: bool

    @classmethod
    def of(cls, asked: Asked, run: Run) -> "Question":
        """The question; every fault in its arguments is told."""
        conn_id = template_values.read_text(asked.conn_id, "conn_id") or DEFAULT
        places = FilePlaces.of(run, conn_id)
        reads, writes = (_needs(getattr(asked, one), one, run, places) for one in ("reads", "writes"))
        if not reads and not writes:
            fix = "Pass reads or writes: a list of tables, or {table: contract}."
            raise ContractError(
                "neither reads nor writes is said, so there is nothing to judge.", code="contract.empty", path="reads", fix=fix
            )
        return cls(
            conn_id=conn_id,
            reads=reads,
            writes=writes,
            branch=template_values.read_text(asked.branch, "branch") or None,
            version=_version(asked.version),
            on_incompatible=template_values.read_choice(asked.on_incompatible, "on_incompatible", OUTCOMES, "fail"),  # type: ignore[arg-type]  # one of them
            on_missing=template_values.read_choice(asked.on_missing, "on_missing", OUTCOMES, "fail"),  # type: ignore[arg-type]  # likewise
            policy=read_policy(asked.policy, places),
            register=template_values.read_switch(asked.register, "register", default=True) and _registers(),
        )

    @property
    def contracts(self) -> dict[bool, dict[str, Contract]]:
        """The contracts that were given, by whether they are about what is written."""
        return {
            writes: {table: need for table, need in needs.items() if isinstance(need, Contract)}
            for writes, needs in ((False, self.reads), (True, self.writes))
        }

    @property
    def by_sight(self) -> tuple[str, ...]:
        """The tables of which nothing is said but their names."""
        return tuple(dict.fromkeys(table for needs in (self.reads, self.writes) for table, need in needs.items() if need is None))


def _needs(value: Any, argument: str, run: Run, places: FilePlaces) -> dict[str, Any]:
    """What is needed of each table, under the name of the task."""
    if is_left_out(value):
        return {}
    found = needs_of(value, argument, folder=places)
    return {
        table: need.model_copy(update={"name": run.consumer, "owner": need.owner or run.owner}) if isinstance(need, Contract) else need
        for table, need in found.items()
    }


def _version(value: Any) -> int | Mapping[str, int] | None:
    said = template_values.parse_value(value, "version")
    if not isinstance(said, Mapping):
        return template_values.read_version_number(said, "version")
    if not said:
        raise template_values.argument_error("version names no table.", "version", "Pass {table: number}, or leave it out for the newest.")
    numbers: dict[str, int | None] = {}
    for key, one in said.items():
        table, number = named(key), template_values.read_version_number(one, f"version.{key}")
        if numbers.setdefault(table, number) != number:
            raise template_values.argument_error(
                f"{table} stands there twice, with different numbers.", "version", "Keep the one that is meant."
            )
    return {table: number for table, number in numbers.items() if number is not None} or None


def _registers() -> bool:
    """Whether this Airflow lets contracts be registered at all."""
    return template_values.read_switch(
        conf.get("schemas", "register_contracts", fallback="True") or True, "[schemas] register_contracts", default=True
    )

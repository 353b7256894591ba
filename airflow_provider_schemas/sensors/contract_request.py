"""What a task that waits for a contract needs of its tables, as plain values, and the verdict with which its wait ends."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.gate import kept_baselines
from airflow_provider_schemas.tasks.gate.arguments import Asked
from airflow_provider_schemas.tasks.gate.baseline import Where, looked_back
from airflow_provider_schemas.tasks.gate.decide import fit
from airflow_provider_schemas.tasks.gate.enforce import act
from airflow_provider_schemas.tasks.gate.request import Question
from airflow_provider_schemas.tasks.gate.verdict import Verdict
from airflow_provider_schemas.tasks.not_said import is_left_out
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value
from airflow_provider_schemas.triggers.partition_filter import by_table

UNTIL = ("schema", "files")
_OF_FILES = ("partition", "files", "snapshot")


class ContractWait(Protocol):
    """A sensor that waits for a contract: what it was asked with, and what it leaves for links and lineage."""

    conn_id: str
    reads: Value
    branch: str
    until: str
    partition: Mapping[str, Any] | str
    policy: Value
    register: bool
    verdict: Verdict | None
    changed_by_run: str


def asked(sensor: ContractWait, context: Mapping[str, Any]) -> dict[str, Any]:
    """What a sensor asks, as plain values; its templates were rendered."""
    run = Run.of(context)
    question = Question.of(_question(sensor), run)
    where = Where(question.conn_id, question.branch or MAIN)
    until = template_values.read_choice(sensor.until, "until", UNTIL, "schema")
    seen = _seen(question, run, context["ti"], where) if question.by_sight else {}
    return {
        "conn_id": question.conn_id,
        "reads": {table: _plain(need) for table, need in question.reads.items()},
        "branch": question.branch,
        "until": until,
        "partition": _partition(sensor.partition, until, question.reads),
        "policy": _plain(question.policy),
        "consumer": run.consumer,
        "since": {table: {"version": number, "digest": digest} for table, (number, digest) in seen.items()},
    }


def _seen(question: Question, run: Run, ti: Any, where: Where) -> Mapping[str, tuple[int, str]]:
    """What the task saw when it was last green, from Airflow and from the registry."""
    store = SchemaStoreHook(question.conn_id, actor=run.actor).store
    return looked_back(ti, question.by_sight, where, kept_baselines.read(store, run, question.by_sight, question.conn_id)).since


def ended(sensor: ContractWait, context: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The verdict as a gate gives it. Whoever was quick may have changed a table since it was looked at."""
    verdict = fit(_question(sensor), context)
    if not verdict.fits:
        return None
    sensor.verdict, sensor.changed_by_run = verdict, verdict.changed_by_run
    landed = {table: {key: one[key] for key in _OF_FILES} for table, one in event["tables"].items() if "files" in one}
    return {**act(verdict, context), **({"landed": landed} if landed else {})}


def _question(sensor: ContractWait) -> Asked:
    return Asked(conn_id=sensor.conn_id, reads=sensor.reads, branch=sensor.branch, policy=sensor.policy, register=sensor.register)


def _plain(value: Any) -> Any:
    """A contract or a policy as a plain mapping, which reads back as the same; whatever else it is, as it is."""
    return value.model_dump(mode="json", exclude_defaults=True) if isinstance(value, Contract | Policy) else value


def _partition(said: Any, until: str, reads: Iterable[str]) -> dict[str, Any] | None:
    """Keys of partitions and their values, by which manifests are searched. Only an author who says nothing means the whole table."""
    if is_left_out(said):
        return None
    found: Any = "" if template_values.is_empty(said) else template_values.parse_value(said, "partition")
    by_table(found, reads, until)  # what is wrong about it is told before anybody waits
    return {str(key): _keys(value) if isinstance(value, Mapping) else _value(value) for key, value in found.items()}


def _keys(said: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): _value(value) for key, value in said.items()}


def _value(value: Any) -> Any:
    return value if isinstance(value, str | int | bool) else str(value)

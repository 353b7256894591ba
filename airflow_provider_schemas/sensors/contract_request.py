"""The request of a task that waits for a contract, as plain values, and the verdict with which its wait ends."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.gate import kept_baselines
from airflow_provider_schemas.tasks.gate.arguments import GateArguments
from airflow_provider_schemas.tasks.gate.baseline import find_baseline
from airflow_provider_schemas.tasks.gate.decide import decide
from airflow_provider_schemas.tasks.gate.earlier_verdicts import StoreBranch
from airflow_provider_schemas.tasks.gate.enforce import enforce
from airflow_provider_schemas.tasks.gate.request import GateRequest
from airflow_provider_schemas.tasks.gate.verdict import GateVerdict
from airflow_provider_schemas.tasks.not_said import is_left_out
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value
from airflow_provider_schemas.triggers.partition_filter import read_partitions
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_entry

UNTIL = ("schema", "files")
_FILE_KEYS = ("partition", "files", "snapshot")


class ContractWait(Protocol):
    """A sensor that waits for a contract: its arguments, and what it leaves for links and lineage."""

    conn_id: str
    reads: Value
    branch: str
    until: str
    partition: Mapping[str, Any] | str
    policy: Value
    register: bool
    verdict: GateVerdict | None
    changed_by_run: str


def read_request(sensor: ContractWait, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the trigger, as plain values; the templates of the sensor were rendered."""
    run = Run.of(context)
    request = GateRequest.of(_gate_arguments(sensor), run)
    place = StoreBranch(request.conn_id, request.branch or MAIN)
    until = template_values.read_choice(sensor.until, "until", UNTIL, "schema")
    seen = _read_baseline(request, run, context["ti"], place) if request.uncontracted_tables else {}
    return {
        "conn_id": request.conn_id,
        "reads": {table: _plain(need) for table, need in request.reads.items()},
        "branch": request.branch,
        "until": until,
        "partition": _read_partition(sensor.partition, until, request.reads),
        "policy": _plain(request.policy),
        "consumer": run.consumer,
        "since": {table: seen_entry(version) for table, version in seen.items()},
    }


def _read_baseline(request: GateRequest, run: Run, ti: Any, place: StoreBranch) -> Mapping[str, SeenVersion]:
    """Return what the task saw when it was last green, from Airflow and from the registry."""
    store = SchemaStoreHook(request.conn_id, actor=run.actor).store
    return find_baseline(
        ti, request.uncontracted_tables, place, kept_baselines.read_kept(store, run, request.uncontracted_tables, request.conn_id)
    ).since


def finish(sensor: ContractWait, context: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the verdict as a gate gives it; None if a table was changed since the trigger looked, and does not fit any more."""
    verdict = decide(_gate_arguments(sensor), context)
    if not verdict.fits:
        return None
    sensor.verdict = verdict
    sensor.changed_by_run = verdict.changed_by_run
    result = enforce(verdict, context)
    landed = {table: _files_entry(entry) for table, entry in event["tables"].items() if "files" in entry}
    if landed:
        return {**result, "landed": landed}
    return result


def _files_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in _FILE_KEYS}


def _gate_arguments(sensor: ContractWait) -> GateArguments:
    return GateArguments(conn_id=sensor.conn_id, reads=sensor.reads, branch=sensor.branch, policy=sensor.policy, register=sensor.register)


def _plain(value: Value) -> Any:
    """Return a contract or a policy as a plain mapping, which reads back as the same; any other value as it is."""
    if isinstance(value, Contract | Policy):
        return value.model_dump(mode="json", exclude_defaults=True)
    return value


def _read_partition(value: Value, until: str, reads: Iterable[str]) -> dict[str, Any] | None:
    """Return keys of partitions and their values, by which manifests are searched; None, for the whole table, only if left out."""
    if is_left_out(value):
        return None
    partition: Any = ""
    if not template_values.is_empty(value):
        partition = template_values.parse_value(value, "partition")
    read_partitions(partition, reads, until)  # raises what is wrong with it before the wait begins
    return {str(key): _plain_keys(entry) for key, entry in partition.items()}


def _plain_keys(entry: Any) -> Any:
    """Return the keys of one table, or one value of a key, as JSON has them."""
    if isinstance(entry, Mapping):
        return {str(key): _plain_value(value) for key, value in entry.items()}
    return _plain_value(entry)


def _plain_value(value: Value) -> Any:
    if isinstance(value, str | int | bool):
        return value
    return str(value)

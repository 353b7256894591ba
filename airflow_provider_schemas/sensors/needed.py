"""What a task that waits for a contract needs of its tables, as plain values, and the verdict with which its wait ends."""

from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.core.policy import Policy
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.store.names import MAIN
from airflow_provider_schemas.tasks import plain
from airflow_provider_schemas.tasks.fitting import Asked, act, fit
from airflow_provider_schemas.tasks.question import Question
from airflow_provider_schemas.tasks.run import Run
from airflow_provider_schemas.tasks.sight import Where, looked_back

UNTIL = ("schema", "files")
_OF_FILES = ("partition", "files", "snapshot")


def asked(sensor: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """What a sensor asks, as plain values; its templates were rendered."""
    run = Run.of(context)
    question = Question.of(_question(sensor), run)
    where = Where(question.conn_id, question.branch or MAIN)
    seen = looked_back(context["ti"], question.by_sight, where).since if question.by_sight else {}
    return {
        "conn_id": question.conn_id,
        "reads": {table: _plain(need) for table, need in question.reads.items()},
        "branch": question.branch,
        "until": plain.choice(sensor.until, "until", UNTIL, "schema"),
        "partition": _partition(sensor.partition),
        "policy": _plain(question.policy),
        "consumer": run.consumer,
        "since": {table: {"version": number, "digest": digest} for table, (number, digest) in seen.items()},
    }


def ended(sensor: Any, context: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The verdict as a gate gives it. Whoever was quick may have changed a table since it was looked at."""
    verdict = fit(_question(sensor), context)
    if not verdict.fits:
        return None
    sensor.verdict, sensor.changed_by_run = verdict, verdict.changed_by_run
    landed = {table: {key: one[key] for key in _OF_FILES} for table, one in event["tables"].items() if "files" in one}
    return {**act(verdict, context), **({"landed": landed} if landed else {})}


def _question(sensor: Any) -> Asked:
    return Asked(conn_id=sensor.conn_id, reads=sensor.reads, branch=sensor.branch, policy=sensor.policy, register=sensor.register)


def _plain(value: Any) -> Any:
    """A contract or a policy as a plain mapping, which reads back as the same; whatever else it is, as it is."""
    return value.model_dump(mode="json", exclude_defaults=True) if isinstance(value, Contract | Policy) else value


def _partition(said: Any) -> dict[str, Any] | None:
    """Keys of partitions and their values, by which manifests are searched."""
    found = None if plain.is_nothing(said) else plain.loaded(said, "partition")
    if found is None or found == {}:
        return None
    if not isinstance(found, Mapping):
        raise plain.refused(f"{shown(said)} is no partition.", "partition", 'Pass its keys with their values: {"dt": "{{ ds }}"}.')
    return {str(key): dict(value) if isinstance(value, Mapping) else _value(value) for key, value in found.items()}


def _value(value: Any) -> Any:
    return value if isinstance(value, str | int | bool) or value is None else str(value)

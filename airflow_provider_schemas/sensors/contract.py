"""`SchemaContractSensor`: waits until tables fit what a job needs of them, in their schemas or in the files of a partition."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.core.policy import Policy
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.sensors.waiting import Look, WaitingSensor
from airflow_provider_schemas.tasks import lineage, plain
from airflow_provider_schemas.tasks.fitting import act, fit
from airflow_provider_schemas.tasks.question import Asked, Question
from airflow_provider_schemas.tasks.run import Run
from airflow_provider_schemas.tasks.sight import looked_back
from airflow_provider_schemas.tasks.verdict import Verdict
from airflow_provider_schemas.triggers import SchemaContractTrigger
from airflow_provider_schemas.triggers.contract_looks import ContractLook

UNTIL = ("schema", "files")


class SchemaContractSensor(WaitingSensor):
    """Waits until every table fits, as a gate would say: its result and what lies in XCom is the verdict of a gate.

    :param reads: what a gate takes: a name, a list of names, ``{table: contract}``, or the path of a job's file.
    :param until: ``"schema"``; or ``"files"``, because a column that was added to the schema is in no file yet: then
        the newest snapshot must have a file of the partition, and each of them a version that fits. For Paimon tables.
    :param partition: some of the partition keys with their values, ``{"dt": "{{ ds }}"}``, or such a mapping by table.
    :param policy: a policy that is stricter than the tables' own: a mapping, or the path of its file.
    :param register: whether contracts are registered under ``dag.task``, where the connection may write.

    Further: ``conn_id``, ``branch``, ``deferrable``, ``poke_interval`` (60 s), ``timeout`` (6 h), ``soft_fail``, ``mode``.
    """

    template_fields: Sequence[str] = ("conn_id", "reads", "branch", "until", "partition", "policy", "register")
    template_fields_renderers: ClassVar[dict[str, str]] = {"reads": "json", "partition": "json", "policy": "json"}

    def __init__(
        self,
        *,
        reads: Any,
        until: str = "schema",
        partition: Mapping[str, Any] | None = None,
        policy: Any = None,
        register: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.reads, self.until, self.partition, self.policy, self.register = reads, until, partition, policy, register
        self._verdict: Verdict | None = None

    def _asked(self, context: Mapping[str, Any]) -> dict[str, Any]:
        run = Run.of(context)
        question = Question.of(self._question(), run)
        seen = looked_back(context["ti"], question.by_sight).since if question.by_sight else {}
        return {
            "conn_id": question.conn_id,
            "reads": {table: _plain(need) for table, need in question.reads.items()},
            "branch": question.branch,
            "until": plain.choice(self.until, "until", UNTIL, "schema"),
            "partition": _partition(self.partition),
            "policy": _plain(question.policy),
            "consumer": run.consumer,
            "since": {table: {"version": number, "digest": digest} for table, (number, digest) in seen.items()},
        }

    def _question(self) -> Asked:
        return Asked(conn_id=self.conn_id, reads=self.reads, branch=self.branch, policy=self.policy, register=self.register)

    def _look_with(self, asked: Mapping[str, Any]) -> Look:
        return ContractLook(**asked)

    def _trigger(self, asked: Mapping[str, Any]) -> SchemaContractTrigger:
        return SchemaContractTrigger(**asked, poll=self.poke_interval)

    def _green(self, event: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any] | None:
        """The verdict as a gate gives it. Whoever was quick may have changed a table since it was looked at."""
        verdict = fit(self._question(), context, task=self)
        if not verdict.fits:
            return None
        self._verdict, self.changed_by_run = verdict, verdict.changed_by_run
        files = {table: one for table, one in event["tables"].items() if "files" in one}
        landed = {table: {key: one[key] for key in ("partition", "files", "snapshot")} for table, one in files.items()}
        return {**act(verdict, context), **({"landed": landed} if landed else {})}

    def get_openlineage_facets_on_complete(self, task_instance: Any) -> Any:
        """The tables with the verdict on each."""
        return None if self._verdict is None else lineage.of_gate(self._verdict.judgement)


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

"""`SchemaContractSensor`: waits until tables fit what a job needs of them, in their schemas or in the files of a partition."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from airflow_provider_schemas.sensors.base import WaitingSensor
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.triggers.contract import SchemaContractTrigger

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from airflow.sdk.types import RuntimeTaskInstanceProtocol

    from airflow_provider_schemas.tasks.gate.verdict import GateVerdict


class SchemaContractSensor(WaitingSensor):
    """Waits until every table fits, as a gate would say: its result and what lies in XCom is the verdict of a gate.

    :param reads: what a gate takes: a name, a list of names, ``{table: contract}``, or the path of a job's file.
    :param until: ``"schema"``; or ``"files"``, because a column that was added to the schema is in no file yet: then
        the newest snapshot must have a file of the partition, and each of them a version that fits. For Paimon tables.
    :param partition: some of the partition keys with their values, ``{"dt": "{{ ds }}"}``, or such a mapping by table; for
        ``until="files"`` only. Left out it is the whole table: None, or nothing out of a template, is an error.
    :param policy: a policy that is stricter than the tables' own: a mapping, or the path of its file.
    :param register: whether contracts are registered under ``dag.task``, where the connection may write.

    Further: ``conn_id``, ``branch``, ``deferrable``, ``poke_interval`` (60 s), ``timeout`` (6 h), ``soft_fail``, ``mode``.
    """

    template_fields: Sequence[str] = ("conn_id", "reads", "branch", "until", "partition", "policy", "register")
    template_fields_renderers: ClassVar[dict[str, str]] = {"reads": "json", "partition": "json", "policy": "json"}
    waits = SchemaContractTrigger

    def __init__(
        self,
        *,
        reads: Any,
        until: str = "schema",
        partition: Mapping[str, Any] | str = NOT_SAID,
        policy: Any = NOT_SAID,
        register: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.reads = reads
        self.until = until
        self.partition = partition
        self.policy = policy
        self.register = register
        self.verdict: GateVerdict | None = None

    def _read_request(self, context: Mapping[str, Any]) -> dict[str, Any]:
        from airflow_provider_schemas.sensors.contract_request import read_request

        return read_request(self, context)

    def _finish(self, event: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any] | None:
        from airflow_provider_schemas.sensors.contract_request import finish

        return finish(self, context, event)

    def get_openlineage_facets_on_complete(self, task_instance: "RuntimeTaskInstanceProtocol") -> "OperatorLineage[Any, Any] | None":
        """Return the tables with the verdict on each."""
        if self.verdict is None:
            return None
        from airflow_provider_schemas.tasks.output.openlineage import gate_lineage

        return gate_lineage(self.verdict.judgement, alias=self.verdict.alias)

"""The gate in front of a task: many tables at once, each against what is needed of it. It fails closed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator, Context

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.gate.arguments import GateArguments
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.output.extra_links import ChangedByLink

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from airflow.sdk.types import RuntimeTaskInstanceProtocol

    from airflow_provider_schemas.tasks.gate.verdict import GateVerdict

_ARGUMENTS = ("conn_id", "reads", "writes", "branch", "version", "on_incompatible", "on_missing", "policy")


class SchemaGateOperator(BaseOperator):
    """Stops what follows when a table breaks it.

    :param reads: the tables that are read: a name, a list of names, ``{table: contract}``, or the path of a job's
        file. A contract is SQL text, a list of names, a mapping, a path from the folder of the DAG file, a URL,
        ``"@registered"``, or None. A table without one is judged against what this task saw when it was last green.
    :param writes: the same for the tables that are written. Whichever is given must name a table: None or empty is an error.
    :param conn_id: the connection of type ``schema_store``.
    :param branch: the branch of the tables.
    :param version: the version that is read, where it is not the newest; ``{table: number}`` for several tables.
    :param on_incompatible: ``"fail"`` (without a retry), ``"skip"`` or ``"warn"``.
    :param on_missing: the same for a table that is not there.
    :param policy: a policy that is stricter than the tables' own: a mapping, or the path of its file.
    :param register: whether contracts are registered under ``dag.task``, where the connection may write.

    An argument that comes out empty, of a template or of another task, is an error: leave it out for its default.
    """

    template_fields: Sequence[str] = _ARGUMENTS
    template_fields_renderers: ClassVar[dict[str, str]] = {"reads": "json", "writes": "json", "policy": "json"}
    operator_extra_links = (ChangedByLink(),)
    ui_color = "#e7f0e4"

    def __init__(
        self,
        *,
        reads: Any = NOT_SAID,
        writes: Any = NOT_SAID,
        conn_id: str = DEFAULT,
        branch: str = NOT_SAID,
        version: Any = NOT_SAID,
        on_incompatible: str = "fail",
        on_missing: str = "fail",
        policy: Any = NOT_SAID,
        register: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.reads = reads
        self.writes = writes
        self.conn_id = conn_id
        self.branch = branch
        self.version = version
        self.on_incompatible = on_incompatible
        self.on_missing = on_missing
        self.policy = policy
        self.register = register
        self.changed_by_run = ""
        self._verdict: GateVerdict | None = None

    def execute(self, context: Context) -> dict[str, Any]:
        """Judge the tables, and return the verdict or end the task."""
        # The library costs each file of a DAG 0.1 s, and a parser of DAGs does not need it.
        from airflow_provider_schemas.tasks.gate.decide import decide
        from airflow_provider_schemas.tasks.gate.enforce import enforce

        arguments = GateArguments(**{name: getattr(self, name) for name in _ARGUMENTS}, register=self.register)
        self._verdict = verdict = decide(arguments, context, gate=self)
        self.changed_by_run = verdict.changed_by_run
        return enforce(verdict, context)

    def get_openlineage_facets_on_complete(self, task_instance: "RuntimeTaskInstanceProtocol") -> "OperatorLineage[Any, Any] | None":
        """Return the tables as inputs, with the findings as assertions."""
        if self._verdict is None:
            return None
        from airflow_provider_schemas.tasks.output.openlineage import gate_lineage

        return gate_lineage(self._verdict.judgement, alias=self._verdict.alias)

    get_openlineage_facets_on_failure = get_openlineage_facets_on_complete

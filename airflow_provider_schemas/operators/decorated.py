"""`@task.schema_gate`: a gate whose needs a function says, because they depend on the run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from airflow.sdk import Context
from airflow.sdk.bases.decorator import DecoratedOperator, TaskDecorator, determine_kwargs, task_decorator_factory

from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.operators.gate import SchemaGateOperator
from airflow_provider_schemas.tasks.error_handling import settled
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.template_values import is_empty

# Neither is the name of a table, which has two parts.
_BOTH = frozenset({"reads", "writes"})


class SchemaGateDecoratedOperator(DecoratedOperator, SchemaGateOperator):
    """A gate that asks a function for `{table: contract}`."""

    custom_operator_name = "@task.schema_gate"
    # Those of the decorator alone would hide the gate's.
    template_fields: Sequence[str] = (*DecoratedOperator.template_fields, *SchemaGateOperator.template_fields)
    template_fields_renderers: ClassVar[dict[str, str]] = {
        **DecoratedOperator.template_fields_renderers,
        **SchemaGateOperator.template_fields_renderers,
    }
    # What the function said is shown among the rendered fields.
    overwrite_rtif_after_execution = True

    def execute(self, context: Context) -> dict[str, Any]:
        """What the function says is needed, judged."""
        kwargs = determine_kwargs(self.python_callable, self.op_args, {**context, **self.op_kwargs})
        said = self.python_callable(*self.op_args, **kwargs)
        with settled():
            self.reads, self.writes = _needs(said, self.reads, self.writes)
        verdict: dict[str, Any] = super().execute(context)
        return verdict


def _needs(said: Any, reads: Any, writes: Any) -> tuple[Any, Any]:
    """What is read and written, by what the function said and by what stood in the decorator."""
    if is_empty(said) or (isinstance(said, Mapping | Sequence) and not said):
        fix = "Return {table: contract}, or raise AirflowSkipException where there is nothing to do."
        raise ContractError("the function named no table, and a gate that checks nothing is a mistake.", code="contract.empty", fix=fix)
    found = dict(said) if isinstance(said, Mapping) and said.keys() <= _BOTH else {"reads": said}
    for name, static in (("reads", reads), ("writes", writes)):
        if name in found and static != NOT_SAID:
            fix = "Say it in one of the two places."
            raise ContractError(f"{name} stands in the decorator, and the function says it, too.", code="task.argument", path=name, fix=fix)
    return found.get("reads", reads), found.get("writes", writes)


def schema_gate(python_callable: Callable[..., Any] | None = None, multiple_outputs: bool | None = None, **kwargs: Any) -> TaskDecorator:
    """Make a gate of a function that returns `{table: contract}`, or `{"reads": ..., "writes": ...}`.

    Takes what SchemaGateOperator takes. Empty or None is an error. An annotation such as `-> dict` asks for no more outputs.
    """
    if multiple_outputs:
        fix = "Leave multiple_outputs out, and take what is wanted of the one verdict."
        raise ContractError("a gate has one output, its verdict.", code="task.argument", path="multiple_outputs", fix=fix)
    return task_decorator_factory(
        python_callable=python_callable,
        multiple_outputs=False,
        decorated_operator_class=SchemaGateDecoratedOperator,
        **kwargs,
    )

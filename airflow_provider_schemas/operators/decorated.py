"""`@task.schema_gate`: a gate whose contracts a function returns, because they depend on the run."""

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
    # What the function returned is shown among the rendered fields.
    overwrite_rtif_after_execution = True

    def execute(self, context: Context) -> dict[str, Any]:
        """Judge the tables by what the function returns."""
        kwargs = determine_kwargs(self.python_callable, self.op_args, {**context, **self.op_kwargs})
        returned = self.python_callable(*self.op_args, **kwargs)
        with settled():
            self.reads, self.writes = _join_needs(returned, self.reads, self.writes)
        verdict: dict[str, Any] = super().execute(context)
        return verdict


def _join_needs(returned: Any, reads: Any, writes: Any) -> tuple[Any, Any]:
    """Return what is read and what is written, by the function and by the arguments of the decorator."""
    if is_empty(returned) or (isinstance(returned, Mapping | Sequence) and not returned):
        fix = "Return {table: contract}, or raise AirflowSkipException where there is nothing to do."
        raise ContractError("the function named no table, and a gate that checks nothing is a mistake.", code="contract.empty", fix=fix)
    has_both = isinstance(returned, Mapping) and returned.keys() <= _BOTH
    needs = dict(returned) if has_both else {"reads": returned}
    for name, argument in (("reads", reads), ("writes", writes)):
        if name in needs and argument != NOT_SAID:
            fix = "Say it in one of the two places."
            raise ContractError(f"{name} stands in the decorator, and the function says it, too.", code="task.argument", path=name, fix=fix)
    return needs.get("reads", reads), needs.get("writes", writes)


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

"""`schema_evolution`: tasks that bring a table to what its table file says: plan, ask only where the plan breaks something, apply, verify.

    schema_evolution(conn_id="lake", target="schemas/shop/orders.yaml", approvers=["ana", "raj"])
    schema_evolution.partial(conn_id="lake", approvers=["ana"]).expand(target=["schemas/shop/orders.yaml", "schemas/shop/users.yaml"])

What comes after the group waits for its last task. That one succeeds where the table is what it should be, also if there was
nothing to do and nobody was asked; it is upstream_failed where the change was rejected, not answered in time, or refused, and so is
what waits for it with `all_success`, `none_failed` or `none_failed_min_one_success`. After a mapped group that means all tables: one
that was rejected holds up what comes after all of them, while the others are changed.
"""

from datetime import timedelta
from typing import Any

from airflow.sdk import TriggerRule, XComArg, task_group

from airflow_provider_schemas.operators.approval import DAY, SchemaApprovalOperator
from airflow_provider_schemas.operators.evolve import SchemaEvolveOperator
from airflow_provider_schemas.operators.validate import SchemaValidateOperator
from airflow_provider_schemas.operators.verify import SchemaVerifyOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID

GROUP = "schema_evolution"
_TOOLTIP = "Plan, ask only if it breaks something, apply, verify"
# Asking may be skipped. Planning may not have been, and nothing may have failed.
_APPLY = TriggerRule.NONE_FAILED_MIN_ONE_SUCCESS
# Arguments that default_args may give to other tasks; beside a plan they are refused.
_IN_THE_PLAN: dict[str, Any] = dict.fromkeys(("table", "branch", "policy", "changes", "target", "expected_version"), NOT_SAID)


class SchemaEvolution:
    """Makes the group of tasks, once or for each of several tables.

    :param target: the path of a table file, from the folder of the DAG file, or its URL
    :param changes: instead of a target, short texts such as "ADD COLUMN coupon STRING", REST objects, or a list of them
    :param table: `db.table`; a table file says it itself
    :param conn_id: a connection of the type `schema_store`; else that of default_args
    :param branch: the branch of the table
    :param approvers: who may answer: ids of users, or {"id": ..., "name": ...}; if nobody is named, whoever may act on the DAG
    :param answer_within: for how long they are waited for; then the answer is Reject
    :param notifiers: the notifiers to call when an approval is requested
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count; recorded in the version
    :param unchecked: why a description that names another place, or format, of its data is not compared with the files there; recorded
    :param key: names this attempt: one with the same key is done once
    :param engine: who is to run the statements of a table that a catalog keeps: "spark" or "flink"
    :param group_id: the name of the group
    """

    def __call__(self, *, group_id: str = GROUP, **arguments: Any) -> Any:
        """Make the group, once."""
        return _factory(group_id)(**arguments)

    def partial(self, *, group_id: str = GROUP, **arguments: Any) -> Any:
        """Give the arguments that are the same for all tables; `.expand(...)` takes the others."""
        return _factory(group_id).partial(**arguments)

    def expand(self, *, group_id: str = GROUP, **mapped: Any) -> Any:
        """Make the group for each of several tables."""
        return _factory(group_id).expand(**mapped)


schema_evolution = SchemaEvolution()


def _factory(group_id: str) -> Any:
    return task_group(group_id=group_id, tooltip=_TOOLTIP)(_make_tasks)


def _make_tasks(
    *,
    table: Any = NOT_SAID,
    target: Any = NOT_SAID,
    changes: Any = NOT_SAID,
    conn_id: Any = None,
    branch: Any = NOT_SAID,
    approvers: Any = (),
    answer_within: timedelta | None = DAY,
    notifiers: Any = (),
    policy: Any = NOT_SAID,
    override: Any = "",
    unchecked: Any = NOT_SAID,
    key: Any = NOT_SAID,
    engine: Any = "spark",
) -> None:
    if answer_within is not None and (isinstance(answer_within, XComArg) or not isinstance(answer_within, timedelta)):
        raise TypeError("answer_within is a timedelta such as timedelta(hours=24), the same for all tables.")
    store = {} if conn_id is None else {"conn_id": conn_id}  # left out here, it may come from default_args
    request = {"table": table, "target": target, "changes": changes, "branch": branch, "policy": policy, "key": key}
    terms = {"override": override, "unchecked": unchecked}
    name = f"{{{{ [task.table, task.target, ''] | reject('equalto', '{NOT_SAID}') | first | string | truncate(200) }}}}"
    plan = SchemaValidateOperator(task_id="plan", on_incompatible="warn", save=True, map_index_template=name, **request, **terms, **store)
    by_table = {"plan": plan.output, "map_index_template": "{{ task.plan['table'] }}", **store}
    ask = SchemaApprovalOperator(task_id="ask", approvers=approvers, response_timeout=answer_within, notifiers=notifiers, **by_table)
    apply = SchemaEvolveOperator(
        task_id="apply", approval=ask.output, approvers=approvers, key=key, **terms, engine=engine, trigger_rule=_APPLY,
        **_IN_THE_PLAN, **by_table,
    )  # fmt: skip
    verify = SchemaVerifyOperator(task_id="verify", change=apply.output, **by_table)
    plan.applied_by = apply.task_id
    plan >> ask >> apply >> verify

"""Gates before jobs: mapped, and in mapped task groups; one of the three tables does not fit. And one without any contract."""

from typing import Any

from airflow.sdk import DAG, TriggerRule, task, task_group

from airflow_provider_schemas.operators import SchemaGateOperator

NEEDS = [{f"gated.{name}": "order_id BIGINT NOT NULL, cust_id BIGINT"} for name in ("fits", "broken", "wider")]
WAITING = [TriggerRule.ALL_SUCCESS, TriggerRule.NONE_FAILED, TriggerRule.NONE_FAILED_MIN_ONE_SUCCESS]


@task
def job(reads: dict[str, str]) -> str:
    """What must not run for a table that does not fit."""
    return next(iter(reads))


@task
def after(table: str) -> str:
    """What comes after the job."""
    return table


@task
def one_for_all() -> str:
    """One job behind all gates."""
    return "ran"


def of_table(reads: Any, conn: str, on_incompatible: str = "fail") -> None:
    """A gate and two jobs for one table."""
    gate = SchemaGateOperator(task_id="gate", conn_id=conn, reads=reads, on_incompatible=on_incompatible)
    done: Any = job(reads)
    gate >> done
    after.override(trigger_rule=TriggerRule.ALL_SUCCESS)(done)


for conn in ("lake", "lake_s3"):
    with DAG(f"gate_{conn}", default_args={"retries": 2}):
        gates = SchemaGateOperator.partial(task_id="gate", conn_id=conn).expand(reads=NEEDS)
        for rule in WAITING:
            gates >> one_for_all.override(task_id=f"job_{rule.value}", trigger_rule=rule)()
        task_group(group_id="failing")(of_table).partial(conn=conn).expand(reads=NEEDS)
    with DAG(f"seen_{conn}"):
        SchemaGateOperator(task_id="gate", conn_id=conn, reads=["seen.orders"])

with DAG("skip"):
    skipping = SchemaGateOperator.partial(task_id="gate", conn_id="lake", on_incompatible="skip").expand(reads=NEEDS)
    skipping >> one_for_all.override(task_id="job_that_walks_past", trigger_rule=TriggerRule.NONE_FAILED)()
    task_group(group_id="skipping")(of_table).partial(conn="lake", on_incompatible="skip").expand(reads=NEEDS)

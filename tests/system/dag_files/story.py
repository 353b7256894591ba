"""Iceberg tables follow a folder of table files, every night; what waits, dies or loses its answer in between has DAGs of its own."""

import os
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pendulum
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator, schema_evolution
from airflow_provider_schemas.store.storage import commit_steps

ASKED: dict[str, Any] = {"conn_id": "story", "approvers": ["ana", "raj"], "answer_within": timedelta(hours=1)}
FILES = Path(__file__).parent / "schemas"
NEEDS = {
    "clicks": "order_id BIGINT NOT NULL, device STRING",
    "orders": "order_id BIGINT NOT NULL, customer_id BIGINT",
    "users": "order_id BIGINT NOT NULL, customer_id BIGINT",
}

# Two days of the past: the scheduler makes a run of each, and both at once, when all of Airflow is up.
DAYS: dict[str, Any] = {
    "start_date": pendulum.datetime(2026, 1, 1, tz="UTC"),
    "end_date": pendulum.datetime(2026, 1, 2, tz="UTC"),
    "catchup": True,
}
with DAG("story_nightly", schedule="@daily", **DAYS, max_active_runs=2, is_paused_upon_creation=True):
    for file in sorted((FILES / "story").glob("*.yaml")):
        changed = schema_evolution(group_id=file.stem, target=f"schemas/story/{file.name}", **ASKED)
        gate = SchemaGateOperator(task_id=f"gate_{file.stem}", conn_id="story", reads={f"shop.{file.stem}": NEEDS[file.stem]})
        changed >> gate >> EmptyOperator(task_id=f"job_{file.stem}")

with DAG("story_overtaken"):
    for name in ("grown", "returned"):
        schema_evolution(group_id=name, target=f"schemas/overtaken/{name}.yaml", **ASKED)


class KilledOnce(SchemaEvolveOperator):
    """A change whose first process is killed: before its commit is sent, or when it is made and nobody was told."""

    def __init__(self, *, moment: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.moment = moment

    def execute(self, context: Any) -> Any:
        """Change the table; at the first try, until it is killed."""
        if context["ti"].try_number == 1:
            MOMENTS[self.moment]()
        return super().execute(context)


def die_before() -> None:
    """Have this process killed when its commit is ready to be sent."""
    commit_steps.listen(lambda step: die() if step == commit_steps.STAGED else None)


def die_after() -> None:
    """Have this process killed when the catalog has taken its commit, before it answers."""
    from pyiceberg.catalog.sql import SqlCatalog

    commit = SqlCatalog.commit_table

    def commit_and_die(*arguments: Any) -> None:
        commit(*arguments)
        die()

    mock.patch.object(SqlCatalog, "commit_table", commit_and_die).start()


def die() -> None:
    """Die as the kernel has a process die that took too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)


MOMENTS = {"before": die_before, "after": die_after}

with DAG("story_killed", default_args={"retries": 1, "retry_delay": timedelta(seconds=1)}):
    for when in MOMENTS:
        KilledOnce(task_id=when, moment=when, conn_id="story", table=f"shop.killed_{when}", changes=["ADD COLUMN device STRING"])

with DAG("story_unanswered"):
    SchemaEvolveOperator(task_id="evolve", conn_id="story", table="remote.visits", changes=["ADD COLUMN device STRING"])

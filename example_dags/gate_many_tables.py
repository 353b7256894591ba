"""One gate and one job for each of many tables: only the job of a broken table does not run.

What it shows
    A mapped task group: a gate and a job, once a table. A gate that fails stops its own job, and no other.
    What comes behind all of them waits for all of them. With trigger_rule="all_done" it would run in any case, and as the last task of the
    DAG it would turn the run green although a gate has failed. Such a rule never belongs on the job itself: it walks past the gate.
    A reader of several tables needs no mapping: one gate asks for all of them, reads={"mart.orders": ..., "mart.users": ...}.

Run it
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test gate_many_tables

What you should see
    Three tables made, three gates, three jobs. Then somebody takes a column away, in spite of the contracts:
    airflow-schemas evolve mart.users "DROP COLUMN day" --store /tmp/lake --override "to see the gate stop a job"
    and in a second run the gate of mart.users fails, its job does not run, and the other two do.
"""

from airflow.sdk import dag, task, task_group

from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaGateOperator

TABLES = ["mart.orders", "mart.users", "mart.visits"]
NEEDS = [{table: "id BIGINT NOT NULL, day DATE"} for table in TABLES]


@dag(schedule=None, tags=["schemas"])
def gate_many_tables() -> None:
    """A gate and a job for each table."""
    create = SchemaCreateOperator.partial(
        task_id="create",
        conn_id="lake",
        columns="id BIGINT NOT NULL, day DATE, amount DECIMAL(12, 2)",
        map_index_template="{{ task.table }}",
    ).expand(table=TABLES)

    @task_group
    def of_table(reads: dict[str, str]) -> None:
        @task
        def load(reads: dict[str, str]) -> str:
            (table,) = reads
            print(f"{table} fits: loading it")
            return table

        gate = SchemaGateOperator(task_id="gate", conn_id="lake", reads=reads, map_index_template="{{ task.reads | first }}")
        gate >> load(reads)

    create >> of_table.expand(reads=NEEDS)


gate_many_tables()

"""A DAG file with every operator, sensor, decorator, guard, group, watcher and notifier of the provider: to be parsed, and never run."""

from datetime import timedelta

from airflow.sdk import DAG, BaseOperator, task

from airflow_provider_schemas.assets import schema_asset
from airflow_provider_schemas.notifications import SchemaNotifier
from airflow_provider_schemas.operators import (
    SchemaApprovalOperator,
    SchemaCreateOperator,
    SchemaEvolveOperator,
    SchemaGateOperator,
    SchemaRestoreOperator,
    SchemaValidateOperator,
    SparkInferSchemaOperator,
    SparkSchemaAuditOperator,
    SparkValidateDataOperator,
    guard_by_inlets,
    schema_evolution,
    schema_gate,
    schema_guard,
)
from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor

TABLE = "shop.orders"

with DAG(
    "everything",
    schedule=[schema_asset("lake", TABLE, watch="lake")],
    default_args={"conn_id": "lake", "retries": 1},
    on_failure_callback=SchemaNotifier(),
):
    wait = SchemaVersionSensor(task_id="wait", table=TABLE, timeout=timedelta(hours=1))
    fits = SchemaContractSensor(task_id="fits", reads={TABLE: ["order_id"]})
    create = SchemaCreateOperator(task_id="create", table=TABLE, columns="order_id BIGINT NOT NULL", primary_keys=["order_id"])
    validate = SchemaValidateOperator(task_id="validate", table=TABLE, changes=["ADD COLUMN coupon STRING"], save=True)
    approve = SchemaApprovalOperator(task_id="approve", plan=validate.output)
    evolve = SchemaEvolveOperator(task_id="evolve", table=TABLE, plan=validate.output, approval=approve.output)
    restore = SchemaRestoreOperator(task_id="restore", table=TABLE, version=0)
    gate = SchemaGateOperator(task_id="gate", reads={TABLE: "order_id BIGINT NOT NULL"}, writes=[TABLE])
    many = SchemaGateOperator.partial(task_id="many", map_index_template="{{ task.reads }}").expand(reads=[[TABLE], ["shop.users"]])
    group = schema_evolution(group_id="evolution", table=TABLE, changes=["ADD COLUMN coupon STRING"])

    landed = SparkValidateDataOperator(task_id="landed", table=gate.output, path="s3a://landing/{{ ds }}", quarantine="s3a://bad")
    infer = SparkInferSchemaOperator(task_id="infer", path="s3a://landing/{{ ds }}", table=TABLE, save=True, spark_conn_id="connect")
    audit = SparkSchemaAuditOperator(task_id="audit", databases=["shop"], conf={"spark.executor.memory": "2g"})

    @task.schema_gate
    def decorated() -> dict[str, list[str]]:
        return {TABLE: ["order_id"]}

    @schema_gate(on_incompatible="warn")
    def decorated_directly() -> dict[str, list[str]]:
        return {TABLE: ["order_id"]}

    guarded = BaseOperator(task_id="guarded", pre_execute=schema_guard("lake", reads=[TABLE]))
    guarded_later = BaseOperator(task_id="guarded_later")
    schema_guard("lake", reads=[TABLE]).on(guarded_later)
    by_inlets = BaseOperator(task_id="by_inlets", inlets=[schema_asset("lake", TABLE)])
    guard_by_inlets(by_inlets, on_incompatible="warn")

    wait >> fits >> create >> validate >> approve >> evolve >> restore >> gate >> many >> group
    gate >> landed >> infer >> audit
    gate >> [decorated(), decorated_directly(), guarded, guarded_later, by_inlets]

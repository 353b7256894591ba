"""A warehouse is looked through once a week: histories, and the data files under them.

What it shows
    SparkSchemaAuditOperator looks at every table of a warehouse in one Spark job: versions that no reader can follow, files that no version
    explains, schemas that an outside writer broke. The worst is in its log and in XCom, and all of it is kept as rows.
    With on_incompatible="fail", which is what holds if nothing is said, the run is red while something is broken.

Run it (schemas_quickstart makes a table)
    pip install "airflow-provider-schemas[spark]"
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test audit_a_warehouse

What you should see
    The tables that were looked at, rule by rule what was found, and whom to tell.
"""

from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.operators import SparkSchemaAuditOperator


@dag(schedule="@weekly", catchup=False, tags=["schemas"])
def audit_a_warehouse() -> None:
    """An audit, and who is told of it."""
    audit = SparkSchemaAuditOperator(
        task_id="audit",
        conn_id="lake",
        on_incompatible="warn",
        save="file:///tmp/schemas_audits",
        conf={"spark.master": "local[2]"},
    )

    @task
    def tell(found: dict[str, Any]) -> None:
        print(f"{found['tables']} tables, {found['unread']} not to be read")
        for one in found["rules"]:
            print(f"{one['rule']} in {one['tables']} tables: {', '.join(one['owners']) or 'nobody owns them'}")

    tell(audit.output)


audit_a_warehouse()

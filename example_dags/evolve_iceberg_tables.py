"""An Iceberg table changes when its file in git changes; what would break somebody is asked first, and nothing is lost in between.

What it shows
    The database web is mounted with "evolve": true: its tables are those of an Iceberg catalog, which other programs write at any time,
    and whose connection is Airflow's own type iceberg. schemas/web/visits.yaml beside this file is what people write and review.
    The plan names the registered jobs that it breaks, also those that never heard of Iceberg. An addition that breaks nobody is applied;
    a break is put to a person. The commit goes through the catalog. It asserts the table, its current schema and the last field id that
    was given, so that a change that was overtaken is judged again: pyiceberg's own update_schema would lose it.
    A run that is cleared, or two runs at once, change the table once.

Run it
    pip install 'airflow-provider-schemas[iceberg]' 'pyiceberg[sql-sqlite]' apache-airflow-providers-apache-iceberg
    mkdir -p /tmp/schemas_lake
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/schemas_lake", "extra":
        {"mounts": {"web": {"source": "iceberg", "conn_id": "iceberg_local", "namespace": "prod.web", "evolve": true}}}}'
    export AIRFLOW_CONN_ICEBERG_LOCAL='{"conn_type": "iceberg", "host": "sqlite:////tmp/schemas_iceberg.db", "extra":
        {"type": "sql", "warehouse": "file:///tmp/schemas_iceberg"}}'
    airflow dags test evolve_iceberg_tables
    Then edit schemas/web/visits.yaml and run it again: add a column (applied), or rename one with `was: page` (asked, if a job reads it).
    Questions are answered in the UI, so that a run that asks needs `airflow standalone`.

What you should see
    The first run makes the table as another program would, and gives it the columns of the file; the second has nothing to do.
"""

import pendulum
from airflow.sdk import dag, task

from airflow_provider_schemas.operators import schema_evolution


@dag(schedule="0 6 * * 1-5", start_date=pendulum.datetime(2026, 1, 1, tz="UTC"), catchup=False, tags=["schemas"])
def evolve_iceberg_tables() -> None:
    """Another program makes the table; its file in git changes it."""

    @task
    def others_write() -> None:
        """Make the Iceberg table, if it is not there: what another program has done long ago."""
        from airflow.providers.apache.iceberg.hooks.iceberg import IcebergHook
        from pyiceberg.schema import Schema
        from pyiceberg.types import IntegerType, LongType, NestedField, StringType

        catalog = IcebergHook("iceberg_local").catalog
        for namespace in ("prod", "prod.web"):
            catalog.create_namespace_if_not_exists(namespace)
        columns = [
            NestedField(1, "visit_id", LongType(), required=True),
            NestedField(2, "page", StringType()),
            NestedField(3, "seconds", IntegerType()),
        ]
        catalog.create_table_if_not_exists("prod.web.visits", Schema(*columns))

    others_write() >> schema_evolution(conn_id="lake", target="schemas/web/visits.yaml", approvers=["ana", "raj"])


evolve_iceberg_tables()

"""Tables change when their files in git change; what would break somebody is asked first.

What it shows
    A table file is what people write and review: schemas/shop/orders.yaml beside this file. On every working day at six the DAG
    compares each file with its table. Nothing to do: nobody is asked, and the group is green. An addition that breaks nobody is
    applied. A break is put to a person, in Airflow's own Required Actions: what would change, whom it breaks, and what to do instead.
    Only Approve applies it, and only the plan that was shown. Reject, or no answer within a day: nothing is written, and the group is red.
    What a file does not mention stays: columns that an engine added are left alone until they stand under `dropped`.

Run it
    mkdir -p /tmp/lake, since a warehouse that is not there is an error for whoever looks into it
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test evolve_shop
    Then edit schemas/shop/orders.yaml and run it again: add a column (applied), or rename one with `was: cust_id` (asked).
    Questions are answered in the UI, so that a run that asks needs `airflow standalone`.

What you should see
    The first run creates both tables; the second has nothing to do.
"""

from datetime import timedelta

import pendulum
from airflow.sdk import dag

from airflow_provider_schemas.operators import schema_evolution


@dag(schedule="0 6 * * 1-5", start_date=pendulum.datetime(2026, 1, 1, tz="UTC"), catchup=False, max_active_runs=1, tags=["schemas"])
def evolve_shop() -> None:
    """One group a table file."""
    schema_evolution.partial(conn_id="lake", approvers=["ana", "raj"], answer_within=timedelta(hours=24)).expand(
        target=["schemas/shop/orders.yaml", "schemas/shop/users.yaml"]
    )


evolve_shop()

"""A table follows the files that arrive: their schema is inferred, planned, judged and applied.

What it shows
    SparkInferSchemaOperator looks at the rows of JSON files and says their columns, with what speaks for each. With table= it plans what
    merging them would do to the table: a table that is not there is made, a column that is new is added, what the files lack stays.
    Its output is a plan as SchemaValidateOperator makes it: an approval may stand between the two tasks, and what breaks a reader
    fails here, before anything is written.

Run it
    pip install "airflow-provider-schemas[spark]"
    mkdir -p /tmp/lake, since a warehouse that is not there is an error for whoever looks into it
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test infer_and_evolve
    airflow dags test infer_and_evolve --conf '{"device": "phone"}'

What you should see
    The first run makes web.visits. The second finds a column device in the files, and adds it as version 1. A third one changes nothing.
"""

import json
from typing import Any

from airflow.sdk import ObjectStoragePath, dag, task

from airflow_provider_schemas.operators import SchemaEvolveOperator, SparkInferSchemaOperator

LANDED = "file:///tmp/schemas_visits"


@dag(schedule=None, params={"device": None}, tags=["schemas"])
def infer_and_evolve() -> None:
    """Files, what is in them, and the table."""

    @task
    def arrive(params: dict[str, Any]) -> str:
        """What a web server does."""
        visits = [{"visit_id": number, "page": f"/products/{number}", "seconds": 30 * number} for number in range(1, 4)]
        more = {"device": params["device"]} if params["device"] else {}
        folder = ObjectStoragePath(LANDED)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "visits.json").write_text("\n".join(json.dumps(one | more) for one in visits))
        return LANDED

    infer = SparkInferSchemaOperator(
        task_id="infer",
        conn_id="lake",
        table="web.visits",
        path=arrive(),
        file_format="json",
        save=True,
        conf={"spark.master": "local[2]"},
    )
    SchemaEvolveOperator(task_id="evolve", conn_id="lake", plan=infer.output)


infer_and_evolve()

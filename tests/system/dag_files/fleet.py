"""Tasks that name what they read, and nothing of a guard: the policy of the fleet puts it on."""

from airflow.sdk import DAG, task

from airflow_provider_schemas.assets import schema_asset


@task
def plain() -> str:
    """No inlet, no guard."""
    return "ran"


@task(inlets=[schema_asset("lake", "fleet.stays")])
def good(number: int = 0) -> int:
    """Its table stays as it is."""
    return number


@task(inlets=[schema_asset("lake", "fleet.breaks")])
def bad(number: int = 0) -> int:
    """Its table breaks after the first run."""
    return number


with DAG("fleet"):
    plain()
    good()
    bad()
    good.override(task_id="good_mapped").expand(number=[1, 2])
    bad.override(task_id="bad_mapped").expand(number=[1, 2])

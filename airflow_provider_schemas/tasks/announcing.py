"""The announcement of a new version: an event of the table's asset, and only where a version was written.

An outlet fires whenever its task succeeds. So the outlet of our operators is an alias, and the asset is added to
it in the one case that is news; whoever is scheduled on the asset is started once a version. A version whose writer did
not live to say so is news for the next try of its task.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from airflow.sdk import AssetAlias

from airflow_provider_schemas.assets import schema_asset
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.tasks.run import Run

if TYPE_CHECKING:
    from airflow_provider_schemas.store.commit import Committed

ALIAS = AssetAlias("schema_versions")
# The default of a mapped operator, which Airflow takes from the signature as it stands, and wants as a list.
OUTLETS: list[Any] = [ALIAS]


def with_alias(outlets: Any) -> list[Any]:
    """The outlets that an author named, and ours."""
    there = list(outlets) if isinstance(outlets, Iterable) and not isinstance(outlets, str | bytes) else [outlets]
    return [one for one in there if one is not None and one != ALIAS] + [ALIAS]


def announce(done: "Committed", context: Mapping[str, Any], *, run: Run, alias: str, told: Mapping[str, Any]) -> bool:
    """Tell those who wait for the table that there is a new version; whether there is one."""
    untold = not done.created and _was_lost(done, context, run)
    if not (done.created or untold):
        return False
    extra = {key: told[key] for key in ("table", "branch", "version", "previous", "digest", "changes")}
    past = done.provenance
    if untold and past is not None:
        extra["previous"] = past.parent_id
    context["outlet_events"][ALIAS].add(schema_asset(alias, done.table, branch=done.branch), extra=extra)
    return True


def _was_lost(done: "Committed", context: Mapping[str, Any], run: Run) -> bool:
    """Whether an earlier try of this very task wrote the version and came to nothing: events leave with the success of a try alone.

    A task that was cleared may have succeeded before, and then they were told.
    """
    try:
        past = done.provenance
    except SchemaError:  # nobody understands what an outside writer said there
        return False
    cleared = getattr(context.get("dag_run"), "clear_number", 0)
    return past is not None and past.run == run.text and run.try_number > 1 and not cleared

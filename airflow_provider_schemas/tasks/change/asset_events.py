"""The announcement of a new version: an event of the table's asset, and only where a version was written.

An outlet fires whenever its task succeeds. So the outlet of our operators is an alias, and the asset is added to
it in the one case that is news; a DAG that is scheduled on the asset is started once a version. A version whose writer ended
before it could announce it is news for every try of its task that finds it, also after it was cleared: Airflow is asked whether
the event is there. If it cannot say, the event is sent: twice is better than never, and `extra` tells the version.
"""

import logging
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk import Asset, AssetAlias

from airflow_provider_schemas.assets import schema_asset
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.version_entries import written
from airflow_provider_schemas.tasks.task_run import Run

if TYPE_CHECKING:
    from airflow_provider_schemas.store.commit.commit import Committed

log = logging.getLogger(__name__)
ALIAS = AssetAlias("schema_versions")
# The default of a mapped operator, which Airflow takes from the signature as it stands, and wants as a list.
OUTLETS: list[Any] = [ALIAS]
# How far the clocks of a writer and of Airflow may be apart.
_CLOCK_SKEW = timedelta(days=1)
_MAX_EVENTS = 1_000


def with_alias(outlets: Any) -> list[Any]:
    """Return the outlets that an author named, and ours."""
    is_list = isinstance(outlets, Iterable) and not isinstance(outlets, str | bytes)
    of_author = list(outlets) if is_list else [outlets]
    return [*(outlet for outlet in of_author if outlet is not None and outlet != ALIAS), ALIAS]


def announce(done: "Committed", context: Mapping[str, Any], *, run: Run, alias: str, entry: Mapping[str, Any]) -> bool:
    """Announce a new version to those who wait for the table, and return whether there is one."""
    asset = schema_asset(alias, done.table, branch=done.branch)
    is_late = not done.created and _wrote(done, run) and not _is_announced(done, asset)
    if not (done.created or is_late):
        return False
    extra = {key: entry[key] for key in ("table", "branch", "version", "previous", "digest", "changes")}
    past = done.provenance
    if is_late and past is not None:
        extra["previous"] = past.parent_id
    context["outlet_events"][ALIAS].add(asset, extra=extra)
    return True


def _wrote(done: "Committed", run: Run) -> bool:
    """Return whether an earlier try of this very task wrote the version: events leave with the success of a try alone."""
    try:
        past = done.provenance
    except SchemaError:  # an outside writer wrote what cannot be read
        return False
    return past is not None and past.run == run.text


def _is_announced(done: "Committed", asset: Asset) -> bool:
    """Return whether there is an event of this version."""
    version = (done.number, done.digest)
    try:
        return any((event.extra.get("version"), event.extra.get("digest")) == version for event in _events(done, asset))
    except Exception as error:  # noqa: BLE001  # whatever hinders the answer, the version must not stay unannounced
        log.warning("%s: whether version %s was announced is not known (%s), so it is announced.", done.table, done.number, error)
        return False


def _events(done: "Committed", asset: Asset) -> Iterable[Any]:
    """Return the events of the table since the version was written."""
    from airflow.sdk.execution_time.context import InletEventsAccessor  # what runs tasks is not loaded where DAGs are parsed

    events = InletEventsAccessor(asset_name=asset.name, asset_uri=asset.uri).limit(_MAX_EVENTS)
    since = written(done.version)
    if since is None:
        return events
    return events.after((since - _CLOCK_SKEW).isoformat())

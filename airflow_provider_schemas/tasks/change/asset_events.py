"""The announcement of a new version: an event of the table's asset, and only where a version was written.

An outlet fires whenever its task succeeds. So the outlet of our operators is an alias, and the asset is added to
it in the one case that is news; whoever is scheduled on the asset is started once a version. A version whose writer did
not live to say so is news for whatever try of its task finds it, also after it was cleared: Airflow is asked whether the
event is there. If it cannot say, the event is sent: twice is better than never, and `extra` tells the version.
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
_APART = timedelta(days=1)
_MOST = 1_000


def with_alias(outlets: Any) -> list[Any]:
    """The outlets that an author named, and ours."""
    there = list(outlets) if isinstance(outlets, Iterable) and not isinstance(outlets, str | bytes) else [outlets]
    return [one for one in there if one is not None and one != ALIAS] + [ALIAS]


def announce(done: "Committed", context: Mapping[str, Any], *, run: Run, alias: str, told: Mapping[str, Any]) -> bool:
    """Tell those who wait for the table that there is a new version; whether there is one."""
    asset = schema_asset(alias, done.table, branch=done.branch)
    untold = not done.created and _wrote(done, run) and not _is_told(done, asset)
    if not (done.created or untold):
        return False
    extra = {key: told[key] for key in ("table", "branch", "version", "previous", "digest", "changes")}
    past = done.provenance
    if untold and past is not None:
        extra["previous"] = past.parent_id
    context["outlet_events"][ALIAS].add(asset, extra=extra)
    return True


def _wrote(done: "Committed", run: Run) -> bool:
    """Whether an earlier try of this very task wrote the version: events leave with the success of a try alone."""
    try:
        past = done.provenance
    except SchemaError:  # nobody understands what an outside writer said there
        return False
    return past is not None and past.run == run.text


def _is_told(done: "Committed", asset: Asset) -> bool:
    """Whether there is an event of this version."""
    try:
        return any((one.extra.get("version"), one.extra.get("digest")) == (done.number, done.digest) for one in _events(done, asset))
    except Exception as error:  # noqa: BLE001  # whatever hinders the answer, the version must not stay untold
        log.warning("%s: whether version %s was announced is not known (%s), so it is announced.", done.table, done.number, error)
        return False


def _events(done: "Committed", asset: Asset) -> Iterable[Any]:
    """The events of the table since the version was written."""
    from airflow.sdk.execution_time.context import InletEventsAccessor  # what runs tasks is not loaded where DAGs are parsed

    events = InletEventsAccessor(asset_name=asset.name, asset_uri=asset.uri).limit(_MOST)
    since = written(done.version)
    return events if since is None else events.after((since - _APART).isoformat())

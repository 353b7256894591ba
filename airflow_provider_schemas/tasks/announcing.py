"""The announcement of a new version: an event of the table's asset, and only where a version was written.

An outlet fires whenever its task succeeds. So the outlet of our operators is an alias, and the asset is added to
it in the one case that is news; whoever is scheduled on the asset is started once a version.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from airflow.sdk import AssetAlias

from airflow_provider_schemas.assets import schema_asset
from airflow_provider_schemas.store.commit import Committed

ALIAS = AssetAlias("schema_versions")
# The default of a mapped operator, which Airflow takes from the signature as it stands, and wants as a list.
OUTLETS: list[Any] = [ALIAS]


def with_alias(outlets: Any) -> list[Any]:
    """The outlets that an author named, and ours."""
    there = list(outlets) if isinstance(outlets, Iterable) and not isinstance(outlets, str | bytes) else [outlets]
    return [one for one in there if one is not None and one != ALIAS] + [ALIAS]


def announce(done: Committed, context: Mapping[str, Any], *, alias: str, told: Mapping[str, Any]) -> bool:
    """Tell those who wait for the table that there is a new version; whether there is one."""
    if not done.created:
        return False
    extra = {key: told[key] for key in ("table", "branch", "version", "previous", "digest", "changes")}
    context["outlet_events"][ALIAS].add(schema_asset(alias, done.table, branch=done.branch), extra=extra)
    return True

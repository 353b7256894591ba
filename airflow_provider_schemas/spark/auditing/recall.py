"""Which tables an audit need not read again: those whose files are sound by what is remembered of them, and of which no registry speaks."""

from collections.abc import Mapping

from airflow_provider_schemas.spark.auditing.data_files import Looked
from airflow_provider_schemas.spark.auditing.discovery import Spot
from airflow_provider_schemas.spark.auditing.facts import Fact
from airflow_provider_schemas.spark.auditing.table import Audited, Scope
from airflow_provider_schemas.spark.auditing.table_prints import data_print, schemas_print, speaks_for_itself
from airflow_provider_schemas.store.schema_store import SchemaStore


def recalled(store: SchemaStore, spot: Spot, scope: Scope, facts: Mapping[str, Fact]) -> Audited | None:
    """What comes out for a table, if what is remembered of it still holds: also of its data, where these are looked at without Spark."""
    fact = facts.get(str(spot.name))
    if fact is None or not speaks_for_itself(spot, scope.known):
        return None
    there = schemas_print(store, spot)
    if there is None or there.digest != fact.schemas:
        return None
    if scope.reach is None:
        return Audited((), 1, fact.versions, fact=fact)
    data = data_print(store, spot, fact.location, scope.reach) if fact.data else None
    if data is None or data.digest != fact.data:
        return None
    return Audited((), 1, fact.versions, Looked(files=fact.files), fact)

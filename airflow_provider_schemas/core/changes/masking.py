"""Changes without secrets: what no log, no report and no page may show."""

from airflow_provider_schemas.core.changes.schema_change import SchemaChange, SetOption
from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials


def masked_change(change: SchemaChange) -> SchemaChange:
    """The change without the secret that it sets."""
    if not isinstance(change, SetOption):
        return change
    return SetOption(change.key, MASK if is_secret(change.key) else without_credentials(change.value))

"""Changes without secrets, as logs, reports and pages show them."""

from airflow_provider_schemas.core.changes.schema_change import SchemaChange, SetOption


def masked_change(change: SchemaChange) -> SchemaChange:
    """Return the change without the secret that it sets."""
    if not isinstance(change, SetOption):
        return change
    return SetOption(change.key, change.masked_value)

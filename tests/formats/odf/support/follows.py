"""What comes of differences in a chain: they are no change, allowed, or refused."""

from collections.abc import Collection, Sequence

from airflow_provider_schemas.formats.odf.compatibility.comparison import Aspect
from airflow_provider_schemas.formats.odf.compatibility.differences import SchemaDifference
from airflow_provider_schemas.formats.odf.compatibility.succession import is_allowed


def follows(changes: Sequence[SchemaDifference], ignored: Collection[Aspect]) -> bool | None:
    """Return whether a schema with these changes may follow; None if there is no change."""
    return all(is_allowed(change, ignored) for change in changes) if changes else None

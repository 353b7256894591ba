"""What more than one kind of change checks before it touches a column: keys, indexes and defaults."""

from collections.abc import Sequence

from airflow_provider_schemas.core.changes.field_paths import dotted
from airflow_provider_schemas.core.evolution.draft import Draft
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import CastError, ChangeError


def check_not_partition(draft: Draft, name: str, code: str) -> None:
    """Refuse a change of a partition column."""
    if name in draft.old.partition_keys:
        message = "a partition column cannot change: folders carry its name and values."
        raise ChangeError(message, code=code, path=name, fix="Create a new table.")


def check_not_indexed(draft: Draft, name: str, code: str) -> None:
    """Refuse a change of a column that an index of the primary key is on."""
    if name in draft.indexed:
        raise ChangeError(f"the column is indexed by {draft.indexed[name]}.", code=code, path=name, fix="Drop the index first.")


def check_default(field: Field, names: Sequence[str], fix: str) -> None:
    """Refuse a default that is no value of the type of its field."""
    if field.default is None:
        return
    # Few columns have defaults, and what reads values takes long to load.
    from airflow_provider_schemas.core.casts.cast_value import default_value

    try:
        default_value(field.default, field.type)
    except CastError as error:
        message = f"the default {field.default!r} is no {field.type}: {error.message}"
        raise ChangeError(message, code="default.invalid", path=dotted(names), fix=fix) from None

"""Files outlive the schemas they were written under, so a new type must be readable from every earlier one.

Values are converted straight from the type in the file to the current type. A chain of allowed steps can
end where no such conversion exists: DATE to STRING to INT. Java looks at the last step only.
"""

from collections.abc import Iterator

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.changes.field_paths import RowsById, by_ids, dotted
from airflow_provider_schemas.core.evolution.draft import Draft, TypePlace
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.errors import Fault


def unreadable(draft: Draft, place: TypePlace, rows: RowsById) -> Iterator[Fault]:
    """The earlier types at this place that the batch has left without a conversion."""
    column = draft.find(place.column)
    after = None if column is None else by_ids(column.type, place.steps, rows)
    if after is None:
        return  # dropped by the same batch
    for schema in (*draft.history, draft.old):
        found = schema.column(place.column)
        before = None if found is None else by_ids(found.type, place.steps, rows)
        if before is not None and not _readable(before, after):
            message = f"files of schema {schema.id} hold {before}, for which there is no conversion to {after}."
            fix = "Add a column of the new type instead, or rewrite those files first."
            yield Fault("type.chain", dotted(place.names), message, fix)
            return


def _readable(before: DataType, after: DataType) -> bool:
    inside = before.root is after.root and isinstance(after, ArrayType | MapType | RowType)  # read part by part
    return inside or same_type(before, after) or cast_support(before, after).convertible

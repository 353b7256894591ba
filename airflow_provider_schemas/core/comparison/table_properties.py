"""What differs between two schemas outside their fields: keys, options with the attributes of fields, comment, highest id."""

from collections.abc import Iterator

from airflow_provider_schemas.core.comparison.fields import Comparison
from airflow_provider_schemas.core.comparison.keys import key_observations
from airflow_provider_schemas.core.comparison.options import option_observations
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.core.schema.table_schema import TableSchema


def table_observations(compared: Comparison) -> Iterator[Observation]:
    """Yield everything that differs outside the fields."""
    old = compared.old
    new = compared.new
    if compared.observations or compared.dropped or _keys(old) != _keys(new):
        yield from key_observations(old, new)
    if old.options != new.options or (compared.renames and old.options):
        yield from option_observations(compared)
    if old.comment != new.comment:
        yield Observation(rule="FIELD_DOC_CHANGED", path="", old=old.comment or "", new=new.comment or "", words={"path": "the table"})
    # The schemas of others do not say it: their table does, as a whole.
    if new.highest_field_id < old.highest_field_id and not is_foreign(new):
        before = str(old.highest_field_id)
        after = str(new.highest_field_id)
        yield Observation(rule="HIGHEST_FIELD_ID_REGRESSED", path="highestFieldId", old=before, new=after)


def _keys(schema: TableSchema) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return schema.partition_keys, schema.primary_keys

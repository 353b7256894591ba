"""An alias that has become the name of its own column is removed: a rename back leaves none behind.

Aliases that were of that kind in the schema before are somebody else's, and no change of this step.
"""

from collections.abc import Iterator

import msgspec

from airflow_provider_schemas.core.changes.schema_change import SetOption, set_attributes
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.field_attributes import aliases, aliases_by_field, without_alias
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema


def without_own_names(old: TableSchema, new: TableSchema) -> TableSchema:
    """Return the new schema, in which no field has gained its own name as an alias since the old one."""
    gone = list(_own_names(old, new))
    if not gone:
        return new
    options = dict(new.options)
    for number, name in gone:
        change = set_attributes(number, without_alias(new.attributes(number), name))
        if isinstance(change, SetOption):
            options[change.key] = change.value
        else:
            del options[change.key]
    return msgspec.structs.replace(new, options=Options(options))


def _own_names(old: TableSchema, new: TableSchema) -> Iterator[tuple[int, str]]:
    """Yield each field that has its own name as an alias, and had not before."""
    there: Lookup | None = None
    for number, names in aliases_by_field(new):
        there = there or Lookup(new)
        found = there.by_id(number) if names else None
        if found is not None and found.field.name in names and not _had(old, new, number, found.field.name):
            yield number, found.field.name


def _had(old: TableSchema, new: TableSchema, number: int, name: str) -> bool:
    """Return whether the field had the name and the alias in the old schema already."""
    key = attribute_key(number)
    if old.options.get(key) != new.options.get(key) or name not in aliases(old, number):
        return False
    before = Lookup(old).by_id(number)
    return before is not None and before.field.name == name

"""What a commit asserts, and what it sends.

pyiceberg's own `update_schema` asserts the current schema and nothing else. A schema that went away and came back passes that, while ids
were given in between: so we assert the last field id as well, as Java does, and that nobody partitions or sorts by another column since.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from pyiceberg.schema import Schema
    from pyiceberg.table.metadata import TableMetadata


class CommitParts(Struct, frozen=True):
    """The two parts of a commit."""

    requirements: tuple[Any, ...]
    updates: tuple[Any, ...]


def commit_parts(metadata: "TableMetadata", schema: "Schema", properties: Mapping[str, str]) -> CommitParts:
    """Return the commit that makes this schema the current one; it is added, if the table does not have it already."""
    from pyiceberg.table.update import AddSchemaUpdate, SetCurrentSchemaUpdate, SetPropertiesUpdate

    same = next((known.schema_id for known in metadata.schemas if known == schema), None)
    updates: list[Any] = []
    if same is None:
        updates.append(AddSchemaUpdate(schema_=schema))
        updates.append(SetCurrentSchemaUpdate(schema_id=-1))
    else:
        updates.append(SetCurrentSchemaUpdate(schema_id=same))
    updates.append(SetPropertiesUpdate(updates=dict(properties)))
    return CommitParts(_requirements(metadata), tuple(updates))


def _requirements(metadata: "TableMetadata") -> tuple[Any, ...]:
    from pyiceberg.table.update import (
        AssertCurrentSchemaId,
        AssertDefaultSortOrderId,
        AssertLastAssignedFieldId,
        AssertLastAssignedPartitionId,
        AssertTableUUID,
    )

    requirements = [
        AssertTableUUID(uuid=metadata.table_uuid),
        AssertCurrentSchemaId(current_schema_id=metadata.current_schema_id),
        AssertLastAssignedFieldId(last_assigned_field_id=metadata.last_column_id),
        AssertDefaultSortOrderId(default_sort_order_id=metadata.default_sort_order_id),
    ]
    if metadata.last_partition_id is not None:
        requirements.append(AssertLastAssignedPartitionId(last_assigned_partition_id=metadata.last_partition_id))
    return tuple(requirements)

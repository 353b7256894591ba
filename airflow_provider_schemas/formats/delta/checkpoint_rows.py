"""What a checkpoint says of the schema: the rows of its Parquet that hold the metaData and the protocol. All others are left unread.

A checkpoint has a row for each file of the table. Groups of rows without an action of ours are told by their statistics.
"""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.base import missing
from airflow_provider_schemas.formats.delta.log_actions import Actions, Metadata, Protocol

_ACTIONS: Final = ("metaData", "protocol")
_ROWS: Final = 16_384


def read_checkpoint(file: BinaryIO, path: str = "") -> Actions:
    """Return what a file of a checkpoint says of the schema, or raise a FormatError if it is no Parquet that says it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise missing("a checkpoint of Delta cannot be read", "pyarrow", "arrow") from None
    try:
        with pq.ParquetFile(file) as parquet:
            found = dict(_rows(parquet))
        metadata = found.get("metaData")
        protocol = found.get("protocol")
        return Actions(
            None if metadata is None else msgspec.convert(_plain(metadata), Metadata),
            None if protocol is None else msgspec.convert(_plain(protocol), Protocol),
        )
    except SchemaError:  # what the storage says; pyarrow says of a damaged file what Python says of a disk
        raise
    except (pa.ArrowException, msgspec.ValidationError, OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise _broken(error, path) from None


def _broken(error: Exception, path: str) -> FormatError:
    message = f"the checkpoint cannot be read: {shown(str(error))}."
    fix = "Write a new checkpoint of the table, or take the broken file away while all commits are there."
    return FormatError(message, code="delta.bad-checkpoint", path=path, fix=fix)


def _rows(parquet: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the actions of ours with their names."""
    columns = [name for name in parquet.schema_arrow.names if name in _ACTIONS]
    groups = [number for number in range(parquet.num_row_groups) if _may_hold(parquet.metadata.row_group(number))]
    if not columns or not groups:
        return
    for batch in parquet.iter_batches(_ROWS, groups, columns):
        for name in columns:
            column = batch.column(name)
            if column.null_count < len(column):
                yield from ((name, value) for value in column.drop_null().to_pylist() if _is_given(value))


def _is_given(value: Any) -> bool:
    """Return whether a row holds the action: some writers have an object of nulls in all other rows."""
    return isinstance(value, Mapping) and any(member is not None and member not in ([], {}) for member in value.values())


def _may_hold(group: Any) -> bool:
    """Return whether a group of rows may hold an action of ours; without statistics it may."""
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema not in ("metaData.schemaString", "protocol.minReaderVersion"):
            continue
        statistics = column.statistics
        if statistics is None or not statistics.has_null_count or statistics.null_count < group.num_rows:
            return True
    return False


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action as JSON would have it: without nulls, and maps as objects."""
    plain = {key: member for key, member in value.items() if member is not None}
    settings = plain.get("configuration")
    if isinstance(settings, list):
        plain["configuration"] = dict(settings)
    return plain

"""The data files of a Paimon table as Spark takes them: an address each, and the values of its partition as Python has them."""

from typing import Any

from airflow_provider_schemas.core.casts.python_values import to_python
from airflow_provider_schemas.errors import CastError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.paths import with_slashes
from airflow_provider_schemas.store.data_files.live_files import Live, LiveFile, live_files
from airflow_provider_schemas.store.spark.files import address_for_spark, root_for_spark
from airflow_provider_schemas.store.table import Table


def paimon_files(table: Table, *, snapshot: int | None = None, tag: str | None = None, branch: str | None = None) -> list[DataFile]:
    """The data files of the newest snapshot, of the one that is named, or of a tag."""
    return as_data_files(table, paimon_snapshot(table, snapshot=snapshot, tag=tag, branch=branch))


def paimon_snapshot(table: Table, *, snapshot: int | None = None, tag: str | None = None, branch: str | None = None) -> Live:
    """The same with the snapshot that it is, and the version that was the newest then."""
    return live_files(table if branch is None else table.branch(branch), snapshot=snapshot, tag=tag)


def as_data_files(table: Table, live: Live) -> list[DataFile]:
    """The files as Spark takes them."""
    types = {one.name: one.type for one in table.schema().fields}
    root = root_for_spark(table.place.files)
    # Files of a partition share what it says. Told apart by what it is, and not by its values: 0.0 equals -0.0.
    shared = {id(one.partition): one.partition for one in live.files}
    values = {key: tuple((name, _python(value, types[name])) for name, value in each) for key, each in shared.items()}
    return [_data_file(one, root, values[id(one.partition)]) for one in live.files]


def _data_file(one: LiveFile, root: str, partition: tuple[tuple[str, Any], ...]) -> DataFile:
    path = address_for_spark(with_slashes(one.path)) if one.outside else f"{root}/{one.path}"
    return DataFile(path=path, size=one.size, version=one.version, format=one.format, partition=partition, rows=one.rows)


def _python(value: Any, kind: Any) -> Any:
    """The value as Python has it; as a carrier, where Python has none: a year behind 9999, nanoseconds."""
    try:
        return to_python(value, kind)
    except CastError:
        return value

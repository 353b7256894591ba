"""The data files of a Paimon table: of its newest snapshot, of an older one, or of a tag, on any branch.

The snapshot names manifests, and those name the files with what is needed to read them: where each lies, with which
version it was written, and the values of its partition, which the name of a folder tells less surely.
"""

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, FormatError, NotThereError, ProjectionError
from airflow_provider_schemas.store.data_files.manifest_entries import ManifestFile, read_live_entries
from airflow_provider_schemas.store.data_files.manifest_reader import numbered_snapshots, read_named, with_newest
from airflow_provider_schemas.store.data_files.partition_folders import Folders
from airflow_provider_schemas.store.data_files.partition_values import Key, PartitionValue, partition_keys, read_values
from airflow_provider_schemas.store.data_files.unsupported_tables import (
    SnapshotRequest,
    TableFiles,
    check_files,
    check_table,
    manifest_error,
)
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import Layout, branch_folder, joined
from airflow_provider_schemas.store.paimon.manifests import file_name
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind
from airflow_provider_schemas.store.table import Table


class LiveFile(Struct, frozen=True):
    """A data file that the snapshot has."""

    path: str
    """Below the root of the store; or an address of its own, if the file lies outside the table."""
    outside: bool
    size: int
    rows: int
    version: int
    """The version of the schema with which it was written."""
    format: str
    """parquet, orc or avro."""
    partition: tuple[tuple[str, PartitionValue], ...]
    """The partition keys with their values, as carriers; None for NULL."""


class Live(Struct, frozen=True):
    """The data files of a table at one time."""

    table: str
    branch: str
    snapshot: int | None
    """None if nothing was ever committed, and for a tag."""
    version: int | None
    """The newest version when the snapshot was committed; None if nothing was."""
    files: tuple[LiveFile, ...]


def live_files(table: Table, *, snapshot: int | None = None, tag: str | None = None) -> Live:
    """Return the data files of a table, on its branch. Raise ProjectionError if reading its files alone would give other rows."""
    request = SnapshotRequest(table, table.latest(), snapshot, tag)
    _check_request(table, snapshot, tag)
    check_table(request)
    if tag is not None:
        return _read_files(request, _read_tag(table, tag))
    if snapshot is not None:
        return _read_files(request, _read_numbered(table, snapshot))
    return with_newest(table.place, table.branch_name, table.name, lambda number: _read_newest(request, number))


def _check_request(table: Table, snapshot: object, tag: object) -> None:
    if table.place.layout is not Layout.PAIMON:
        message = f"{table.name} is laid out as {table.place.layout}, which has no manifests that name its files."
        raise ProjectionError(message, code="live.no-paimon", path=table.name, fix="Name the folder of its data.")
    if snapshot is not None and tag is not None:
        raise ContractError("a snapshot and a tag were named.", code="live.both", path="tag", fix="Name one of them.")
    if snapshot is not None and (type(snapshot) is not int or snapshot < 1):
        fix = "Pass its number; the first is 1."
        raise ContractError(f"{shown(snapshot)} is no number of a snapshot.", code="live.snapshot", path="snapshot", fix=fix)
    if tag is not None and not isinstance(tag, str):
        raise ContractError(f"a {type(tag).__name__} is no name of a tag.", code="live.tag", path="tag", fix="Pass its name.")


# ---------------------------------------------------------------- which snapshot


def _read_newest(request: SnapshotRequest, number: int | None) -> Live:
    if number is None:
        return Live(request.table.name, request.table.branch_name, None, None, ())
    return _read_files(request, _read_snapshot(request.table, number))


def _read_snapshot(table: Table, number: int) -> Anchor:
    path = numbered_snapshots(table.place, table.branch_name).path(number)
    return read_named(table.place.files, AnchorKind.SNAPSHOT, str(number), path)


def _read_numbered(table: Table, number: int) -> Anchor:
    try:
        return _read_snapshot(table, number)
    except NotThereError:
        there = numbered_snapshots(table.place, table.branch_name).numbers()
        if number in there:
            raise
        fix = "It has none: nothing was ever committed."
        if there:
            fix = f"There are {len(there)}: {there[0]} to {there[-1]}."
        raise _not_there(table, f"snapshot {number}", fix) from None


def _read_tag(table: Table, tag: str) -> Anchor:
    folder = joined(branch_folder(table.place.folder, table.branch_name), AnchorKind.TAG)
    name = file_name(f"tag-{tag}")
    try:
        return read_named(table.place.files, AnchorKind.TAG, tag, f"{folder}/{name}")
    except NotThereError:
        names = [entry.name for entry in table.place.files.list(folder)]
        tags = sorted(name.removeprefix("tag-") for name in names if name.startswith("tag-"))
        fix = "It has no tags."
        if tags:
            fix = f"It has {', '.join(tags[:10])}."
        raise _not_there(table, f"tag {shown(tag)}", fix) from None


def _not_there(table: Table, what: str, fix: str) -> NotThereError:
    branch = "" if table.branch_name == MAIN else f" on branch {shown(table.branch_name)}"
    return NotThereError(f"{table.name} has no {what}{branch}.", code="live.not-there", path=table.name, fix=fix)


# ---------------------------------------------------------------- its files


def _read_files(request: SnapshotRequest, anchor: Anchor) -> Live:
    """Read the data files of a snapshot, and refuse it if they are not all of it."""
    table = request.table
    try:
        files = tuple(read_live_entries(table.place, anchor))
        check_files(request, TableFiles(table, request.head, anchor, files))
    except FormatError as error:
        raise manifest_error(request, error) from None
    number = int(anchor.name) if anchor.kind is AnchorKind.SNAPSHOT else None
    return Live(table.name, table.branch_name, number, anchor.schema, _locate_files(request, files))


def _locate_files(request: SnapshotRequest, files: tuple[ManifestFile, ...]) -> tuple[LiveFile, ...]:
    """Return the files with their paths and the values of their partitions, each partition looked at once."""
    schema = request.head.schema
    keys = partition_keys(schema, request.table.name)
    folders = Folders(request.table.place, keys, schema.options, request.table.name)
    # By the row, and not by its values: 0.0 equals -0.0, and lies elsewhere.
    values = {row: read_values(row, keys) for row in {file.partition for file in files}}
    named = {row: _name_values(keys, row_values) for row, row_values in values.items()}
    inside = {row: folders.find(values[row]) for row in {file.partition for file in files if not file.external}}
    live: list[LiveFile] = []
    for file in files:
        path = file.external or folders.file_path(inside[file.partition], file.bucket, file.name)
        outside = bool(file.external)
        live.append(LiveFile(path, outside, file.size, file.rows, file.version, file.format, named[file.partition]))
    return tuple(live)


def _name_values(keys: tuple[Key, ...], values: tuple[PartitionValue, ...]) -> tuple[tuple[str, PartitionValue], ...]:
    return tuple(zip((key.name for key in keys), values, strict=True))

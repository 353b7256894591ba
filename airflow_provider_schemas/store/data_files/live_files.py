"""The data files of a Paimon table: of its newest snapshot, of an older one, or of a tag, on any branch.

The snapshot names manifests, and those name the files with what is needed to read them: where each lies, with which
version it was written, and the values of its partition, which say more surely than the name of a folder what they are.
"""

from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, FormatError, NotThereError, ProjectionError
from airflow_provider_schemas.store.data_files.manifest_entries import Entry, entries
from airflow_provider_schemas.store.data_files.manifest_reader import of_newest, read_named, snapshots
from airflow_provider_schemas.store.data_files.partition_folders import Folders
from airflow_provider_schemas.store.data_files.partition_values import partition_keys, values_of
from airflow_provider_schemas.store.data_files.unsupported_tables import Asked, Found, check_files, check_table, of_manifests
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import Layout, branch_folder, joined
from airflow_provider_schemas.store.paimon.manifests import file_name
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind
from airflow_provider_schemas.store.table import Table


class LiveFile(Struct, frozen=True):
    """One data file."""

    path: str
    """Below the root of the store; or an address of its own, if the file lies outside the table."""
    outside: bool
    size: int
    rows: int
    version: int
    """With which version of the schema it was written."""
    format: str
    """parquet, orc or avro."""
    partition: tuple[tuple[str, Any], ...]
    """The partition keys with their values, as carriers; None for NULL."""


class Live(Struct, frozen=True):
    """The data files of a table at one time."""

    table: str
    branch: str
    snapshot: int | None
    """None if nothing was ever committed, and under a tag."""
    version: int | None
    """The newest version when that was committed; None if nothing was."""
    files: tuple[LiveFile, ...]


def live_files(table: Table, *, snapshot: int | None = None, tag: str | None = None) -> Live:
    """The data files of a table, on its branch. ProjectionError if there is more to reading it than to read its files."""
    asked = Asked(table, table.latest(), snapshot, tag)
    _check(table, snapshot, tag)
    check_table(asked)
    if tag is not None:
        return _of(asked, _tagged(table, tag))
    if snapshot is not None:
        return _of(asked, _numbered(table, snapshot))
    return of_newest(table.place, table.branch_name, table.name, lambda number: _newest(asked, number))


def _check(table: Table, snapshot: object, tag: object) -> None:
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


def _newest(asked: Asked, number: int | None) -> Live:
    if number is None:
        return Live(asked.table.name, asked.table.branch_name, None, None, ())
    return _of(asked, _read(asked.table, number))


def _read(table: Table, number: int) -> Anchor:
    path = snapshots(table.place, table.branch_name).path(number)
    return read_named(table.place.files, AnchorKind.SNAPSHOT, str(number), path)


def _numbered(table: Table, number: int) -> Anchor:
    try:
        return _read(table, number)
    except NotThereError:
        there = snapshots(table.place, table.branch_name).numbers()
        if number in there:
            raise
        fix = f"There are {len(there)}: {there[0]} to {there[-1]}." if there else "It has none: nothing was ever committed."
        raise _missing(table, f"snapshot {number}", fix) from None


def _tagged(table: Table, tag: str) -> Anchor:
    folder = joined(branch_folder(table.place.folder, table.branch_name), AnchorKind.TAG)
    name = file_name(f"tag-{tag}")
    try:
        return read_named(table.place.files, AnchorKind.TAG, tag, f"{folder}/{name}")
    except NotThereError:
        there = sorted(one.name.removeprefix("tag-") for one in table.place.files.list(folder) if one.name.startswith("tag-"))
        raise _missing(table, f"tag {shown(tag)}", f"It has {', '.join(there[:10])}." if there else "It has no tags.") from None


def _missing(table: Table, what: str, fix: str) -> NotThereError:
    branch = "" if table.branch_name == MAIN else f" on branch {shown(table.branch_name)}"
    return NotThereError(f"{table.name} has no {what}{branch}.", code="live.not-there", path=table.name, fix=fix)


# ---------------------------------------------------------------- its files


def _of(asked: Asked, anchor: Anchor) -> Live:
    table = asked.table
    try:
        found = tuple(entries(table.place, anchor))
        check_files(asked, Found(table, asked.head, anchor, found))
    except FormatError as error:
        raise of_manifests(asked, error) from None
    number = int(anchor.name) if anchor.kind is AnchorKind.SNAPSHOT else None
    return Live(table.name, table.branch_name, number, anchor.schema, _files(asked, found))


def _files(asked: Asked, found: tuple[Entry, ...]) -> tuple[LiveFile, ...]:
    schema = asked.head.schema
    keys = partition_keys(schema, asked.table.name)
    folders = Folders(asked.table.place, keys, schema.options, asked.table.name)
    # By the row, and not by its values: 0.0 equals -0.0, and lies elsewhere.
    values = {row: values_of(row, keys) for row in {one.partition for one in found}}
    named = {row: tuple(zip((key.name for key in keys), each, strict=True)) for row, each in values.items()}
    inside = {row: folders.of(values[row]) for row in {one.partition for one in found if not one.external}}
    return tuple(_file(one, folders, inside.get(one.partition, ()), named[one.partition]) for one in found)


def _file(one: Entry, folders: Folders, inside: tuple[str, ...], named: tuple[tuple[str, Any], ...]) -> LiveFile:
    path = one.external or folders.path(inside, one.bucket, one.name)
    return LiveFile(path, bool(one.external), one.size, one.rows, one.version, one.format, named)

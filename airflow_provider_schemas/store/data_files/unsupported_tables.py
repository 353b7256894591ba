"""What makes more of a Paimon table than its data files say: rows that others replace, delete or complete. Refused by name.

Each reason is a line of a table, and all that hold are told at once, with the line that reads the table with Paimon's
own connector.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import Fault, FormatError, ProjectionError, SchemaError
from airflow_provider_schemas.store.data_files.manifest_entries import Entry
from airflow_provider_schemas.store.data_files.manifest_reader import check_version, read_each
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.paimon.avro_errors import MANIFEST_FORMAT
from airflow_provider_schemas.store.paimon.avro_records import WantedField, read_records
from airflow_provider_schemas.store.paimon.snapshots import Anchor
from airflow_provider_schemas.store.table import Table

FORMATS: Final = frozenset({"parquet", "orc", "avro"})
_SHOWN: Final = 3
_INDEX_VERSION: Final = 1
_DELETIONS: Final = "DELETION_VECTORS"
_INDEX: Final = (
    WantedField("_VERSION", "long"),
    WantedField("_KIND", "long"),
    WantedField("_INDEX_TYPE", "string"),
    WantedField("_FILE_NAME", "string"),
)


class Asked(NamedTuple):
    """A table, and what was asked of it: its newest snapshot, one by its number, or a tag."""

    table: Table
    head: Version
    snapshot: int | None = None
    tag: str | None = None

    @property
    def newest(self) -> bool:
        return self.snapshot is None and self.tag is None


class Found(NamedTuple):
    """What was found of it."""

    table: Table
    head: Version
    anchor: Anchor
    files: tuple[Entry, ...]


class Reason(NamedTuple):
    """One thing that a table has beside its files."""

    code: str
    path: str
    message: str
    fix: str = ""
    """What helps; Paimon's own connector, if it is nothing else."""


def check_table(asked: Asked) -> None:
    """Refuse a table whose files are not all of it, by what its schema says; asks for nothing more."""
    _refuse(asked, [*_kept_by_key(asked), *_of_options(asked)])


def check_files(asked: Asked, found: Found) -> None:
    """The same by what its manifests say of its files."""
    _refuse(asked, [reason for check in _CHECKS for reason in check(found)])


def of_manifests(asked: Asked, error: FormatError) -> SchemaError:
    """The error about a manifest that could not be read; of one in a format that only Paimon reads, with the line that reads the table."""
    if error.code != MANIFEST_FORMAT:
        return error
    message = f"{asked.table.name} cannot be read by its manifests. {error.path}: {error.faults[0].message}"
    fix = f"There is nothing to restore and nothing to expire. Read it with Paimon's own connector: {connector(asked)}"
    return ProjectionError(message, code="live.manifest-format", path=asked.table.name, fix=fix)


def _refuse(asked: Asked, reasons: Iterable[Reason]) -> None:
    fix = f"Read it with Paimon's own connector: {connector(asked)}"
    found = dict.fromkeys(reasons)
    faults = [Fault(one.code, one.path or asked.table.name, f"{asked.table.name} {one.message}.", one.fix or fix) for one in found]
    if faults:
        raise ProjectionError.of(faults)


def connector(asked: Asked) -> str:
    """The line that reads the table with Paimon's own connector."""
    branch = "" if asked.table.branch_name == MAIN else asked.table.branch_name
    options = {"branch": branch, "scan.snapshot-id": asked.snapshot, "scan.tag-name": asked.tag}
    said = "".join(f".option({_quoted(key)}, {_quoted(str(value))})" for key, value in options.items() if value)
    return f'spark.read.format("paimon"){said}.load({_quoted(_address(asked.table))})'


def _address(table: Table) -> str:
    """Where the table lies, as people know it."""
    return f"{table.place.files.url.rstrip('/')}/{joined(table.place.folder)}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# ---------------------------------------------------------------- by its schema


def _kept_by_key(asked: Asked) -> Iterator[Reason]:
    if keys := asked.head.schema.primary_keys:
        yield Reason("live.primary-key", "", f"has a primary key ({', '.join(keys)}), by which rows of several files are merged")


class _Meaning(NamedTuple):
    """An option that changes what a reader sees."""

    message: str
    harmless: frozenset[str] = frozenset()
    of_newest: bool = False
    """Whether it says no more once the caller says which snapshot."""


_BRANCHES: Final = "reads partitions that it lacks, or others, from another branch"
_TIME: Final = _Meaning("is read as of another time than now", of_newest=True)
_NO: Final = frozenset({"false"})
_MEANINGS: Final[Mapping[str, _Meaning]] = {
    "type": _Meaning("is no table of snapshots and manifests", frozenset({"table", "materialized-table"})),
    "scan.fallback-branch": _Meaning(_BRANCHES),
    "scan.primary-branch": _Meaning(_BRANCHES),
    "chain-table.enabled": _Meaning(_BRANCHES, _NO),
    "query-auth.enabled": _Meaning("shows each user other rows and columns, as its catalog says", _NO),
    "scan.mode": _Meaning(_TIME.message, frozenset({"default", "latest", "latest-full", "full"}), of_newest=True),
    **dict.fromkeys(
        ("scan.snapshot-id", "scan.tag-name", "scan.version", "scan.timestamp", "scan.timestamp-millis", "scan.watermark"), _TIME
    ),
    **dict.fromkeys(("scan.file-creation-time-millis", "scan.creation-time-millis"), _TIME),
    **dict.fromkeys(("incremental-between", "incremental-between-timestamp", "incremental-to-auto-tag"), _TIME),
}
_LAYOUT: Final = ".map.storage-layout"


def _of_options(asked: Asked) -> Iterator[Reason]:
    for key, value in asked.head.schema.options.items():
        meaning = _MEANINGS.get(key)
        said = value.strip().lower()
        if meaning and said not in meaning.harmless and (asked.newest or not meaning.of_newest):
            yield Reason("live.option", key, f"{meaning.message}: its option {key} is {shown(value)}")


def _of_layouts(schema: TableSchema) -> Iterator[Reason]:
    for key, value in schema.options.items():
        if key.startswith("fields.") and key.endswith(_LAYOUT) and value.strip().lower() == "shared-shredding":
            yield Reason("live.option", key, f"keeps a map in parts that only Paimon puts together: its option {key} is {shown(value)}")


# ---------------------------------------------------------------- by its manifests


def _versions(found: Found) -> Iterator[Reason]:
    """What the versions say with which the files were written.

    A key that was dropped holds no longer, but the files that it was written for still have its rows several times.
    """
    live = {one.version for one in found.files}
    schemas = {one.number: one.schema for one in ([found.head] if live <= {found.head.number} else found.table.versions())}
    if lost := sorted(live - schemas.keys()):
        numbers = ", ".join(map(str, lost))
        message = f"has files of version {numbers}, and no schema file of it that says how to read them"
        yield Reason("live.no-version", "", message, "Restore it from a backup.")
    for number in sorted(live & schemas.keys()):
        if keys := schemas[number].primary_keys:
            message = f"has files of version {number}, which had a primary key ({', '.join(keys)}), by which their rows are merged"
            yield Reason("live.primary-key", "", message)
        yield from _of_layouts(schemas[number])


def _formats(found: Found) -> Iterator[Reason]:
    for kind in sorted({one.format for one in found.files} - FORMATS):
        names = [one.name for one in found.files if one.format == kind]
        yield Reason("live.format", "", f"has files that are neither Parquet, ORC nor Avro: {_some(names)}")


def _deleting_rows(found: Found) -> Iterator[Reason]:
    if names := [one.name for one in found.files if one.deleted]:
        yield Reason("live.deleting-rows", "", f"has files with rows that say that others are deleted: {_some(names)}")


def _parts_of_rows(found: Found) -> Iterator[Reason]:
    """Two files with columns of the same rows (data evolution): each alone has rows that are not whole."""
    ranges = sorted((one.first_row, one.first_row + one.rows, one.name) for one in found.files if one.first_row is not None and one.rows)
    end, last = -1, ""
    for start, stop, name in ranges:
        if start < end:
            message = f"keeps some columns of a row in one file and some in another (data evolution), such as {last} and {name}"
            yield Reason("live.parts-of-rows", "", message)
            return
        end, last = stop, name


def _deletion_vectors(found: Found) -> Iterator[Reason]:
    if found.anchor.index is None:
        return
    for name, left in read_each(found.table.place, [found.anchor.index.file], _deletions):
        if left > 0:
            message = f"has deletion vectors, {left} files of them: its data files still hold rows that were deleted ({name})"
            yield Reason("live.deletion-vectors", "", message)


def _deletions(data: bytes) -> int:
    """How many files of deletion vectors an index manifest names."""
    left: dict[str, int] = {}
    for one in read_records(data, _INDEX):
        check_version(one, "a manifest of indexes", _INDEX_VERSION)
        if one["_INDEX_TYPE"] == _DELETIONS:
            left[one["_FILE_NAME"]] = left.get(one["_FILE_NAME"], 0) + (1 if one["_KIND"] == 0 else -1)
    return sum(count > 0 for count in left.values())


_CHECKS: Final[tuple[Callable[[Found], Iterator[Reason]], ...]] = (
    _versions,
    _formats,
    _deleting_rows,
    _parts_of_rows,
    _deletion_vectors,
)


def _some(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")

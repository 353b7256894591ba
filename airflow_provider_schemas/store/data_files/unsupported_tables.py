"""Tables whose data files are not the whole truth: rows of one file replace, delete or complete those of another. They are refused.

All reasons that hold are reported at once, with the line that reads the table with Paimon's own connector.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import Fault, FormatError, ProjectionError, SchemaError
from airflow_provider_schemas.formats.avro.errors import MANIFEST_FORMAT
from airflow_provider_schemas.formats.avro.records import WantedField, read_records
from airflow_provider_schemas.store.data_files.manifest_entries import ManifestFile
from airflow_provider_schemas.store.data_files.manifest_reader import ADDED, check_version, read_each
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import joined
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


class SnapshotRequest(NamedTuple):
    """A table, and which of its snapshots is wanted: the newest one, one by its number, or a tag."""

    table: Table
    head: Version
    snapshot: int | None = None
    tag: str | None = None

    @property
    def is_newest(self) -> bool:
        return self.snapshot is None and self.tag is None


class TableFiles(NamedTuple):
    """The data files of one snapshot of a table."""

    table: Table
    head: Version
    anchor: Anchor
    files: tuple[ManifestFile, ...]


class RefusalReason(NamedTuple):
    """One thing that a reader of the data files alone would miss."""

    code: str
    path: str
    message: str
    fix: str = ""
    """What helps; if empty, Paimon's own connector."""


def check_table(request: SnapshotRequest) -> None:
    """Refuse a table whose schema says that its files are not all of it. Reads nothing more."""
    _refuse(request, [*_by_primary_key(request), *_by_options(request)])


def check_files(request: SnapshotRequest, snapshot: TableFiles) -> None:
    """Refuse a table whose manifests say that its files are not all of it."""
    reasons: list[RefusalReason] = []
    for check in _CHECKS:
        reasons += check(snapshot)
    _refuse(request, reasons)


def manifest_error(request: SnapshotRequest, error: FormatError) -> SchemaError:
    """Return the error about a manifest; for a format that only Paimon reads, with the line that reads the table."""
    if error.code != MANIFEST_FORMAT:
        return error
    message = f"{request.table.name} cannot be read by its manifests. {error.path}: {error.faults[0].message}"
    fix = f"There is nothing to restore and nothing to expire. Read it with Paimon's own connector: {_connector_line(request)}"
    return ProjectionError(message, code="live.manifest-format", path=request.table.name, fix=fix)


def _refuse(request: SnapshotRequest, reasons: Iterable[RefusalReason]) -> None:
    """Raise an error with every reason once, if there is any."""
    name = request.table.name
    fix = f"Read it with Paimon's own connector: {_connector_line(request)}"
    faults = [Fault(reason.code, reason.path or name, f"{name} {reason.message}.", reason.fix or fix) for reason in dict.fromkeys(reasons)]
    if faults:
        raise ProjectionError.of(faults)


def _connector_line(request: SnapshotRequest) -> str:
    """Return the line that reads the table with Paimon's own connector."""
    branch = "" if request.table.branch_name == MAIN else request.table.branch_name
    options = {"branch": branch, "scan.snapshot-id": request.snapshot, "scan.tag-name": request.tag}
    calls = "".join(f".option({_quoted(key)}, {_quoted(str(value))})" for key, value in options.items() if value)
    return f'spark.read.format("paimon"){calls}.load({_quoted(_address(request.table))})'


def _address(table: Table) -> str:
    """Return the folder of the table as users write it."""
    return f"{table.place.files.url.rstrip('/')}/{joined(table.place.folder)}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# ---------------------------------------------------------------- by its schema


def _by_primary_key(request: SnapshotRequest) -> Iterator[RefusalReason]:
    keys = request.head.schema.primary_keys
    if keys:
        message = f"has a primary key ({', '.join(keys)}), by which rows of several files are merged"
        yield RefusalReason("live.primary-key", "", message)


class _Meaning(NamedTuple):
    """An option that changes what a reader sees."""

    message: str
    harmless: frozenset[str] = frozenset()
    of_newest: bool = False
    """Whether it has no effect where the caller names a snapshot."""


_OTHER_BRANCH: Final = "reads partitions that it lacks, or others, from another branch"
_OTHER_TIME: Final = _Meaning("is read as of another time than now", of_newest=True)
_OFF: Final = frozenset({"false"})
_MEANINGS: Final[Mapping[str, _Meaning]] = {
    "type": _Meaning("is no table of snapshots and manifests", frozenset({"table", "materialized-table"})),
    "scan.fallback-branch": _Meaning(_OTHER_BRANCH),
    "scan.primary-branch": _Meaning(_OTHER_BRANCH),
    "chain-table.enabled": _Meaning(_OTHER_BRANCH, _OFF),
    "query-auth.enabled": _Meaning("shows each user other rows and columns, as its catalog says", _OFF),
    "scan.mode": _Meaning(_OTHER_TIME.message, frozenset({"default", "latest", "latest-full", "full"}), of_newest=True),
    **dict.fromkeys(
        ("scan.snapshot-id", "scan.tag-name", "scan.version", "scan.timestamp", "scan.timestamp-millis", "scan.watermark"), _OTHER_TIME
    ),
    **dict.fromkeys(("scan.file-creation-time-millis", "scan.creation-time-millis"), _OTHER_TIME),
    **dict.fromkeys(("incremental-between", "incremental-between-timestamp", "incremental-to-auto-tag"), _OTHER_TIME),
}
_LAYOUT: Final = ".map.storage-layout"


def _by_options(request: SnapshotRequest) -> Iterator[RefusalReason]:
    for key, value in request.head.schema.options.items():
        meaning = _MEANINGS.get(key)
        if meaning is None or value.strip().lower() in meaning.harmless:
            continue
        if request.is_newest or not meaning.of_newest:
            yield RefusalReason("live.option", key, f"{meaning.message}: its option {key} is {shown(value)}")


def _by_map_layout(schema: TableSchema) -> Iterator[RefusalReason]:
    for key, value in schema.options.items():
        if key.startswith("fields.") and key.endswith(_LAYOUT) and value.strip().lower() == "shared-shredding":
            message = f"keeps a map in parts that only Paimon puts together: its option {key} is {shown(value)}"
            yield RefusalReason("live.option", key, message)


# ---------------------------------------------------------------- by its manifests


def _by_versions(snapshot: TableFiles) -> Iterator[RefusalReason]:
    """Check the versions that the files were written with.

    A key that was dropped holds no longer, but the files that it was written for still have its rows several times.
    """
    live = {file.version for file in snapshot.files}
    versions: tuple[Version, ...] = (snapshot.head,)
    if not live <= {snapshot.head.number}:  # listing the versions takes requests
        versions = snapshot.table.versions()
    schemas = {version.number: version.schema for version in versions}
    lost = sorted(live - schemas.keys())
    if lost:
        numbers = ", ".join(map(str, lost))
        message = f"has files of version {numbers}, and no schema file of it that says how to read them"
        yield RefusalReason("live.no-version", "", message, "Restore it from a backup.")
    for number in sorted(live & schemas.keys()):
        keys = schemas[number].primary_keys
        if keys:
            message = f"has files of version {number}, which had a primary key ({', '.join(keys)}), by which their rows are merged"
            yield RefusalReason("live.primary-key", "", message)
        yield from _by_map_layout(schemas[number])


def _by_formats(snapshot: TableFiles) -> Iterator[RefusalReason]:
    for unknown in sorted({file.format for file in snapshot.files} - FORMATS):
        names = [file.name for file in snapshot.files if file.format == unknown]
        yield RefusalReason("live.format", "", f"has files that are neither Parquet, ORC nor Avro: {_first_names(names)}")


def _by_deleting_rows(snapshot: TableFiles) -> Iterator[RefusalReason]:
    names = [file.name for file in snapshot.files if file.deleted]
    if names:
        yield RefusalReason("live.deleting-rows", "", f"has files with rows that say that others are deleted: {_first_names(names)}")


def _by_row_parts(snapshot: TableFiles) -> Iterator[RefusalReason]:
    """Check for two files with columns of the same rows (data evolution): each alone has incomplete rows."""
    parts = sorted(
        (file.first_row, file.first_row + file.rows, file.name) for file in snapshot.files if file.first_row is not None and file.rows
    )
    last_end = -1
    last_name = ""
    for start, end, name in parts:
        if start < last_end:
            message = f"keeps some columns of a row in one file and some in another (data evolution), such as {last_name} and {name}"
            yield RefusalReason("live.parts-of-rows", "", message)
            return
        last_end = end
        last_name = name


def _by_deletion_vectors(snapshot: TableFiles) -> Iterator[RefusalReason]:
    if snapshot.anchor.index is None:
        return
    for name, left in read_each(snapshot.table.place, [snapshot.anchor.index.file], _count_deletion_vectors):
        if left > 0:
            message = f"has deletion vectors, {left} files of them: its data files still hold rows that were deleted ({name})"
            yield RefusalReason("live.deletion-vectors", "", message)


def _count_deletion_vectors(data: bytes) -> int:
    """Count the files of deletion vectors that an index manifest leaves."""
    count: Counter[str] = Counter()
    for record in read_records(data, _INDEX):
        check_version(record, "a manifest of indexes", _INDEX_VERSION)
        if record["_INDEX_TYPE"] == _DELETIONS:
            count[record["_FILE_NAME"]] += 1 if record["_KIND"] == ADDED else -1
    return sum(left > 0 for left in count.values())


_CHECKS: Final[tuple[Callable[[TableFiles], Iterator[RefusalReason]], ...]] = (
    _by_versions,
    _by_formats,
    _by_deleting_rows,
    _by_row_parts,
    _by_deletion_vectors,
)


def _first_names(names: list[str]) -> str:
    text = ", ".join(names[:_SHOWN])
    if len(names) <= _SHOWN:
        return text
    return f"{text} and {len(names) - _SHOWN} more"

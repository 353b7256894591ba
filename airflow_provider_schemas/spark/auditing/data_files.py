"""The data files of one table of an audit: whether each can be read, is what its version says, and still turns into what the table is now.

What `read_table` would refuse is a finding here; but all of it, table by table, and no row is read.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.projection.projection import project
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import row
from airflow_provider_schemas.errors import Fault, NotThereError, SchemaError
from airflow_provider_schemas.spark.auditing.data_access import DataAccess
from airflow_provider_schemas.spark.auditing.old_files import CHAIN
from airflow_provider_schemas.spark.auditing.read_versions import read_in_order
from airflow_provider_schemas.spark.auditing.rows import Row, make_finding, make_row, read_owner, unread_row
from airflow_provider_schemas.spark.files.data_file import PARQUET, DataFile
from airflow_provider_schemas.spark.files.discovery import FoundFiles
from airflow_provider_schemas.spark.files.file_schemas import Origins, ResolvedFile
from airflow_provider_schemas.store.footers.bound_folders import Bound, check_bindings
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.resolve_schema import WrittenSchema
from airflow_provider_schemas.store.registry import bindings
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.version_log import Versions

# The rule for an error of reading a file.
_RULES: Final = {
    "read.unreadable-file": "FILE_UNREADABLE",
    "read.missing-version": "VERSION_MISSING",
    "live.no-version": "VERSION_MISSING",
    "read.unknown-file": "FILE_UNEXPLAINED",
    "read.ambiguous-file": "FILE_UNEXPLAINED",
    "read.ambiguous-folder": "FILE_UNEXPLAINED",
    "read.partly-stamped": "FILE_UNEXPLAINED",
    "read.binding-moved": "FILE_UNEXPLAINED",
    "read.unknown-id": "FILE_DIFFERS",
    "read.contradicting-id": "FILE_DIFFERS",
    "read.duplicate-id": "FILE_DIFFERS",
    "read.file-contradicts-manifest": "FILE_DIFFERS",
    "read.wrong-binding": "FILE_DIFFERS",
    "read.bad-folder": "FILE_DIFFERS",
}
# Nothing is wrong with these tables: they have no data yet, or data that only another reader puts together.
_NO_FILES: Final = frozenset({"read.no-folder", "read.no-location", "read.format", "live.no-paimon", "live.no-folder"})
_OF_CONNECTOR: Final = frozenset({
    "live.primary-key", "live.deletion-vectors", "live.deleting-rows", "live.parts-of-rows", "live.option", "live.format",
})  # fmt: skip
_ROUNDS: Final = 100


class DataAudit(NamedTuple):
    """What came out for the data of a table."""

    rows: tuple[Row, ...] = ()
    files: int = 0


def audit_data(data: DataAccess, table: Table, *, bound: bool, history: Sequence[Version] = ()) -> DataAudit:
    """Return the findings about the files of a table as they are now.

    `bound` is whether the registry has bindings for its folders. `history` is its versions, the newest last, if they were read just now.
    """
    try:
        return _DataAuditor(data, table, bound, history).audit()
    except NotThereError:  # it went away meanwhile
        return DataAudit()
    except SchemaError as error:
        return DataAudit(tuple(unread_row(table.name, fault, table.branch_name) for fault in error.faults))
    except Exception as error:  # noqa: BLE001  # data that breaks the audit itself becomes a row, and the others are audited
        message = f"the audit of the data of {table.name} failed: {type(error).__name__}: {without_credentials(str(error))}."
        fault = Fault("audit.failed", table.name, message, "Look at the table by itself, and report this.")
        return DataAudit((unread_row(table.name, fault, table.branch_name),))


class _DataAuditor:
    """Audits the files of one table on one branch."""

    def __init__(self, data: DataAccess, table: Table, bound: bool, history: Sequence[Version]) -> None:
        self.data = data
        self.table = table
        self.bound = bound
        self.history = history
        self.rows: list[Row] = []

    def audit(self) -> DataAudit:
        self.head = self.history[-1] if self.history else self.table.latest()
        found = self._find_files()
        if found is None or not found.files:
            return self._result(0)
        self.known = KnownFields(self.history or self._read_versions())
        origins = self._read_origins(found)
        if origins is not None:
            self._check_casts(self._read_sources(origins, self._read_footers(found.files)))
        return self._result(len(found.files))

    def _result(self, files: int) -> DataAudit:
        if not self.rows:
            return DataAudit(files=files)
        owner, contact = read_owner(self.head.schema)
        return DataAudit(tuple(row._replace(owner=owner, contact=contact) for row in self.rows), files)

    def _read_versions(self) -> Iterator[Version]:
        """Yield the versions that can be read; the audit of versions tells of the others."""
        place = self.table.place
        versions = Versions(place.files, place.folder, place.layout, self.table.branch_name, VersionCache())
        return (version for version in read_in_order(versions, self.table.numbers()) if isinstance(version, Version))

    # ------------------------------------------------------------ files

    def _find_files(self) -> FoundFiles | None:
        try:
            return self.data.find_files(self.table, self.head.schema)
        except SchemaError as error:
            self._note([fault for fault in error.faults if fault.code not in _NO_FILES | _OF_CONNECTOR])
            return None

    def _read_origins(self, found: FoundFiles) -> Origins | None:
        """Read the bindings of the folders; None if they contradict the versions."""
        try:
            bound = self._read_bindings() if self.bound and found.base else ()
            check_bindings(self.table.name, bound, self.known.versions.values())
        except SchemaError as error:
            self._note(error.faults)
            return None
        return Origins(self.table.name, self.known, self.head.schema, found.base, Bound(bound, found.base))

    def _read_bindings(self) -> tuple[bindings.Binding, ...]:
        listed = bindings.listed(self.table.registry, self.table.id)
        for unreadable in listed.unreadable:
            self._note(unreadable.error.faults)
        return listed.bindings

    def _read_footers(self, files: Sequence[DataFile]) -> list[tuple[DataFile, Footer | None]]:
        """Return the files that can be read, with their footers; without, where a manifest describes a file and its footer costs much."""
        pending = [file for file in files if file.version is None or (file.format == PARQUET and self.data.reads_footers)]
        readable: dict[str, tuple[DataFile, Footer | None]] = {file.path: (file, None) for file in files}
        for _ in range(_ROUNDS):
            try:
                footers = self.data.read_footers(pending, self.table.name)
            except SchemaError as error:
                broken = {fault.path for fault in error.faults}
                self._note(error.faults)
            else:
                readable |= {file.path: (file, footer) for file, footer in zip(pending, footers, strict=True)}
                return list(readable.values())
            left = [file for file in pending if file.path not in broken]
            if len(left) == len(pending):
                break
            readable = {path: pair for path, pair in readable.items() if path not in broken}
            pending = left
        return []

    def _read_sources(self, origins: Origins, files: Sequence[tuple[DataFile, Footer | None]]) -> list[ResolvedFile]:
        """Return what the files hold; files of which that is not known become one row for each reason."""
        sources: list[ResolvedFile] = []
        origins.count(file for file, _ in files)
        unclear: dict[tuple[str, str], list[tuple[Fault, DataFile]]] = defaultdict(list)
        for file, footer in files:
            try:
                sources += origins.resolve([file], [footer])
            except SchemaError as error:
                for fault in error.faults:
                    unclear[fault.code, fault.message.partition(": ")[2]].append((fault, file))
        for (_, reason), pairs in unclear.items():
            self._add_unclear(reason, pairs)
        return sources

    def _add_unclear(self, reason: str, pairs: Sequence[tuple[Fault, DataFile]]) -> None:
        fault, first = pairs[0]
        text = f"{_name_files([file for _, file in pairs])}: {reason}" if reason else fault.message
        self._add_fault(fault, text, first.path, len(pairs))

    # ------------------------------------------------------------ what becomes of them

    def _check_casts(self, sources: Sequence[ResolvedFile]) -> None:
        """Check whether what the files hold turns into what the table is now, once for all files that hold the same."""
        alike: dict[int, list[ResolvedFile]] = defaultdict(list)
        for source in sources:
            alike[id(source.written)].append(source)
        for group in alike.values():
            self._check_cast(group[0].written, [source.file for source in group])

    def _check_cast(self, written: WrittenSchema, files: Sequence[DataFile]) -> None:
        there = (*written.columns, *written.keys)
        wires = {column.id: column.wire for column in there}
        changed = [column for column in self.head.schema.fields if wires.get(column.id) != column.wire]
        try:
            project(row(there), row(changed), casts="checked")
        except SchemaError as error:
            for fault in error.faults:
                finding = make_finding(CHAIN, fault.path, fault=fault.code, reason=f"{_name_files(files)}: {fault}")
                self._add(finding, files[0].path, len(files), written.version)

    # ------------------------------------------------------------ rows

    def _note(self, faults: Sequence[Fault]) -> None:
        for fault in faults:
            if fault.code in _RULES:
                self._add_fault(fault, fault.message, fault.path, 1)
            else:
                self.rows.append(unread_row(self.table.name, fault, self.table.branch_name))

    def _add_fault(self, fault: Fault, reason: str, file: str, count: int) -> None:
        finding = make_finding(_RULES[fault.code], file, fault=fault.code, fix=fault.fix, reason=reason)
        self._add(finding, file, count, None)

    def _add(self, finding: Finding, file: str, count: int, version: int | None) -> None:
        self.rows.append(make_row(finding, self.table.name, self.table.branch_name, version=version, file=file, files=count))


def _name_files(files: Sequence[DataFile]) -> str:
    """Name the first of some files, and how many more there are."""
    name = without_credentials(files[0].path)
    if len(files) == 1:
        return name
    return f"{name} and {len(files) - 1:,} more"

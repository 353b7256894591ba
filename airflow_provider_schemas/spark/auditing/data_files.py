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
from airflow_provider_schemas.spark.auditing.read_versions import read
from airflow_provider_schemas.spark.auditing.rows import Row, found, row_of, unread, whose
from airflow_provider_schemas.spark.files.data_file import PARQUET, DataFile
from airflow_provider_schemas.spark.files.discovery import FoundFiles
from airflow_provider_schemas.spark.files.file_schemas import Origins, ResolvedFile
from airflow_provider_schemas.store.footers.bound_folders import Bound, check_bindings
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.registry import bindings
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.version_log import Versions

# The rule that speaks for an error of whoever reads a file.
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


class Looked(NamedTuple):
    """What came out for the data of a table."""

    rows: tuple[Row, ...] = ()
    files: int = 0


def looked(data: DataAccess, table: Table, *, bound: bool, history: Sequence[Version] = ()) -> Looked:
    """The findings about the files of a table as they are now. Bound is whether anything is said of its folders.

    History is its versions, the newest last, if they were read just now.
    """
    try:
        return _Looking(data, table, bound, history).all()
    except NotThereError:  # it went away meanwhile
        return Looked()
    except SchemaError as error:
        return Looked(tuple(unread(table.name, fault, table.branch_name) for fault in error.faults))
    except Exception as error:  # noqa: BLE001  # data that breaks the audit itself is told, and the others are audited
        message = f"the audit of the data of {table.name} failed: {type(error).__name__}: {without_credentials(str(error))}."
        fault = Fault("audit.failed", table.name, message, "Look at the table by itself, and report this.")
        return Looked((unread(table.name, fault, table.branch_name),))


class _Looking:
    """The files of one table on one branch."""

    def __init__(self, data: DataAccess, table: Table, bound: bool, history: Sequence[Version]) -> None:
        self.data, self.table, self.bound, self.history = data, table, bound, history
        self.rows: list[Row] = []

    def all(self) -> Looked:
        self.head = self.history[-1] if self.history else self.table.latest()
        there = self._files()
        if there is not None and there.files:
            self.known = KnownFields(self.history or self._versions())
            origins = self._origins(there)
            self._project([] if origins is None else self._sources(origins, self._footers(there.files)))
        owner, contact = whose(self.head.schema) if self.rows else ("", "")
        rows = (one._replace(owner=owner, contact=contact) for one in self.rows)
        return Looked(tuple(rows), 0 if there is None else len(there.files))

    def _versions(self) -> Iterator[Version]:
        """Those that can be read; the others are told of by whoever looks at versions."""
        place = self.table.place
        versions = Versions(place.files, place.folder, place.layout, self.table.branch_name, VersionCache())
        return (one for one in read(versions, self.table.numbers()) if isinstance(one, Version))

    # ------------------------------------------------------------ files

    def _files(self) -> FoundFiles | None:
        try:
            return self.data.found(self.table, self.head.schema)
        except SchemaError as error:
            self._note([one for one in error.faults if one.code not in _NO_FILES | _OF_CONNECTOR])
            return None

    def _origins(self, there: FoundFiles) -> Origins | None:
        try:
            said = bindings.listed(self.table.registry, self.table.id) if self.bound and there.base else bindings.Bindings()
            self._note([fault for one in said.unreadable for fault in one.error.faults])
            check_bindings(self.table.name, said.bindings, self.known.versions.values())
        except SchemaError as error:
            self._note(error.faults)
            return None
        return Origins(self.table.name, self.known, self.head.schema, there.base, Bound(said.bindings, there.base))

    def _footers(self, files: Sequence[DataFile]) -> list[tuple[DataFile, Footer | None]]:
        """The files that can be read, with what they say; a manifest speaks for its file where that would cost much."""
        asking = [one for one in files if one.version is None or (one.format == PARQUET and self.data.reads_footers)]
        told = {one.path: (one, None) for one in files}
        for _ in range(_ROUNDS):
            try:
                said = zip(asking, self.data.footers(asking, self.table.name), strict=True)
                return list({**told, **{one.path: (one, footer) for one, footer in said}}.values())
            except SchemaError as error:
                broken = {fault.path for fault in error.faults}
                self._note(error.faults)
            left = [one for one in asking if one.path not in broken]
            if len(left) == len(asking):
                break
            told = {path: one for path, one in told.items() if path not in broken}
            asking = left
        return []

    def _sources(self, origins: Origins, files: Sequence[tuple[DataFile, Footer | None]]) -> list[ResolvedFile]:
        """What the files hold; those of which that is not known are told together, by the reason."""
        sources: list[ResolvedFile] = []
        origins.count(file for file, _ in files)
        unclear: dict[tuple[str, str], list[tuple[Fault, DataFile]]] = defaultdict(list)
        for one, footer in files:
            try:
                sources += origins.resolve([one], [footer])
            except SchemaError as error:
                for fault in error.faults:
                    unclear[fault.code, fault.message.partition(": ")[2]].append((fault, one))
        for (_, reason), some in unclear.items():
            fault, file = some[0]
            self._tell(fault, f"{_places([one.path for _, one in some])}: {reason}" if reason else fault.message, file, len(some))
        return sources

    # ------------------------------------------------------------ what becomes of them

    def _project(self, sources: Sequence[ResolvedFile]) -> None:
        """Whether what the files hold turns into what the table is now; asked once of all that hold the same."""
        alike: dict[int, list[ResolvedFile]] = defaultdict(list)
        for one in sources:
            alike[id(one.written)].append(one)
        for some in alike.values():
            written = some[0].written
            there = (*written.columns, *written.keys)
            wires = {column.id: column.wire for column in there}
            changed = [column for column in self.head.schema.fields if wires.get(column.id) != column.wire]
            try:
                project(row(there), row(changed), casts="checked")
            except SchemaError as error:
                for fault in error.faults:
                    reason = f"{_places([one.file.path for one in some])}: {fault}"
                    finding = found(CHAIN, fault.path, fault=fault.code, reason=reason)
                    self._add(finding, some[0].file, len(some), written.version)

    # ------------------------------------------------------------ telling

    def _note(self, faults: Sequence[Fault]) -> None:
        for fault in faults:
            if fault.code in _RULES:
                self._tell(fault, fault.message, None, 1)
            else:
                self.rows.append(unread(self.table.name, fault, self.table.branch_name))

    def _tell(self, fault: Fault, reason: str, file: DataFile | None, count: int) -> None:
        place = fault.path if file is None else file.path
        finding = found(_RULES[fault.code], place, fault=fault.code, fix=fault.fix, reason=reason)
        self.rows.append(row_of(finding, self.table.name, self.table.branch_name, version=None, file=place, files=count))

    def _add(self, finding: Finding, file: DataFile, count: int, version: int | None) -> None:
        self.rows.append(row_of(finding, self.table.name, self.table.branch_name, version=version, file=file.path, files=count))


def _places(paths: Sequence[str]) -> str:
    """One file, and how many more."""
    name = without_credentials(paths[0])
    return f"{name} and {len(paths) - 1:,} more" if len(paths) > 1 else name

"""One table of an audit: its versions, what its policy makes of them, the jobs that are registered for it, and its data files.

Whatever cannot be read becomes a row, so that one table never ends the audit of the others.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.compatibility.check import check_new
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import SEVERITY, Finding, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.validation.validity import validity
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.spark.auditing.chain import link_versions
from airflow_provider_schemas.spark.auditing.data_access import Reach, WithoutSpark
from airflow_provider_schemas.spark.auditing.data_files import DataAudit, audit_data
from airflow_provider_schemas.spark.auditing.discovery import AuditTarget
from airflow_provider_schemas.spark.auditing.facts import Fact, is_settled
from airflow_provider_schemas.spark.auditing.history import VersionHistory
from airflow_provider_schemas.spark.auditing.old_files import find_in_old_files
from airflow_provider_schemas.spark.auditing.read_versions import Broken, read_in_order, read_newest
from airflow_provider_schemas.spark.auditing.registry import RegistryListing, TableRegistry
from airflow_provider_schemas.spark.auditing.rows import Row, make_row, read_owner, unread_row
from airflow_provider_schemas.spark.auditing.table_prints import (
    depends_on_files_only,
    is_lasting,
    print_data,
    print_schemas,
    root_files,
)
from airflow_provider_schemas.spark.files.discovery import plain_format
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import BRANCH, joined, table_folder
from airflow_provider_schemas.store.retention.references import references
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.folder_print import FolderPrint
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.version_log import Versions

# How many findings of one branch have a row each.
_MOST: Final = 500
_WITH_DATA: Final = frozenset({"snapshot", "manifest"})


class Scope(Struct, frozen=True):
    """What is looked at."""

    registry: RegistryListing = RegistryListing()
    branches: bool = False
    reach: Reach | None = None
    """Where data files may be read without Spark; None if they are not looked at here."""
    remembers: bool = False
    """Whether what is found of sound files is to be kept for the next audit."""


class TableAudit(NamedTuple):
    """What came out for one table."""

    rows: tuple[Row, ...] = ()
    tables: int = 0
    """1 if it is a table, read or not."""
    versions: int = 0
    data: DataAudit | None = None
    """What came out for its data files; None if Spark has to read them."""
    fact: Fact | None = None
    """What may be remembered of its files; None if that is nothing."""


class _DataPart(NamedTuple):
    """What came out for the data files of a branch, and the print of their folder; None where only Spark can tell."""

    audit: DataAudit | None = None
    folder: FolderPrint | None = None


def audit_table(store: SchemaStore, target: AuditTarget, scope: Scope, *, files: Files | None = None) -> TableAudit:
    """Return the rows about one table. Nothing is raised: what went wrong is a row. `files` are those of its root, if they were fetched."""
    name = str(target.name)
    try:
        place = _find_place(store, target)
        if files is not None:
            place = msgspec.structs.replace(place, files=files)
        branches = [MAIN, *(_list_branches(place) if scope.branches else ())]
        parts = [_BranchAuditor(store, target, scope, place, branch).audit() for branch in branches]
    except SchemaError as error:
        return TableAudit(tuple(unread_row(name, fault) for fault in error.faults), 1)
    except Exception as error:  # noqa: BLE001  # a table that breaks the audit itself becomes a row, and the others are audited
        message = f"the audit of {name} failed: {type(error).__name__}: {without_credentials(str(error))}."
        fault = Fault("audit.failed", name, message, "Look at the table by itself, and report this.")
        return TableAudit((unread_row(name, fault),), 1)
    return _join_branches(parts)


def _join_branches(parts: Sequence[TableAudit]) -> TableAudit:
    rows: list[Row] = []
    for part in parts:
        rows += part.rows
    return TableAudit(
        tuple(rows),
        tables=max(part.tables for part in parts),
        versions=sum(part.versions for part in parts),
        data=_join_data([part.data for part in parts]),
        fact=parts[0].fact,
    )


def _join_data(parts: Sequence[DataAudit | None]) -> DataAudit | None:
    """Return what came out for the data of all branches; None if Spark has to read those of one."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return DataAudit(files=sum(part.files for part in known))


def _find_place(store: SchemaStore, target: AuditTarget) -> TablePlace:
    """Return where a table lies, without a request where a listing has shown it."""
    if len(target.layouts) != 1:
        return store.table(target.name).place
    layout = target.layouts[0]
    return TablePlace(root_files(store, layout), table_folder(target.name, layout), layout)


def _list_branches(place: TablePlace) -> list[str]:
    entries = place.files.list(joined(place.folder, "branch"))
    return sorted(entry.name.removeprefix(BRANCH) for entry in entries if entry.folder and entry.name.startswith(BRANCH))


class _BranchAuditor:
    """Audits one branch of a table."""

    def __init__(self, store: SchemaStore, target: AuditTarget, scope: Scope, place: TablePlace, branch: str) -> None:
        self.store = store
        self.target = target
        self.scope = scope
        self.place = place
        self.branch = branch
        self.name = target.name
        self.registry = TableRegistry(store.registry, scope.registry, target.name)
        self.versions = Versions(place.files, place.folder, place.layout, branch, VersionCache())
        self.rows: list[Row] = []
        self.history: list[Version] = []
        """The versions, the newest last; kept only where data are looked at."""
        self.all_read = True
        self.lasting = scope.remembers and not scope.branches and depends_on_files_only(target, scope.registry)
        """Whether what is found depends on the files only, and on no day."""

    def audit(self) -> TableAudit:
        began = time.time()
        schemas = print_schemas(self.store, self.target) if self.lasting else None  # before anything is read
        numbers = list(self.versions.entries())
        if not numbers:
            return self._audit_without_versions()
        newest = read_newest(self.versions, numbers)
        head = newest.version
        if head is None and not newest.broken:  # it went away since it was listed
            return self._audit_without_versions()
        self._add_broken(newest.broken)
        count = 0
        if head is not None:
            count = self._audit_versions(head, newest.data, [number for number in numbers if number < head.number])
        rows = tuple(_limit_rows(self.rows + self.registry.unread))
        if not count or head is None:
            return TableAudit(rows, 1, count)
        self.lasting = self.lasting and not rows and self.all_read and is_lasting(head.schema)
        data = self._audit_data(head)
        return TableAudit(rows, 1, count, data.audit, self._make_fact(schemas, count, data, began))

    def _add_broken(self, versions: Iterable[Broken]) -> None:
        for version in versions:
            self.all_read = False
            for fault in version.error.faults:
                row = unread_row(str(self.name), fault, self.branch)
                self.rows.append(row._replace(path=f"version {version.number}", version=version.number, file=version.file))

    def _audit_without_versions(self) -> TableAudit:
        """Return a finding for data of Paimon without any version, and for a table that is named by itself; none for any other folder."""
        folders = {entry.name for entry in self.place.files.list(self.place.folder) if entry.folder}
        if folders & _WITH_DATA:
            message = f"{self.place.files.url}/{self.place.folder} holds data of Paimon, and no version of a schema."
            fault = Fault("audit.no-version", str(self.name), message, "Restore the folder `schema` from a copy.")
        elif self.target.layouts or self.branch != MAIN:
            return TableAudit()
        else:
            message = f"there is no schema of {self.name} in {self.store.url}."
            fault = Fault("table.not-there", str(self.name), message, "Look at the name with `airflow-schemas ls`.")
        return TableAudit((unread_row(str(self.name), fault, self.branch),), 1)

    # ------------------------------------------------------------ versions

    def _audit_versions(self, head: Version, data: bytes, earlier: Sequence[int]) -> int:
        """Add the findings about the versions, and return how many could be read."""
        policy = self.registry.policy(head.schema, self.place.layout)
        history = VersionHistory(head, by_name=any(reader.by == "name" for reader in _readers(policy)))
        for link in link_versions(self.versions, earlier, head, data):
            if isinstance(link, Broken):
                self._add_broken([link])
                continue
            history.add(link)
            if self.scope.reach is not None:
                self.history.append(link.version)
        self._add(self._check_head(head, policy), head)
        self._add(history.findings, head)
        self._add_old_files(history, policy)
        return history.count

    def _check_head(self, head: Version, policy: Policy) -> tuple[Finding, ...]:
        """Return what is wrong with the newest version by itself, for engines and for registered readers and writers."""
        contracts = self.registry.contracts(lambda: self._read_up_to(head))
        if contracts or any(reader.name != "paimon" for reader in _readers(policy)):
            return check_new(head.schema, policy, contracts=contracts, table=str(self.name)).findings
        return validity(head.schema).findings  # Paimon holds every type

    def _read_up_to(self, head: Version) -> Iterator[Version]:
        """Yield the versions up to the newest one, as far as they can be read."""
        numbers = [number for number in self.versions.entries() if number < head.number]
        yield from (version for version in read_in_order(self.versions, numbers) if isinstance(version, Version))
        yield head

    def _add_old_files(self, history: VersionHistory, policy: Policy) -> None:
        """Add what is wrong with files of earlier versions. Which of them are still there is read only where any would show something."""
        if not history.differs:
            return
        known = [(finding.rule, finding.path) for finding in history.findings]
        findings = list(self._find_in_old_files(history, policy, None, known))
        if findings and policy.against is Against.LIVE:
            self.lasting = False
            findings = list(self._find_in_old_files(history, policy, self._live_versions(), known))
        self._add(findings, history.head)

    def _find_in_old_files(
        self, history: VersionHistory, policy: Policy, live: Collection[int] | None, known: Iterable[tuple[str, ...]]
    ) -> Iterator[Finding]:
        """Yield what files of these versions show, each once, by the newest version that shows it; all versions count, if live is None."""
        seen: set[tuple[str, ...]] = set(known)
        for version in read_in_order(self.versions, list(history.differing(live))):
            if not isinstance(version, Version):
                continue
            findings = find_in_old_files(version, history.head, policy)
            fresh = [finding for finding in findings if not seen & {(finding.rule, finding.path), _key(finding)}]
            seen.update(map(_key, fresh))
            yield from fresh

    def _live_versions(self) -> Collection[int] | None:
        """Return the versions that files, snapshots or branches still use; None if that is not known."""
        return references(
            self.place.files,
            self.place.folder,
            self.name,
            layout=self.place.layout,
            registry=self.store.registry,
            numbers=self.versions.entries(),
            branch=self.branch,
        ).live

    # ------------------------------------------------------------ data

    def _audit_data(self, head: Version) -> _DataPart:
        """Audit the data files; nothing came out where something is wrong with them, or only Spark can tell."""
        reach = self.scope.reach
        if reach is None or not self.all_read:
            return _DataPart()
        # Where manifests name the files, the folder that the table names says nothing of them.
        location = location_of(head.schema) if plain_format(head.schema) else ""
        folder = None
        if self.lasting and location:
            folder = print_data(self.store, self.target, location, reach)  # before anything is read
        table = Table(self.store.table(self.name).subject.roots, self.name, self.branch, self.place)
        bound = str(self.name) in self.scope.registry.bindings
        audit = audit_data(WithoutSpark(reach), table, bound=bound, history=self.history)
        if audit.rows:
            return _DataPart()
        return _DataPart(audit, folder)

    def _make_fact(self, schemas: FolderPrint | None, count: int, data: _DataPart, began: float) -> Fact | None:
        """Return what may be remembered of these files. `began` is when the audit began to read them."""
        if schemas is None or not self.lasting or not is_settled(schemas.changed, began):
            return None
        if data.audit is None or data.folder is None or not is_settled(data.folder.changed, began):
            return Fact(schemas.digest, count)
        return Fact(schemas.digest, count, location_of(self.history[-1].schema), data.folder.digest, data.audit.files)

    # ------------------------------------------------------------ rows

    def _add(self, findings: Iterable[Finding], head: Version) -> None:
        relevant = [finding for finding in findings if finding.verdict is not Verdict.OK]
        if not relevant:
            return
        owner, contact = read_owner(head.schema)
        for finding in relevant:
            row = make_row(finding, str(self.name), self.branch, version=head.number)
            self.rows.append(row._replace(owner=row.owner or owner, contact=row.contact or contact))


def _readers(policy: Policy) -> Iterator[Reader]:
    """Yield the engines of all the policies that a policy joins."""
    for joined_policy in policy.joined():
        yield from joined_policy.profiles


def _key(finding: Finding) -> tuple[str, ...]:
    return finding.rule, finding.path, finding.old


def _limit_rows(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows, each once and the worst first; so many of them, and one that counts the rest."""
    distinct = sorted(dict.fromkeys(rows), key=lambda row: -SEVERITY[Verdict(row.verdict)])
    yield from distinct[:_MOST]
    if len(distinct) > _MOST:
        message = f"{len(distinct) - _MOST} more findings about this table are not listed."
        yield distinct[_MOST]._replace(message=message, path="table", fix="Mend those that are.")

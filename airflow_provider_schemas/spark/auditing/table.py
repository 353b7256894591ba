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
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import SEVERITY, Finding, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.validation.validity import validity
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.spark.auditing.chain import linked
from airflow_provider_schemas.spark.auditing.data_access import Reach, WithoutSpark
from airflow_provider_schemas.spark.auditing.data_files import Looked, looked
from airflow_provider_schemas.spark.auditing.discovery import Spot
from airflow_provider_schemas.spark.auditing.facts import Fact, is_settled
from airflow_provider_schemas.spark.auditing.history import Past
from airflow_provider_schemas.spark.auditing.old_files import old_files
from airflow_provider_schemas.spark.auditing.read_versions import Broken, newest, read
from airflow_provider_schemas.spark.auditing.registry import Asked, Kept
from airflow_provider_schemas.spark.auditing.rows import Row, row_of, unread, whose
from airflow_provider_schemas.spark.auditing.table_prints import data_print, schemas_print, speaks_for_itself, stays_as_it_is
from airflow_provider_schemas.spark.files.discovery import plain_format
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import BRANCH, Layout, joined, table_folder
from airflow_provider_schemas.store.retention.references import references
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.folder_print import FolderPrint
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.version_log import Versions

# How many findings of one branch are told one by one.
_MOST: Final = 500
_WITH_DATA: Final = frozenset({"snapshot", "manifest"})


class Scope(Struct, frozen=True):
    """What is looked at."""

    known: Kept = Kept()
    branches: bool = False
    reach: Reach | None = None
    """Where data files may be read without Spark; None if they are not looked at here."""
    remembers: bool = False
    """Whether what is found of sound files is to be kept for the next audit."""


class Audited(NamedTuple):
    """What came out for one table."""

    rows: tuple[Row, ...] = ()
    tables: int = 0
    """1 if it is a table, read or not."""
    versions: int = 0
    data: Looked | None = None
    """What came out for its data files; None if Spark is to be asked."""
    fact: Fact | None = None
    """What may be remembered of its files; None if that is nothing."""


def audited(store: SchemaStore, spot: Spot, scope: Scope, *, files: Files | None = None) -> Audited:
    """The rows about one table. Nothing is raised: what went wrong is a row. Files are those of its root, if they were fetched before."""
    name = str(spot.name)
    try:
        place = _place(store, spot)
        place = place if files is None else msgspec.structs.replace(place, files=files)
        branches = [MAIN, *(_branches(place) if scope.branches else ())]
        parts = [_Branch(store, spot, scope, place, one).audited() for one in branches]
    except SchemaError as error:
        return Audited(tuple(unread(name, fault) for fault in error.faults), 1)
    except Exception as error:  # noqa: BLE001  # a table that breaks the audit itself is told, and the others are audited
        message = f"the audit of {name} failed: {type(error).__name__}: {without_credentials(str(error))}."
        return Audited((unread(name, Fault("audit.failed", name, message, "Look at the table by itself, and report this.")),), 1)
    rows = tuple(row for one in parts for row in one.rows)
    tables, versions = max(one.tables for one in parts), sum(one.versions for one in parts)
    return Audited(rows, tables, versions, _together([one.data for one in parts]), parts[0].fact)


def _together(parts: Sequence[Looked | None]) -> Looked | None:
    """What came out for the data of all branches; None if Spark is to be asked about one."""
    known = [part for part in parts if part is not None]
    return Looked(files=sum(part.files for part in known)) if len(known) == len(parts) else None


def _place(store: SchemaStore, spot: Spot) -> TablePlace:
    """Where it lies, without asking where a listing has shown it."""
    if len(spot.layouts) != 1:
        return store.table(spot.name).place
    layout = spot.layouts[0]
    files = store.registry if layout is Layout.REGISTRY else store.warehouse
    return TablePlace(files, table_folder(spot.name, layout), layout)


def _branches(place: TablePlace) -> list[str]:
    entries = place.files.list(joined(place.folder, "branch"))
    return sorted(one.name.removeprefix(BRANCH) for one in entries if one.folder and one.name.startswith(BRANCH))


class _Branch:
    """One branch of a table."""

    def __init__(self, store: SchemaStore, spot: Spot, scope: Scope, place: TablePlace, branch: str) -> None:
        self.store, self.spot, self.scope, self.place, self.branch = store, spot, scope, place, branch
        self.name = spot.name
        self.listed = bool(spot.layouts)
        self.asked = Asked(store.registry, scope.known, spot.name)
        self.versions = Versions(place.files, place.folder, place.layout, branch, VersionCache())
        self.rows: list[Row] = []
        self.history: list[Version] = []
        """The versions, the newest last; kept only where data are looked at."""
        self.all_read = True
        self.lasting = scope.remembers and not scope.branches and speaks_for_itself(spot, scope.known)
        """Whether what is found depends on the files alone, and on no day."""

    def audited(self) -> Audited:
        began = time.time()
        schemas = schemas_print(self.store, self.spot) if self.lasting else None  # before anything is read
        numbers = list(self.versions.entries())
        if not numbers:
            return self._without_versions()
        found = newest(self.versions, numbers)
        head = found.version
        if head is None and not found.broken:  # it went away since it was listed
            return self._without_versions()
        self._broken(found.broken)
        count = 0 if head is None else self._history(head, found.data, [one for one in numbers if one < head.number])
        rows = tuple(_bounded(self.rows + self.asked.unread))
        if not count or head is None:
            return Audited(rows, 1, count)
        self.lasting = self.lasting and not rows and self.all_read and stays_as_it_is(head.schema)
        seen = self._data(head)
        return Audited(rows, 1, count, seen[0], self._remembered(schemas, count, seen, began))

    def _broken(self, broken: Iterable[Broken]) -> None:
        for one in broken:
            self.all_read = False
            for fault in one.error.faults:
                row = unread(str(self.name), fault, self.branch)
                self.rows.append(row._replace(path=f"version {one.number}", version=one.number, file=one.file))

    def _without_versions(self) -> Audited:
        """A folder that is no table is none of our business; data of Paimon without any version is, and a table that somebody named."""
        there = {one.name for one in self.place.files.list(self.place.folder) if one.folder}
        if there & _WITH_DATA:
            message = f"{self.place.files.url}/{self.place.folder} holds data of Paimon, and no version of a schema."
            fault = Fault("audit.no-version", str(self.name), message, "Restore the folder `schema` from a copy.")
        elif self.listed or self.branch != MAIN:
            return Audited()
        else:
            message, fix = f"there is no schema of {self.name} in {self.store.url}.", "Look at the name with `ls`."
            fault = Fault("table.not-there", str(self.name), message, fix)
        return Audited((unread(str(self.name), fault, self.branch),), 1)

    # ------------------------------------------------------------ versions

    def _history(self, head: Version, data: bytes, earlier: Sequence[int]) -> int:
        policy = self.asked.policy(head.schema, self.place.layout)
        past = Past(head, by_name=any(reader.by == "name" for one in policy.joined() for reader in one.profiles))
        for link in linked(self.versions, earlier, head, data):
            if isinstance(link, Broken):
                self._broken([link])
                continue
            past.add(link)
            if self.scope.reach is not None:
                self.history.append(link.version)
        self._add(self._of_head(head, policy), head)
        self._add(past.findings, head)
        self._old_files(past, policy)
        return past.count

    def _of_head(self, head: Version, policy: Policy) -> tuple[Finding, ...]:
        """What is wrong with the newest version by itself, for its readers and for jobs."""
        needs = self.asked.contracts(lambda: self._readable(head))
        if needs or any(reader.name != "paimon" for one in policy.joined() for reader in one.profiles):
            return check_new(head.schema, policy, contracts=needs, table=str(self.name)).findings
        return validity(head.schema).findings  # Paimon holds every type

    def _readable(self, head: Version) -> Iterator[Version]:
        """The versions up to the newest one, as far as they can be read."""
        numbers = [number for number in self.versions.entries() if number < head.number]
        yield from (one for one in read(self.versions, numbers) if isinstance(one, Version))
        yield head

    def _old_files(self, past: Past, policy: Policy) -> None:
        """Which files are still there is asked only where files of any version at all would show something."""
        if not past.differs:
            return
        told = [(finding.rule, finding.path) for finding in past.findings]
        shown = list(self._shown_by(past, policy, None, told))
        if shown and policy.against is Against.LIVE:
            self.lasting = False
            shown = list(self._shown_by(past, policy, self._live(), told))
        self._add(shown, past.head)

    def _shown_by(self, past: Past, policy: Policy, live: Collection[int] | None, before: Iterable[tuple[str, ...]]) -> Iterator[Finding]:
        """What files of these versions show, each told by the newest version that shows it; all versions, if live is unknown."""
        told: set[tuple[str, ...]] = set(before)
        for version in read(self.versions, list(past.differing(live))):
            fresh = old_files(version, past.head, policy) if isinstance(version, Version) else ()
            some = [one for one in fresh if not told & {(one.rule, one.path), (one.rule, one.path, one.old)}]
            told.update((one.rule, one.path, one.old) for one in some)
            yield from some

    def _data(self, head: Version) -> tuple[Looked | None, FolderPrint | None]:
        """What came out for its data files, if all is well with them, and their print; else, and where it takes Spark to tell, None."""
        reach = self.scope.reach
        if reach is None or not self.all_read:
            return None, None
        # Where manifests name the files, the folder that the table names says nothing of them.
        location = location_of(head.schema) if plain_format(head.schema) else ""
        there = data_print(self.store, self.spot, location, reach) if self.lasting and location else None  # before anything is read
        table = Table(self.store.table(self.name).subject.roots, self.name, self.branch, self.place)
        bound = str(self.name) in self.scope.known.bindings
        seen = looked(WithoutSpark(reach), table, bound=bound, history=self.history)
        return (None, None) if seen.rows else (seen, there)

    def _remembered(
        self, schemas: FolderPrint | None, count: int, seen: tuple[Looked | None, FolderPrint | None], began: float
    ) -> Fact | None:
        """What may be kept of these files, at which somebody began to look then."""
        if schemas is None or not self.lasting or not is_settled(schemas.changed, began):
            return None
        looked_at, data = seen
        if looked_at is None or data is None or not is_settled(data.changed, began):
            return Fact(schemas.digest, count)
        return Fact(schemas.digest, count, location_of(self.history[-1].schema), data.digest, looked_at.files)

    def _live(self) -> Collection[int] | None:
        """The versions that files, snapshots or branches still use; None if that is not known."""
        return references(
            self.place.files,
            self.place.folder,
            self.name,
            layout=self.place.layout,
            registry=self.store.registry,
            numbers=self.versions.entries(),
            branch=self.branch,
        ).live

    def _add(self, findings: Iterable[Finding], head: Version) -> None:
        some = [finding for finding in findings if finding.verdict is not Verdict.OK]
        owner, contact = whose(head.schema) if some else ("", "")
        for one in some:
            row = row_of(one, str(self.name), self.branch, version=head.number)
            self.rows.append(row._replace(owner=row.owner or owner, contact=row.contact or contact))


def _bounded(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows, each once and the worst first; so many of them, and one that counts the rest."""
    kept = sorted(dict.fromkeys(rows), key=lambda one: -SEVERITY[Verdict(one.verdict)])
    yield from kept[:_MOST]
    if len(kept) > _MOST:
        more, first = len(kept) - _MOST, kept[_MOST]
        yield first._replace(message=f"{more} more findings about this table are not listed.", path="table", fix="Mend those that are.")

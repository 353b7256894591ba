"""One table of an audit: its versions, what its policy makes of them, the jobs that are registered for it, and its data files.

Whatever cannot be read becomes a row, so that one table never ends the audit of the others.
"""

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
from airflow_provider_schemas.spark.auditing.discovery import Spot
from airflow_provider_schemas.spark.auditing.history import Past
from airflow_provider_schemas.spark.auditing.old_files import old_files
from airflow_provider_schemas.spark.auditing.read_versions import Broken, linked, newest, read
from airflow_provider_schemas.spark.auditing.registry import Asked, Kept
from airflow_provider_schemas.spark.auditing.rows import Row, row_of, unread, whose
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import BRANCH, Layout, joined, table_folder
from airflow_provider_schemas.store.retention.references import references
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table_location import Place
from airflow_provider_schemas.store.versions.version_log import Versions

# How many findings of one branch are told one by one.
_MOST: Final = 500
_WITH_DATA: Final = frozenset({"snapshot", "manifest"})


class Scope(Struct, frozen=True):
    """What is looked at."""

    known: Kept = Kept()
    branches: bool = False


class Audited(NamedTuple):
    """What came out for one table."""

    rows: tuple[Row, ...] = ()
    tables: int = 0
    """1 if it is a table, read or not."""
    versions: int = 0


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
    return Audited(rows, max(one.tables for one in parts), sum(one.versions for one in parts))


def _place(store: SchemaStore, spot: Spot) -> Place:
    """Where it lies, without asking where a listing has shown it."""
    if len(spot.layouts) != 1:
        return store.table(spot.name).place
    layout = spot.layouts[0]
    files = store.registry if layout is Layout.REGISTRY else store.warehouse
    return Place(files, table_folder(spot.name, layout), layout)


def _branches(place: Place) -> list[str]:
    entries = place.files.list(joined(place.folder, "branch"))
    return sorted(one.name.removeprefix(BRANCH) for one in entries if one.folder and one.name.startswith(BRANCH))


class _Branch:
    """One branch of a table."""

    def __init__(self, store: SchemaStore, spot: Spot, scope: Scope, place: Place, branch: str) -> None:
        self.store, self.name, self.scope, self.place, self.branch = store, spot.name, scope, place, branch
        self.listed = bool(spot.layouts)
        self.asked = Asked(store.registry, scope.known, spot.name)
        self.versions = Versions(place.files, place.folder, place.layout, branch, VersionCache())
        self.rows: list[Row] = []

    def audited(self) -> Audited:
        numbers = list(self.versions.entries())
        if not numbers:
            return self._without_versions()
        head, broken = newest(self.versions, numbers)
        if head is None and not broken:  # it went away since it was listed
            return self._without_versions()
        self._broken(broken)
        count = 0 if head is None else self._history(head, [one for one in numbers if one < head.number])
        return Audited(tuple(_bounded(self.rows + self.asked.unread)), 1, count)

    def _broken(self, broken: Iterable[Broken]) -> None:
        for one in broken:
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

    def _history(self, head: Version, earlier: Sequence[int]) -> int:
        policy = self.asked.policy(head.schema, self.place.layout)
        past = Past(head, by_name=any(reader.by == "name" for one in policy.joined() for reader in one.profiles))
        for one in linked(self.versions, earlier, head):
            if isinstance(one, Broken):
                self._broken([one])
            else:
                past.add(one.version, follows=one.follows)
        self._add(self._of_head(head, policy), head)
        self._add(past.findings, head)
        self._old_files(past, policy)
        return past.count

    def _of_head(self, head: Version, policy: Policy) -> tuple[Finding, ...]:
        """What is wrong with the newest version by itself, for its readers and for jobs."""
        needs = self.asked.contracts()
        if needs or any(reader.name != "paimon" for one in policy.joined() for reader in one.profiles):
            return check_new(head.schema, policy, contracts=needs, table=str(self.name)).findings
        return validity(head.schema).findings  # Paimon holds every type

    def _old_files(self, past: Past, policy: Policy) -> None:
        if past.differs:
            live = self._live() if policy.against is Against.LIVE else None
            told: set[tuple[str, ...]] = {(one.rule, one.path) for one in past.findings}
            for number in past.differing(live):
                for version in read(self.versions, [number]):
                    fresh = old_files(version, past.head, policy) if isinstance(version, Version) else ()
                    some = [one for one in fresh if not told & {(one.rule, one.path), (one.rule, one.path, one.old)}]
                    told.update((one.rule, one.path, one.old) for one in some)  # by the newest version that shows it
                    self._add(some, past.head)

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
        owner, contact = whose(head.schema)
        for one in findings:
            if one.verdict is not Verdict.OK:
                row = row_of(one, str(self.name), self.branch, version=head.number)
                self.rows.append(row._replace(owner=row.owner or owner, contact=row.contact or contact))


def _bounded(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows, each once and the worst first; so many of them, and one that counts the rest."""
    kept = sorted(dict.fromkeys(rows), key=lambda one: -SEVERITY[Verdict(one.verdict)])
    yield from kept[:_MOST]
    if len(kept) > _MOST:
        more, first = len(kept) - _MOST, kept[_MOST]
        yield first._replace(message=f"{more} more findings about this table are not listed.", path="table", fix="Mend those that are.")

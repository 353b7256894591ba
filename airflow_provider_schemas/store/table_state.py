"""One branch of one table, as the rooms of the store hand it to each other: where it lies, its versions, and what the store knows of it."""

from collections.abc import Mapping

from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ConflictError, NotThereError, SchemaError
from airflow_provider_schemas.store.common.data_location import check_location
from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName, on_branch
from airflow_provider_schemas.store.layout.paths import Layout, checkpoints_folder, snapshot_folder
from airflow_provider_schemas.store.prefetch import PrefetchRequest, prefetch
from airflow_provider_schemas.store.registry import policies, waivers
from airflow_provider_schemas.store.retention.collect_references import references_of
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.roots import Roots, location_of
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions import foreign_writers, mini_paimon_metadata
from airflow_provider_schemas.store.versions.changes_since import Movement, Seen, digest_of, moved_by_heads, number_of, went_back
from airflow_provider_schemas.store.versions.checkpoints import Checkpoints, Following
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions, open_versions
from airflow_provider_schemas.store.versions.past import EarlierVersions
from airflow_provider_schemas.store.versions.version_log import Versions


class Subject:
    """A branch of a table. Nothing is asked of the storage before a method is called."""

    def __init__(self, roots: Roots, name: TableName, branch: str = MAIN, place: TablePlace | None = None) -> None:
        self.roots = roots
        self.registry: Files = roots.registry
        self.name = name
        self.branch = branch
        self._place = place
        self._is_sure = place is not None
        """Whether the table was found at its place, so that it is not looked for again."""
        self._versions: Versions | None = None

    def foreseen(self, *, step: bool = False, data: bool = False, new: bool = False) -> "Subject":
        """Return the table as one judgement sees it, with all that it will ask asked at once.

        A step is a change: jobs count. Data is whether it matters if there are data; new is whether the table is to be made.
        """
        subject = self.in_judgement()
        jobs = ((self.name, ""),) if step else ()
        known = ((self.name, subject._place),) if subject._is_sure and subject._place is not None else ()
        table = (self.name, self.branch)
        prefetch(subject.roots, PrefetchRequest((table,), known, contracts=jobs, rules=step, snapshots=data, step=step, new=new))
        return subject

    def in_judgement(self) -> "Subject":
        """Return the table as one judgement sees it."""
        roots = self.roots.in_judgement()
        if roots is self.roots:
            return self
        if self._place is None or not self._is_sure:
            return Subject(roots, self.name, self.branch)
        return Subject(roots, self.name, self.branch, self._place_in(roots, self._place))

    def _place_in(self, roots: Roots, place: TablePlace) -> TablePlace:
        """Return the same place as other roots of the same store see it."""
        if place.layout is Layout.MOUNTED:
            return roots.beside(self.name)
        files = roots.registry if place.files is self.roots.registry else roots.warehouse
        return TablePlace(files, place.folder, place.layout)

    @property
    def typed(self) -> str:
        """The table with its branch, as commands take it."""
        return on_branch(str(self.name), self.branch)

    def look(self) -> Mapping[int, ListingEntry] | None:
        """Find the place, if it is not known; return what lies there, if it was listed for that just now.

        Where nothing lies yet, another writer may put it elsewhere: then the place is looked for again.
        """
        if self._is_sure:
            return None
        found = self.roots.find(self.name)
        if not found.entries:
            found.place.files.check_root()
        if found.place != self._place:
            self._place = found.place
            self._versions = None
        self._is_sure = bool(found.entries) or found.place.layout is Layout.MOUNTED
        return found.entries if self.branch == MAIN else None

    @property
    def place(self) -> TablePlace:
        """Where it lies."""
        if self._place is None:
            self.look()
        if self._place is None:
            raise AssertionError("it was found just now")
        return self._place

    @property
    def is_mounted(self) -> bool:
        """Whether the table is one that others keep."""
        return self.name.database in self.roots.mounted

    @property
    def mounted_versions(self) -> MountedVersions | None:
        """Its versions, if the table is one that others keep."""
        versions = self.versions
        return versions if isinstance(versions, MountedVersions) else None

    @property
    def versions(self) -> Versions:
        """Its versions."""
        if not self._is_sure:
            self.look()
        return self._versions_here()

    def _versions_here(self) -> Versions:
        """Return the versions at the place that was found last."""
        if self._versions is None:
            self._versions = open_versions(self.place, self.branch, self.roots.cache, alone=self.roots.single_writer)
        return self._versions

    def _entries(self) -> Mapping[int, ListingEntry]:
        """Return the versions that are there, by number: one listing."""
        entries = self.look()
        return self._versions_here().entries() if entries is None else entries

    def exists(self) -> bool:
        """Return whether it has a version: one listing."""
        return bool(self._entries())

    def moved(self, seen: Seen) -> Movement:
        """Return what came after a version that was seen: one listing, and a read of its number, if that was not read before."""
        entries = self.look()
        if self.is_mounted:
            return self._moved_by_heads(seen, entries)
        if entries is None:
            entries = self._versions_here().entries()
        if not entries:
            raise self.missing()
        head = max(entries)
        number = number_of(seen)
        newer = tuple(entry for entry in entries if entry > number)
        if number in entries and digest_of(seen) is None:
            return Movement(head, newer)
        if number in entries or not newer:
            now = min(number, head)
            return Movement(head, newer, went_back(seen, self._versions_here().read(now, entries[now])))
        return Movement(head, newer)  # it was expired

    def _moved_by_heads(self, seen: Seen, entries: Mapping[int, ListingEntry] | None) -> Movement:
        """Return what came to a mounted table after a version that was seen: one look, and its log if the head is another one."""
        versions = self._versions_here()
        now = versions.latest(entries=entries)
        if now is None:
            raise self.missing()
        return moved_by_heads(seen, now, versions.heads)

    def latest(self) -> Version | None:
        """Return the newest version."""
        entries = self.look()
        return self._versions_here().latest(entries=entries)

    def policy(self) -> Policy:
        """Return the policy of a table that is there, with the waivers that count."""
        head = self.latest()
        if head is None:
            raise self.missing()
        waived = waivers.active(self.registry, self.name, may_write=False).waivers
        return policies.found(self.registry, self.name, head.schema, layout=self.place.layout).excused(waived)

    @property
    def checkpoints(self) -> Checkpoints:
        """What the registry knows of its versions, so that not all of them are read."""
        return Checkpoints(self.registry, checkpoints_folder(self.name, self.branch), self.versions)

    def past(self, head: Version | None) -> EarlierVersions:
        """Return the versions before the head; none, where there is no head."""
        if head is None:
            return EarlierVersions.of(())
        mounted = self.mounted_versions
        if mounted is not None:  # checkpoints count by marks of files, and there are none
            return mounted.past(head)
        return self.checkpoints.past(head)

    def following(self, past: EarlierVersions, head: Version, schema: TableSchema) -> Following:
        """Return the checkpoint that the version after the head names; none, where nothing may be written."""
        if not self.roots.may_write or self.place.layout is Layout.MOUNTED:
            return Following()
        return self.checkpoints.following(past, head, schema)

    def has_snapshots(self) -> bool:
        """Return whether the branch holds data by Paimon."""
        if self.place.layout is not Layout.PAIMON:
            return False
        folder = snapshot_folder(self.place.folder, self.branch)
        return bool(Numbered(self.place.files, folder, "snapshot-").entries())

    def references(self, *, note: bool = True) -> References:
        """Return which versions are still needed, by whom. What manifests say is noted down, so that they are not read again."""
        return references_of(self.roots, self.name, self.place, self.versions, note=note and self.roots.may_write)

    # ------------------------------------------------------------ writing

    def check_there(self) -> None:
        """Raise if the table has no version: a record about a misspelled name would reach nobody."""
        if not self.exists():
            raise self.missing()

    def check_writable(self) -> None:
        """Raise if no version of this table may be written."""
        self.roots.check_own(self.place, str(self.name))
        self.roots.check_writable(self.place.files, str(self.name))

    def check_alone(self, head: Version | None) -> None:
        """Raise if the newest version is by a writer who may overwrite ours, or if the folder holds what is no table of Paimon."""
        if head is None:
            foreign_writers.check_no_data_folder(self.place, str(self.name))
            self._check_database()
        else:
            self.roots.check_alone(self.place, foreign_writers.is_foreign(head), str(self.name))

    def _check_database(self) -> None:
        """Raise if the folder of the database is one of data, which Mini Paimon's names do not show; looked at once."""
        if self.place.layout is Layout.MINI_PAIMON and self.name.database not in self.roots.sound:
            foreign_writers.check_no_data_around(self.place, str(self.name))
            self.roots.sound.add(self.name.database)

    def check_apart(self, head: Version | None, schema: TableSchema) -> None:
        """Raise if the next schema places its data where its own file would lie, or around it; or if the location holds a password."""
        location = location_of(schema)
        if not location or (head is not None and location == location_of(head.schema)):
            return
        check_location(location, handed_in=self.roots.handed_in)
        if self.roots.open_location is not None:
            foreign_writers.check_apart(self.place, self.roots.open_location(location), str(self.name))

    def refuse_twin(self) -> None:
        """Raise ConflictError if a table that was made just now was made elsewhere as well, by a writer who came at the same moment.

        Asked once it is written: a writer who looks before sees nothing of the other. Both tables stay: people say which is meant.
        """
        name = self.name
        roots = self.roots
        others = [place for place in (roots.beside(name), roots.registered(name)) if place != self.place]
        twins = [place for place in others if Subject(roots, name, self.branch, place).exists()]
        if twins:
            where = f"{twins[0].files.url}/{twins[0].folder}"
            message = f"{name} was made here, and at the same moment in {where}: nobody can tell which is meant."
            raise ConflictError(message, code="table.twice", path=str(name), fix="Take one of them away, or say which with layout=.")

    def after_commit(self, version: Version) -> tuple[str, ...]:
        """Write what goes with a new version, and return notes about what could not be written, on which nothing depends."""
        if self.place.layout is not Layout.MINI_PAIMON or self.branch != MAIN:
            return ()
        try:
            mini_paimon_metadata.write(self.place, self.name, version.schema)
        except SchemaError as error:
            return (f"the file about the table was not written, and the version was: {error}",)
        finally:
            commit_steps.reached(commit_steps.METADATA)
        return ()

    def missing_version(self, number: int) -> NotThereError:
        """Return the error about a version that is not there."""
        if self.versions.entries():
            return self.versions.missing(number, str(self.name))
        return self.missing()

    def missing(self) -> NotThereError:
        """Return the error about a table that is not there; raise StorageError if the registry is not there, which may keep it."""
        self.roots.registry.check_root()
        return self._versions_here().no_table(str(self.name))

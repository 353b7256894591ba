"""One branch of one table, as the rooms of the store hand it to each other: where it lies, its versions, and what can be asked about it."""

from collections.abc import Mapping

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ConflictError, NotThereError, SchemaError
from airflow_provider_schemas.store.common.data_location import check_location
from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName, on_branch
from airflow_provider_schemas.store.layout.paths import Layout, checkpoints_folder, snapshot_folder
from airflow_provider_schemas.store.prefetch import Wanted, prefetch
from airflow_provider_schemas.store.retention.collect_references import references_of
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.roots import Roots, location_of
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table_location import Place
from airflow_provider_schemas.store.versions import foreign_writers, mini_paimon_metadata
from airflow_provider_schemas.store.versions.changes_since import Movement, Seen, digest_of, number_of, went_back
from airflow_provider_schemas.store.versions.checkpoints import Checkpoints, Following
from airflow_provider_schemas.store.versions.past import EarlierVersions
from airflow_provider_schemas.store.versions.version_log import Versions


class Subject:
    """A branch of a table. Nothing is asked of the storage before somebody asks."""

    def __init__(self, roots: Roots, name: TableName, branch: str = MAIN, place: Place | None = None) -> None:
        self.roots, self.name, self.branch = roots, name, branch
        self._place, self._sure = place, place is not None
        self._versions: Versions | None = None

    def foreseen(self, *, step: bool = False, data: bool = False, new: bool = False) -> "Subject":
        """The table as one judgement sees it, with what it will ask asked at once. Step is for a change: jobs count, and data may."""
        subject = self.in_judgement()
        jobs = ((self.name, ""),) if step else ()
        known = ((self.name, subject._place),) if subject._sure and subject._place is not None else ()
        prefetch(subject.roots, Wanted(((self.name, self.branch),), known, contracts=jobs, rules=step, snapshots=data, step=step, new=new))
        return subject

    def in_judgement(self) -> "Subject":
        """The table as one judgement sees it."""
        roots = self.roots.in_judgement()
        if roots is self.roots:
            return self
        place = self._place if self._sure else None
        if place is not None:
            files = roots.registry if place.files is self.roots.registry else roots.warehouse
            place = Place(files, place.folder, place.layout)
        return Subject(roots, self.name, self.branch, place)

    @property
    def typed(self) -> str:
        """The table with its branch, as commands take it."""
        return on_branch(str(self.name), self.branch)

    @property
    def registry(self) -> Files:
        """The files of the registry."""
        return self.roots.registry

    def _find(self) -> Mapping[int, ListingEntry] | None:
        """Find the place, if it is not known; what lies there, if it was listed for that just now.

        Where nothing lies yet, somebody may come to put it elsewhere: that is looked for again.
        """
        if self._sure:
            return None
        found = self.roots.find(self.name)
        if not found.entries:
            found.place.files.check_root()
        if found.place != self._place:
            self._place, self._versions = found.place, None
        self._sure = bool(found.entries)
        return found.entries if self.branch == MAIN else None

    @property
    def place(self) -> Place:
        """Where it lies."""
        if self._place is None:
            self._find()
        if self._place is None:
            raise AssertionError("it was found just now")
        return self._place

    def look(self) -> Mapping[int, ListingEntry] | None:
        """Find its place, if that is not known; what lies there, if it was listed for that just now."""
        return self._find() or None

    @property
    def versions(self) -> Versions:
        """Its versions."""
        self._find()
        return self._here()

    def _here(self) -> Versions:
        """The versions at the place that was found last."""
        versions = self._versions
        if versions is None:
            place, alone = self.place, self.roots.single_writer
            versions = self._versions = Versions(place.files, place.folder, place.layout, self.branch, self.roots.cache, alone=alone)
        return versions

    def exists(self) -> bool:
        """Whether it has a version: one listing."""
        entries = self._find()
        return bool(self._here().entries() if entries is None else entries)

    def moved(self, seen: Seen) -> Movement:
        """What came after a version that was seen: one listing; and a read of what bears its number, if that was not read before."""
        entries = self._find()
        entries = self._here().entries() if entries is None else entries
        if not entries:
            raise self.missing()
        head, number = max(entries), number_of(seen)
        newer = tuple(one for one in entries if one > number)
        if number in entries and digest_of(seen) is None:
            return Movement(head, newer)
        if number in entries or not newer:
            now = min(number, head)
            return Movement(head, newer, went_back(seen, self._here().read(now, entries[now])))
        return Movement(head, newer)  # it was expired

    def latest(self) -> Version | None:
        """The newest version."""
        entries = self._find()
        return self._here().latest(entries=entries)

    @property
    def checkpoints(self) -> Checkpoints:
        """What the registry knows of its versions, so that not all of them are read."""
        return Checkpoints(self.registry, checkpoints_folder(self.name, self.branch), self.versions)

    def past(self, head: Version) -> EarlierVersions:
        """The versions before the head."""
        return self.checkpoints.past(head)

    def following(self, past: EarlierVersions, head: Version, schema: TableSchema) -> Following:
        """The checkpoint that the version after the head names; none, where the registry takes nothing."""
        return self.checkpoints.following(past, head, schema) if self.roots.may_write else Following()

    def has_snapshots(self) -> bool:
        """Whether the branch holds data by Paimon."""
        if self.place.layout is not Layout.PAIMON:
            return False
        folder = snapshot_folder(self.place.folder, self.branch)
        return bool(Numbered(self.place.files, folder, "snapshot-").entries())

    def live(self, *, note: bool = True) -> frozenset[int] | None:
        """The numbers of the versions that somebody still needs; None where that is not known."""
        return self.references(note=note).live

    def references(self, *, note: bool = True) -> References:
        """Which versions are still needed, by whom. What manifests say is noted down, so that nobody reads them again."""
        return references_of(self.roots, self.name, self.place, self.versions, note=note and self.roots.may_write)

    # ------------------------------------------------------------ writing

    def check_there(self) -> None:
        """An error if the table has no version: what is said about a misspelled name is said to nobody."""
        if not self.exists():
            raise self.missing()

    def check_writable(self) -> None:
        """An error if nothing may be written about this table."""
        self.roots.check_own(self.place, str(self.name))
        self.roots.check_writable(self.place.files, str(self.name))

    def check_alone(self, head: Version | None) -> None:
        """An error if the newest version is by somebody who may overwrite ours, or if the folder holds what is no table of Paimon."""
        if head is None:
            foreign_writers.check_no_data_folder(self.place, str(self.name))
            self._check_database()
        else:
            self.roots.check_alone(self.place, foreign_writers.is_foreign(head), str(self.name))

    def _check_database(self) -> None:
        """An error if the folder of the database is one of data, as Mini Paimon's names do not tell; looked at once."""
        if self.place.layout is Layout.MINI_PAIMON and self.name.database not in self.roots.sound:
            foreign_writers.check_no_data_around(self.place, str(self.name))
            self.roots.sound.add(self.name.database)

    def check_apart(self, head: Version | None, schema: TableSchema) -> None:
        """An error if the next schema says that the data lie where its own file would, or around it; or holds a password in saying so."""
        location = location_of(schema)
        if not location or (head is not None and location == location_of(head.schema)):
            return
        check_location(location, handed_in=self.roots.handed_in)
        if self.roots.open_location is not None:
            foreign_writers.check_apart(self.place, self.roots.open_location(location), str(self.name))

    def check_once(self) -> None:
        """ConflictError if a table that was made just now was made elsewhere as well, by somebody who came at the same moment."""
        name, roots = self.name, self.roots
        others = [one for one in (roots.beside(name), roots.registered(name)) if one != self.place]
        there = [one for one in others if Subject(roots, name, self.branch, one).exists()]
        if there:
            where = f"{there[0].files.url}/{there[0].folder}"
            message = f"{name} was made here, and at the same moment in {where}: nobody can tell which is meant."
            raise ConflictError(message, code="table.twice", path=str(name), fix="Take one of them away, or say which with layout=.")

    def after_commit(self, version: Version) -> tuple[str, ...]:
        """Write what goes with a new version; notes about what could not be written, which nothing depends on."""
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
        """The error about a version that is not there."""
        return self.versions.missing(number, str(self.name)) if self.versions.entries() else self.missing()

    def missing(self) -> NotThereError:
        """The error about a table that is not there. StorageError if the registry is not there: the table may be kept in that."""
        self.roots.registry.check_root()
        return self._here().no_table(str(self.name))

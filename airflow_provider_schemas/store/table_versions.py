"""What is there of a table: its name and its place, its versions, and its history. Nothing here writes."""

from collections.abc import Callable

import msgspec

from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.blame.lifelines import Lifelines
from airflow_provider_schemas.core.blame.trace import blame_of, lifelines_of
from airflow_provider_schemas.core.blame.version_steps import VersionSteps
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.formats.mini_paimon import TableMetadata
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.layout.identifiers import TableName, branch_name
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions import column_history, mini_paimon_metadata, mounted_history
from airflow_provider_schemas.store.versions.changes_since import Movement, Seen
from airflow_provider_schemas.store.versions.history import History
from airflow_provider_schemas.store.versions.inspect_history import inspect_history, with_ids


class TableVersions:
    """One table on one branch, to be read."""

    def __init__(self, roots: Roots, name: TableName, branch: str | None = None, place: TablePlace | None = None) -> None:
        self._subject = Subject(roots, name, branch_name(branch), place)

    @property
    def id(self) -> TableName:
        """Its name in two parts."""
        return self._subject.name

    @property
    def name(self) -> str:
        return str(self._subject.name)

    @property
    def database(self) -> str:
        return self._subject.name.database

    @property
    def table(self) -> str:
        return self._subject.name.table

    @property
    def branch_name(self) -> str:
        return self._subject.branch

    @property
    def place(self) -> TablePlace:
        """Where its schema files lie."""
        return self._subject.place

    @property
    def registry(self) -> Files:
        """The files of the registry."""
        return self._subject.registry

    @property
    def open_location(self) -> Callable[[str], Files] | None:
        """Opens the folder of data that a schema names; None where data are not looked at."""
        return self._subject.roots.open_location

    @property
    def looks(self) -> bool:
        """Whether gates may look at the data of a table that is only described."""
        return self._subject.roots.look

    @property
    def subject(self) -> Subject:
        """The table as the rooms of the store know it."""
        return self._subject

    # ------------------------------------------------------------ versions

    def exists(self) -> bool:
        """Return whether it has a version."""
        return self._subject.exists()

    def latest(self) -> Version:
        """Return the newest version: one listing, and a read if it was not read before."""
        head = self._subject.latest()
        if head is None:
            raise self._subject.missing()
        return head

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the versions that are there, lowest first: one listing."""
        return tuple(self._subject.versions.entries())

    def version(self, number: int) -> Version:
        """Return one version."""
        number = arguments.number(number)
        versions = self._subject.versions
        entry = versions.entries().get(number)
        if entry is not None:
            return versions.read(number, entry)
        dropped = versions.dropped(number)
        if dropped is None:
            raise self._subject.missing_version(number)
        return dropped

    def versions(self) -> tuple[Version, ...]:
        """Return all versions that are there, oldest first."""
        return _all_versions(self._subject)

    def schema(self, number: int | None = None) -> TableSchema:
        """Return the schema of a version; of the newest one, if no number is given."""
        version = self.latest() if number is None else self.version(number)
        return version.schema

    # ------------------------------------------------------------ history

    def history(self) -> History:
        """Return all versions in words, the newest first; of a table that others keep, the schemas as they were current."""
        mounted = self._subject.mounted_versions
        return History(self.versions()) if mounted is None else mounted_history.history(mounted)

    def blame(self, version: int | None = None, column: str = "") -> TableBlame:
        """Return since when each column is as it is, and by whom: of the newest version, or of another; of one column, and what is in it.

        A column that is gone, or has another name by now, is found by the name that it had.
        """
        number = None if version is None else arguments.number(version)
        known = self._known_steps()
        if number is not None and all(step.origin.number != number for step in known.steps):
            raise self._subject.missing_version(number)
        return blame_of(known, number, column)

    def lifelines(self) -> Lifelines:
        """Return every column through all versions that are known."""
        return lifelines_of(self._known_steps())

    def _known_steps(self) -> VersionSteps:
        known = column_history.steps(self._subject.versions, self.name)
        if not known.steps:
            raise self._subject.missing()
        return known

    def changed_since(self, seen: Seen) -> Movement:
        """Return what came after a version that was seen: one listing."""
        return self._subject.moved(seen)

    def inspect(self, *seen: Seen) -> Report:
        """Report what does not fit together in the history, in its ids, and with what was seen of it; and who else writes here."""
        subject = self._subject.foreseen()
        mounted = subject.mounted_versions
        if mounted is None:
            versions = _all_versions(subject)
            report = with_ids(inspect_history(versions, seen), versions)
        else:
            report = mounted_history.inspect(mounted, [subject.moved(remembered).report for remembered in seen])
        return msgspec.structs.replace(report, table=self.name)

    def metadata(self) -> TableMetadata:
        """Return Mini Paimon's file about the table; made of the newest version, where the file is missing or behind."""
        if self.place.layout is not Layout.MINI_PAIMON:
            message = f"{self.name} is laid out as {self.place.layout}, which has no file about a table."
            raise NotThereError(message, code="metadata.not-there", path=self.name, fix="Ask for its schema or its history.")
        return mini_paimon_metadata.read(self.place, self.id, self.schema())


def _all_versions(subject: Subject) -> tuple[Version, ...]:
    versions = subject.versions.all()
    if not versions:
        raise subject.missing()
    return versions

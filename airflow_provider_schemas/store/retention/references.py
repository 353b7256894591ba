"""Which versions of a table's schema are still needed, and by whom.

What cannot be read, or cannot be known, counts as a reference to everything. So do the files of a folder that only a registry knows:
it is not recorded with which version each was written.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, listed, named
from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.common.data_location import is_absolute
from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName
from airflow_provider_schemas.store.layout.paths import BRANCH, SCHEMA_FILE, Layout, branch_folder, joined, manifests_file, schema_folder
from airflow_provider_schemas.store.paimon.manifest_cache import Memory
from airflow_provider_schemas.store.paimon.manifests import ManifestContents, reason
from airflow_provider_schemas.store.retention.schema_ids_in_use import MANIFESTS, Uses, named_branch, uses
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.numbered_files import Numbered

# The folders of a table that hold no data.
_NO_DATA: Final[Mapping[Layout, frozenset[str]]] = {
    Layout.PAIMON: frozenset({"schema", "snapshot", "changelog", "tag", "branch", "consumer", "manifest", "index", "statistics"}),
    Layout.MINI_PAIMON: frozenset({"schema", "metadata", "branch"}),
    Layout.REGISTRY: frozenset(),
}
_NOWHERE: Final = "data at a place that the table does not tell (it has no location)"


class References(ShortRepr, Struct, frozen=True):
    """Who still needs which version of a table's schema, on one branch."""

    table: str
    branch: str
    numbers: tuple[int, ...]
    """The versions that there are."""
    held: Mapping[int, tuple[str, ...]]
    """By number, who holds it."""
    everything: tuple[str, ...] = ()
    """Who holds every version."""
    unreadable: tuple[str, ...] = ()
    """What could not be read, and why. It may hold anything."""
    has_snapshots: bool = False

    def _short_text(self) -> str:
        versions = f"{len(self.held):,} of {counted(len(self.numbers), 'version')} held"
        if self.everything:
            versions = f"{versions}, all of them by {listed(self.everything, 1)}"
        if self.unreadable:
            versions = f"{versions}, {len(self.unreadable):,} unreadable, so that any version may be held"
        return f"{named(self.table)}: {versions}"

    @property
    def complete(self) -> bool:
        """Whether everything could be read."""
        return not self.unreadable

    @property
    def live(self) -> frozenset[int] | None:
        """The versions that are needed; None if that is not known, and each may be."""
        if not self.complete:
            return None
        return frozenset(self.numbers if self.everything else self.held)

    def holders(self, number: int) -> tuple[str, ...]:
        """Return who holds a version."""
        return (*self.held.get(number, ()), *self.everything)


def references(
    files: Files,
    folder: str,
    name: TableName,
    *,
    layout: Layout,
    registry: Files,
    numbers: Iterable[int],
    branch: str = MAIN,
    contract_holders: Mapping[int, Sequence[str]] | None = None,
    binding_holders: Mapping[int, Sequence[str]] | None = None,
    baseline_holders: Mapping[int, Sequence[str]] | None = None,
    locations: Sequence[str] = (),
    open_location: Callable[[str], Files] | None = None,
    may_write: bool = False,
) -> References:
    """Return who needs which of these versions. The folder of the table lies in the files; its data may lie at other locations."""
    search = _Search(files, folder, layout, branch, tuple(sorted(numbers)))
    search.branches(Memory(files, joined(folder, MANIFESTS), registry, manifests_file(name, branch)), may_write=may_write)
    search.data_beside(locations)
    for location in locations:
        search.data_at(location, open_location)
    for holders in (contract_holders or {}, binding_holders or {}, baseline_holders or {}):
        for number, who in holders.items():
            search.hold(number, who)
    return search.answer(name)


class _Search:
    """The references that were found so far."""

    def __init__(self, files: Files, folder: str, layout: Layout, branch: str, numbers: tuple[int, ...]) -> None:
        self.files = files
        self.folder = folder
        self.layout = layout
        self.branch = branch
        self.numbers = numbers
        self.there = frozenset(numbers)
        self.held: dict[int, list[str]] = defaultdict(list)
        self.everything: list[str] = []
        self.unreadable: list[str] = []
        self.snapshots = 0
        self.anything = False
        """Whether any branch uses any schema."""

    def answer(self, name: TableName) -> References:
        held = {number: tuple(dict.fromkeys(who)) for number, who in sorted(self.held.items()) if number in self.there}
        found = (tuple(dict.fromkeys(self.everything)), tuple(dict.fromkeys(self.unreadable)))
        return References(str(name), self.branch, self.numbers, held, *found, self.snapshots > 0)

    def hold(self, number: int, who: Iterable[str]) -> None:
        self.held[number].extend(who)

    # ------------------------------------------------------------ branches

    def branches(self, memory: Memory, *, may_write: bool) -> None:
        """Find what the branch uses; and for the main branch what all others use, which were made of it and may become it."""
        found = [self._uses(self.branch, memory, self.there)]
        others = self._others() if self.branch == MAIN else []
        for other in others:
            own = frozenset(self._numbers(other))
            for number in self._copied(other, own & self.there):
                self.hold(number, [f"branch {other} was made of it"])
            found.append(self._uses(other, memory, own | self.there))
        if memory.news and may_write:
            memory.save(_joined(found))

    def _others(self) -> list[str]:
        """Return the names of the other branches."""
        try:
            entries = self.files.list(joined(self.folder, "branch"))
        except SchemaError as error:
            self._wrong(joined(self.folder, "branch"), error)
            return []
        return sorted(entry.name.removeprefix(BRANCH) for entry in entries if entry.folder and entry.name.startswith(BRANCH))

    def _numbers(self, branch: str) -> list[int]:
        """Return the versions of a branch."""
        folder = schema_folder(self.folder, branch)
        try:
            return Numbered(self.files, folder, SCHEMA_FILE).numbers()
        except SchemaError as error:
            self._wrong(folder, error)
            return []

    def _copied(self, branch: str, numbers: Iterable[int]) -> list[int]:
        """Return which versions of the branch are the main branch's own, byte for byte; what cannot be read may be."""
        here = {number: joined(schema_folder(self.folder, self.branch), f"{SCHEMA_FILE}{number}") for number in numbers}
        there = {number: joined(schema_folder(self.folder, branch), f"{SCHEMA_FILE}{number}") for number in here}
        data = self.files.read_many([*here.values(), *there.values()], MAX_BYTES)
        copied: list[int] = []
        for number in sorted(here):
            own = data[here[number]]
            other = data[there[number]]
            if own == other or not isinstance(own, bytes) or not isinstance(other, bytes):
                copied.append(number)
        return copied

    def _uses(self, branch: str, memory: Memory, own: frozenset[int]) -> ManifestContents:
        """Hold what the snapshots of a branch use; return what its manifests say."""
        if self.layout is not Layout.PAIMON:
            return ManifestContents({}, {}, set(), {})
        found = uses(self.files, self.folder, branch, memory)
        self.unreadable += found.unreadable
        self.anything = self.anything or bool(found.held)
        if branch == self.branch:
            self.snapshots = found.snapshots
        for number, who in found.held.items():
            if branch != self.branch:
                who = tuple(named_branch(branch, text) for text in who)  # noqa: PLW2901  # the same, with the branch
            self.hold(number, who)
        self._note_missing(branch, found, own)
        return found.found

    def _note_missing(self, branch: str, found: Uses, own: frozenset[int]) -> None:
        """Note versions that are named and not there: something is wrong with what names them, or with the versions."""
        unknown = found.held.keys() - own
        if unknown and branch == self.branch != MAIN:  # Paimon 0.9 copied the newest schema only
            unknown = unknown - set(self._numbers(MAIN))
        for number in sorted(unknown):
            path = branch_folder(self.folder, branch)
            self.unreadable.append(f"{path}: {', '.join(found.held[number])} named version {number}, which is not there.")

    def _wrong(self, path: str, error: SchemaError) -> None:
        self.unreadable.append(f"{path}: {reason(error)}")

    # ------------------------------------------------------------ data of unknown versions

    def data_beside(self, locations: Sequence[str]) -> None:
        """Find data in the table's own folder that no snapshot names; and note data at a place that is not known."""
        if self.layout is Layout.REGISTRY:
            if not locations:
                self.everything.append(_NOWHERE)
            return
        if self.anything:
            return
        try:
            names = {entry.name for entry in self.files.list(self.folder) if not entry.name.startswith(".")}
        except SchemaError as error:
            self._wrong(self.folder, error)
            return
        if names - _NO_DATA[self.layout]:
            self.everything.append(f"files in {self.folder} (nobody knows which version)")

    def data_at(self, location: str, open_location: Callable[[str], Files] | None) -> None:
        """Look into a folder of plain data: any version may have been used to write it, as long as there is anything in it."""
        if open_location is None:
            self.unreadable.append(f"{without_credentials(location)}: nobody can look into it.")
            return
        try:
            folder = open_location(location)
            if isinstance(folder, LocalFiles) and not is_absolute(location):
                self.unreadable.append(f"{location} is relative: nobody knows which folder it means.")
            elif folder.list(""):
                self.everything.append(f"files in {folder.url} (nobody knows which version)")
            elif guarantee(folder.protocol).means is Means.LINK and not folder.exists(""):  # a disk that is not mounted
                self.unreadable.append(f"{folder.url}: there is no such folder.")
        except SchemaError as error:
            self._wrong(without_credentials(location), error)


def _joined(parts: Iterable[ManifestContents]) -> ManifestContents:
    """Return what the manifests of several branches say."""
    joined = ManifestContents({}, {}, set(), {})
    for part in parts:
        joined.lists |= part.lists
        joined.manifests |= part.manifests
    return joined

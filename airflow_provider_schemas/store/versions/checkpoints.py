"""Read and write the checkpoints of a branch: facts about its versions in the registry, so that a commit need not read all of them.

| a checkpoint counts | because |
|---|---|
| if the version whose past it is names its sha256 | nobody else can put facts in its place |
| if the listing has just the versions that it speaks of, with their marks | a file that changed has another mark |

Where no checkpoint counts, every version is read. So a checkpoint may be missing, stale or damaged, and changes no answer.
Each version names the checkpoint that it was judged by; every few versions there is a new checkpoint, of the past of the version that names
it. If nobody can use the checkpoint that the newest version names, because its writer was killed or the version is an outside writer's, the
checkpoints are tried that a few versions before it name. The versions after a checkpoint are read.
"""

import contextlib
import hashlib
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.versions import checkpoint_file
from airflow_provider_schemas.store.versions.checkpoint_file import Checkpoint
from airflow_provider_schemas.store.versions.facts import VersionFacts, provenance_of
from airflow_provider_schemas.store.versions.past import EarlierVersions
from airflow_provider_schemas.store.versions.version_log import Versions

_NAME: Final = re.compile(r"[0-9a-f]{64}")
_END: Final = ".checkpoint"
# A branch has so many files for its checkpoints, each of which is overwritten: who may not delete leaves none behind.
_FILES: Final = 4
# Of how many versions the checkpoints are tried, the newest first.
_TRIED_VERSIONS: Final = 4
# A new checkpoint is due when so many versions, or so many bytes of them, are in none.
_MOST_VERSIONS: Final = 4
_MOST_BYTES: Final = 256 * 1024


class _Used(NamedTuple):
    """A checkpoint that counts, and its facts."""

    name: str
    checkpoint: Checkpoint
    facts: VersionFacts


class CheckpointedVersions(EarlierVersions):
    """Earlier versions, and what is needed to write their checkpoint."""

    def __init__(self, facts: VersionFacts, versions: Versions, entries: Mapping[int, ListingEntry], used: _Used | None) -> None:
        super().__init__(facts, lambda numbers: versions.all({number: entries[number] for number in numbers}))
        self.entries = entries
        self.used = used


class Following(NamedTuple):
    """The checkpoint that the next version names, and its bytes if they are to be written once the version is there."""

    name: str | None = None
    data: bytes | None = None


class Checkpoints:
    """The checkpoints of a branch, in a folder of the registry."""

    def __init__(self, registry: Files, folder: str, versions: Versions) -> None:
        self.registry = registry
        self.folder = folder
        self.versions = versions
        means = guarantee(versions.files.protocol).means
        # The file beside a file of Mini Paimon has no mark in its listing; and of an unknown storage nobody knows what a mark is worth.
        self._has_marks = not versions.mini and means is not Means.NONE
        self._is_far = means is Means.CONDITION

    # ------------------------------------------------------------ reading

    def past(self, head: Version) -> CheckpointedVersions:
        """Return the versions before a version that was the newest just now, by the listing in which it was found."""
        entries = self.versions.listed_before(head)
        used = self._find_usable(head, entries)
        facts = VersionFacts() if used is None else used.facts
        for version in self.versions.all(dict(islice(entries.items(), len(facts.spans.numbers), None))):
            facts.add(version)
        return CheckpointedVersions(facts, self.versions, entries, used)

    def _find_usable(self, head: Version, entries: Mapping[int, ListingEntry]) -> _Used | None:
        """Return the newest checkpoint that counts; None if the newest versions name none."""
        if not self._has_marks:
            return None
        tried: set[str] = set()
        for version in self._newest(head, entries):
            name = _checkpoint_name(version)
            if name is None or name in tried:
                continue
            tried.add(name)
            used = self._use(name, head, entries)
            if used is not None:
                return used
        return None

    def _newest(self, head: Version, entries: Mapping[int, ListingEntry]) -> Iterator[Version]:
        """Yield the head and a few versions before it, the newest first. Those before it are read at once, if they are needed."""
        yield head
        before = [*entries][-(_TRIED_VERSIONS - 1) :]
        yield from reversed(self.versions.all({number: entries[number] for number in before}))

    def _use(self, name: str, head: Version, entries: Mapping[int, ListingEntry]) -> _Used | None:
        """Return the checkpoint of a name, if it counts."""
        checkpoint = self._read(name)
        if checkpoint is None or not checkpoint.fits(entries):
            return None
        version = self._read_version(head, checkpoint.number, entries)
        if version is None or _checkpoint_name(version) != name:
            return None
        facts = checkpoint.facts(version.schema)
        if facts is None:
            return None
        return _Used(name, checkpoint, facts)

    def _read(self, name: str) -> Checkpoint | None:
        """Return the checkpoint of a name; None if its file holds other bytes."""
        try:
            data = self.registry.read(self._path(name), checkpoint_file.LIMIT)
        except SchemaError:
            return None
        if hashlib.sha256(data).hexdigest() != name:
            return None
        return checkpoint_file.decode(data)

    def _read_version(self, head: Version, number: int, entries: Mapping[int, ListingEntry]) -> Version | None:
        if number == head.number:
            return head
        if number not in entries:
            return None
        return next(iter(self.versions.all({number: entries[number]})), None)

    def _path(self, name: str) -> str:
        """Return the path of a checkpoint. A later checkpoint overwrites it there."""
        return joined(self.folder, f"{int(name[0], 16) % _FILES}{_END}")

    # ------------------------------------------------------------ writing

    def following(self, past: EarlierVersions, head: Version, schema: TableSchema) -> Following:
        """Return the checkpoint that the version after the head names, which will have this schema."""
        if not isinstance(past, CheckpointedVersions) or not self._has_marks:
            return Following()
        used_name = None if past.used is None else past.used.name
        entry = self.versions.listed(head)
        if entry is None or not self._is_due(past, entry):
            return Following(used_name)
        facts = past.facts.copy()
        facts.add(head)
        marks = checkpoint_file.sign_of_marks([*map(past.entries.__getitem__, past.numbers), entry])
        data = checkpoint_file.encode(facts, marks, head.number + 1, schema)
        if data is None:
            return Following(used_name)
        return Following(hashlib.sha256(data).hexdigest(), data)

    def _is_due(self, past: CheckpointedVersions, head: ListingEntry) -> bool:
        """Return whether a new checkpoint is worth its write. Far away it is due early: a write is one request, as a read is."""
        covered = 0
        if past.used is not None and not self._is_far:
            covered = len(past.used.checkpoint.numbers)
        uncovered = [*islice(past.entries.values(), covered, None), head]
        return len(uncovered) >= _MOST_VERSIONS or sum(entry.size or 0 for entry in uncovered) >= _MOST_BYTES

    def keep(self, following: Following) -> None:
        """Write a checkpoint, once the version that names it is there. Nothing depends on whether that succeeds."""
        if following.name is None or following.data is None:
            return
        with contextlib.suppress(SchemaError), commit_steps.unheard():
            self.registry.put(self._path(following.name), following.data)


def _checkpoint_name(version: Version) -> str | None:
    """Return the name of the checkpoint that a version names."""
    provenance = provenance_of(version)
    if provenance is None or provenance.checkpoint is None or not _NAME.fullmatch(provenance.checkpoint):
        return None
    return provenance.checkpoint

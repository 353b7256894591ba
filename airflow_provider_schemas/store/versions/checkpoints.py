"""The checkpoints of one branch of a table: facts about its versions in the registry, so that a commit need not read all of them.

| a checkpoint counts | because |
|---|---|
| if the version whose past it is names its sha256 | nobody else can put facts in its place |
| if the listing has just the versions that it speaks of, with their marks | a file that changed has another mark |

Where none counts, every version is read. So a checkpoint may be missing, stale or damaged, and changes no answer.
Each version names the checkpoint that it was judged by; every few versions there is a new one, of the past of the version that names it.
If nobody can use the one that the newest version names, because its writer was killed or the version is an outside writer's, a few
versions before it are asked which one they name: what came after a checkpoint is read.
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
# A branch has so many files for its checkpoints, each of which is written over: whoever may not delete leaves none behind.
_FILES: Final = 4
# How many versions are asked which checkpoint they name, the newest first.
_ASKED: Final = 4
# A new one is due when so many versions, or so many bytes of them, are in none.
_MOST_VERSIONS: Final = 4
_MOST_BYTES: Final = 256 * 1024


class _Begun(NamedTuple):
    """What a checkpoint has told."""

    name: str
    checkpoint: Checkpoint
    facts: VersionFacts


class CheckpointedPast(EarlierVersions):
    """A past, and what is needed to write it down."""

    def __init__(self, facts: VersionFacts, versions: Versions, entries: Mapping[int, ListingEntry], begun: _Begun | None) -> None:
        super().__init__(facts, lambda numbers: versions.all({number: entries[number] for number in numbers}))
        self.entries, self.begun = entries, begun


class Following(NamedTuple):
    """What the next version names, and what is to be written once the version is there."""

    name: str | None = None
    data: bytes | None = None


class Checkpoints:
    """The checkpoints of a branch, in a folder of the registry."""

    def __init__(self, registry: Files, folder: str, versions: Versions) -> None:
        self.registry, self.folder, self.versions = registry, folder, versions
        # What lies beside a file of Mini Paimon has no mark in its listing; and of an unknown storage nobody knows what a mark is worth.
        means = guarantee(versions.files.protocol).means
        self.marked, self.far = not versions.mini and means is not Means.NONE, means is Means.CONDITION

    # ------------------------------------------------------------ reading

    def past(self, head: Version) -> CheckpointedPast:
        """Return the past of a version that was the newest just now, by the listing in which it was found."""
        entries = self.versions.listed_before(head)
        begun = self._begun(head, entries)
        facts = VersionFacts() if begun is None else begun.facts
        for version in self.versions.all(dict(islice(entries.items(), len(facts.spans.numbers), None))):
            facts.add(version)
        return CheckpointedPast(facts, self.versions, entries, begun)

    def _begun(self, head: Version, entries: Mapping[int, ListingEntry]) -> _Begun | None:
        """Return what the newest checkpoint tells that can be used; None if a few versions name none that can."""
        if not self.marked:
            return None
        tried: set[str] = set()
        for version in self._newest(head, entries):
            name = _named(version)
            if name is None or name in tried:
                continue
            tried.add(name)
            data = self._read(name)
            checkpoint = None if data is None else checkpoint_file.decoded(data)
            begun = None if checkpoint is None else self._told(name, checkpoint, head, entries)
            if begun is not None:
                return begun
        return None

    def _newest(self, head: Version, entries: Mapping[int, ListingEntry]) -> Iterator[Version]:
        """Yield the head and a few versions before it, the newest first; those are read at once, and only if somebody asks for them."""
        yield head
        before = [*entries][-(_ASKED - 1) :]
        yield from reversed(self.versions.all({number: entries[number] for number in before}))

    def _told(self, name: str, checkpoint: Checkpoint, head: Version, entries: Mapping[int, ListingEntry]) -> _Begun | None:
        if not checkpoint.fits(entries):
            return None
        version = self._version(head, checkpoint.number, entries)
        facts = None if version is None or _named(version) != name else checkpoint.facts(version.schema)
        return None if facts is None else _Begun(name, checkpoint, facts)

    def _read(self, name: str) -> bytes | None:
        """Return the bytes of a checkpoint, if it is the one of that name."""
        try:
            data = self.registry.read(self._path(name), checkpoint_file.LIMIT)
        except SchemaError:
            return None
        return data if hashlib.sha256(data).hexdigest() == name else None

    def _version(self, head: Version, number: int, entries: Mapping[int, ListingEntry]) -> Version | None:
        if number == head.number:
            return head
        return next(iter(self.versions.all({number: entries[number]})), None) if number in entries else None

    def _path(self, name: str) -> str:
        """Return the file in which a checkpoint lies, until one of a later version lies there."""
        return joined(self.folder, f"{int(name[0], 16) % _FILES}{_END}")

    # ------------------------------------------------------------ writing

    def following(self, past: EarlierVersions, head: Version, schema: TableSchema) -> Following:
        """Return what the version after the head names, which will have this schema."""
        if not isinstance(past, CheckpointedPast) or not self.marked:
            return Following()
        used = None if past.begun is None else past.begun.name
        entry = self.versions.listed(head)
        if entry is None or not self._is_due(past, entry):
            return Following(used)
        facts = past.facts.copy()
        facts.add(head)
        marks = checkpoint_file.sign_of_marks([*map(past.entries.__getitem__, past.numbers), entry])
        data = checkpoint_file.encoded(facts, marks, head.number + 1, schema)
        return Following(used) if data is None else Following(hashlib.sha256(data).hexdigest(), data)

    def _is_due(self, past: CheckpointedPast, head: ListingEntry) -> bool:
        """Return whether so much is in no checkpoint that a new one is worth its write; far away a write is one request, as a read is."""
        covered = 0 if past.begun is None or self.far else len(past.begun.checkpoint.numbers)
        left = [*islice(past.entries.values(), covered, None), head]
        return len(left) >= _MOST_VERSIONS or sum(entry.size or 0 for entry in left) >= _MOST_BYTES

    def keep(self, following: Following) -> None:
        """Write a checkpoint whose version is there. Nothing depends on whether that succeeds."""
        if following.name is None or following.data is None:
            return
        with contextlib.suppress(SchemaError), commit_steps.unheard():
            self.registry.put(self._path(following.name), following.data)


def _named(version: Version) -> str | None:
    """Return the name of the checkpoint that a version names."""
    past = provenance_of(version)
    name = None if past is None else past.checkpoint
    return name if name is not None and _NAME.fullmatch(name) else None

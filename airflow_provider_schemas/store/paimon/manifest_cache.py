"""Remember the contents of manifests, so that each is read once in its life: in this process, and in a small file of the registry.

The name of a manifest is never used again, so that its content stays true for ever. Who may write replaces the file in the registry as a
whole; who cannot read that file reads the manifests instead.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.paimon.manifests import KnownManifests, ListFacts, ManifestContents, ManifestFacts, NamedFile
from airflow_provider_schemas.store.storage.files import Files

_VERSION: Final = 1
# Names in lists, the one thing in here that grows with the square of a table's size: some hundred megabytes.
_MAX_WEIGHT: Final = 2_000_000


_FileFacts = ListFacts | ManifestFacts


class _Process:
    """The contents that this process knows, by root, folder and name. Needs no lock: a content that gets lost is read again."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str, str], _FileFacts] = {}
        self.weight = 0

    def learn(self, key: tuple[str, str, str], facts: _FileFacts) -> None:
        """Remember a content; forget everything first where that becomes too much."""
        names = len(facts.manifests) if isinstance(facts, ListFacts) else 0
        self.weight += 1 + names
        if self.weight > _MAX_WEIGHT:
            self.forget()
        self.facts[key] = facts

    def forget(self) -> None:
        """Forget everything."""
        self.facts = {}
        self.weight = 0


_PROCESS: Final = _Process()


def forget() -> None:
    """Forget all contents that this process knows."""
    _PROCESS.forget()


class _StoredFacts(Struct):
    """The file in the registry. Lists name manifests by their places in it, because every list names most of them."""

    version: int
    manifests: list[tuple[NamedFile, dict[int, int] | None]]
    lists: dict[str, tuple[int, dict[int, int], list[int]]]


class Memory(KnownManifests):
    """The known contents of the manifests in a folder: those that the process knows, then those in the file of the registry."""

    def __init__(self, files: Files, folder: str, registry: Files, path: str) -> None:
        self._root = files.url
        self._folder = folder
        self._registry = registry
        self._path = path
        self._stored: dict[str, _FileFacts] | None = None
        self.news = False
        """Whether anything was learnt that the file does not hold."""

    def get_list(self, name: str) -> ListFacts | None:
        facts = self._get(name)
        return facts if isinstance(facts, ListFacts) else None

    def get_manifest(self, name: str) -> ManifestFacts | None:
        facts = self._get(name)
        return facts if isinstance(facts, ManifestFacts) else None

    def _get(self, name: str) -> _FileFacts | None:
        key = (self._root, self._folder, name)
        known = _PROCESS.facts.get(key)
        if known is not None:
            return known
        if self._stored is None:
            self._stored = _load(self._registry, self._path)
        stored = self._stored.get(name)
        if stored is not None:
            _PROCESS.learn(key, stored)
        return stored

    def learn(self, name: str, facts: _FileFacts) -> None:
        self.news = True
        _PROCESS.learn((self._root, self._folder, name), facts)

    def save(self, contents: ManifestContents) -> None:
        """Write the contents into the registry, for the next process. Who may not write has lost nothing."""
        try:
            self._registry.put(self._path, _encode(contents))
        except SchemaError:
            return
        self.news = False


def _encode(contents: ManifestContents) -> bytes:
    places: dict[NamedFile, int] = {}
    lists = {}
    for name, facts in contents.lists.items():
        numbers = [places.setdefault(manifest, len(places)) for manifest in facts.manifests]
        lists[name] = (facts.size, dict(facts.schemas), numbers)
    manifests = [(manifest, _schemas_in(contents, manifest)) for manifest in places]
    return msgspec.json.encode(_StoredFacts(_VERSION, manifests, lists))


def _schemas_in(contents: ManifestContents, manifest: NamedFile) -> dict[int, int] | None:
    facts = contents.manifests.get(manifest.name)
    return None if facts is None else dict(facts.schemas)


def _load(registry: Files, path: str) -> dict[str, _FileFacts]:
    try:
        stored = msgspec.json.decode(registry.read(path), type=_StoredFacts)
    except (SchemaError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return dict(_facts_in(stored)) if stored.version == _VERSION else {}


def _facts_in(stored: _StoredFacts) -> Iterable[tuple[str, _FileFacts]]:
    manifests = [manifest for manifest, _ in stored.manifests]
    for manifest, schemas in stored.manifests:
        if schemas is not None:
            yield manifest.name, ManifestFacts(manifest.size, schemas)
    for name, (size, schemas, numbers) in stored.lists.items():
        if all(0 <= number < len(manifests) for number in numbers):
            yield name, ListFacts(size, schemas, tuple(manifests[number] for number in numbers))

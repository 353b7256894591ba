"""What is known of manifests, so that each is read once in its life: in this process, and in a small file of the registry.

A manifest bears a name that is never used again, so that what it says holds for ever. The file is put over
whole by whoever may write, and whoever cannot read it reads the manifests instead.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.paimon.manifests import Found, Known, ListFacts, ManifestFacts, Named
from airflow_provider_schemas.store.storage.files import Files

_VERSION: Final = 1
# Names in lists, the one thing in here that grows with the square of a table's size: some hundred megabytes.
_MAX_WEIGHT: Final = 2_000_000


class _Process:
    """What this process knows, by root and path. Needs no lock: single steps of dictionaries, and what is lost is read again."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str, str], ListFacts | ManifestFacts] = {}
        self.weight = 0

    def learn(self, key: tuple[str, str, str], facts: ListFacts | ManifestFacts) -> None:
        self.weight += 1 + (len(facts.manifests) if isinstance(facts, ListFacts) else 0)
        if self.weight > _MAX_WEIGHT:
            self.forget()
        self.facts[key] = facts

    def forget(self) -> None:
        self.facts, self.weight = {}, 0


_PROCESS: Final = _Process()


def forget() -> None:
    """Forget what this process knows."""
    _PROCESS.forget()


class _File(Struct):
    """The file in the registry. Manifests are numbered in it, because every list names most of them."""

    version: int
    manifests: list[tuple[Named, dict[int, int] | None]]
    lists: dict[str, tuple[int, dict[int, int], list[int]]]


class Memory(Known):
    """What is known of the manifests in a folder: by the process first, by the file in the registry if that is not enough."""

    def __init__(self, files: Files, folder: str, registry: Files, path: str) -> None:
        self._root, self._folder, self._registry, self._path = files.url, folder, registry, path
        self._stored: dict[str, ListFacts | ManifestFacts] | None = None
        self.news = False
        """Whether anything was learnt that the file does not say."""

    def get_list(self, name: str) -> ListFacts | None:
        found = self._get(name)
        return found if isinstance(found, ListFacts) else None

    def get_manifest(self, name: str) -> ManifestFacts | None:
        found = self._get(name)
        return found if isinstance(found, ManifestFacts) else None

    def _get(self, name: str) -> ListFacts | ManifestFacts | None:
        known = _PROCESS.facts.get((self._root, self._folder, name))
        if known is None:
            if self._stored is None:
                self._stored = _load(self._registry, self._path)
            known = self._stored.get(name)
            if known is not None:
                _PROCESS.learn((self._root, self._folder, name), known)
        return known

    def learn(self, name: str, facts: ListFacts | ManifestFacts) -> None:
        self.news = True
        _PROCESS.learn((self._root, self._folder, name), facts)

    def save(self, found: Found) -> None:
        """Write down what was found, for the next process. Who cannot has lost nothing."""
        try:
            self._registry.put(self._path, _written(found))
        except SchemaError:
            return
        self.news = False


def _written(found: Found) -> bytes:
    named: dict[Named, int] = {}
    lists = {}
    for name, facts in found.lists.items():
        lists[name] = (facts.size, dict(facts.schemas), [named.setdefault(one, len(named)) for one in facts.manifests])
    return msgspec.json.encode(_File(_VERSION, [(one, _schemas(found, one)) for one in named], lists))


def _schemas(found: Found, one: Named) -> dict[int, int] | None:
    facts = found.manifests.get(one.name)
    return None if facts is None else dict(facts.schemas)


def _load(registry: Files, path: str) -> dict[str, ListFacts | ManifestFacts]:
    try:
        file = msgspec.json.decode(registry.read(path), type=_File)
    except (SchemaError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return dict(_facts(file)) if file.version == _VERSION else {}


def _facts(file: _File) -> Iterable[tuple[str, ListFacts | ManifestFacts]]:
    named = [one for one, _ in file.manifests]
    for one, schemas in file.manifests:
        if schemas is not None:
            yield one.name, ManifestFacts(one.size, schemas)
    for name, (size, schemas, numbers) in file.lists.items():
        if all(0 <= number < len(named) for number in numbers):
            yield name, ListFacts(size, schemas, tuple(named[number] for number in numbers))

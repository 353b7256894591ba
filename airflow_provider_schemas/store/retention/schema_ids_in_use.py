"""Which schema ids one branch of a Paimon table uses, and what uses them, in words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import branch_folder, joined
from airflow_provider_schemas.store.paimon.manifest_cache import Memory
from airflow_provider_schemas.store.paimon.manifests import ManifestContents, look, reason
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind, AnchorListing, Mention, anchors, read_statistics
from airflow_provider_schemas.store.registry.json_records import first
from airflow_provider_schemas.store.storage.files import Files

_PASSES: Final = 3
_SHOWN: Final = 5
_BATCH: Final = 256
MANIFESTS: Final = "manifest"
STATISTICS: Final = "statistics"


class Uses(Struct):
    """What a branch uses."""

    held: dict[int, tuple[str, ...]]
    """By schema id, what uses it."""
    unreadable: tuple[str, ...]
    snapshots: int
    found: ManifestContents
    """What its manifests say."""


def uses(files: Files, table: str, branch: str, memory: Memory) -> Uses:
    """Return what a branch of a table uses. Engines work on meanwhile: what goes between listing and reading is looked for anew."""
    for _ in range(_PASSES):
        search = _Search(files, table, branch)
        search.run(memory)
        if not search.gone:
            break
    unreadable = {**search.wrong, **dict.fromkeys(search.gone, "it is named, but it is not there.")}
    held = {number: search.words[number].texts() for number in sorted(search.words)}
    return Uses(held, tuple(_group_by_fault(unreadable)), search.anchors.snapshots, search.found)


def _group_by_fault(unreadable: Mapping[str, str]) -> Iterator[str]:
    """Yield each fault with its files: a library that is missing is missing for all of them."""
    paths_of: dict[str, list[str]] = defaultdict(list)
    for path, fault in sorted(unreadable.items()):
        paths_of[fault].append(path)
    for fault, paths in paths_of.items():
        yield f"{first(paths, 1)}: {fault}"


class _Words:
    """What uses one schema."""

    def __init__(self) -> None:
        self.anchors: dict[AnchorKind, list[str]] = defaultdict(list)
        self.statistics: list[str] = []
        self.entries = 0
        """Entries of manifests: a file that came and went is two of them."""
        self.manifests = 0
        self.lists = 0

    def texts(self) -> tuple[str, ...]:
        """Return what uses the schema, in words."""
        texts: list[str] = []
        for kind in AnchorKind:
            order = sorted if kind is AnchorKind.TAG else _ranges
            texts.append(_name_some(kind, order(self.anchors[kind])))
        texts.append(_name_some("statistics file", sorted(self.statistics)))
        if self.entries:
            texts.append(f"{counted(self.entries, 'data file')} in {counted(self.manifests, 'manifest')}")
        if self.lists:
            texts.append(counted(self.lists, "manifest list"))
        return tuple(text for text in texts if text)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 day`, `2 days`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _name_some(what: str, names: list[str]) -> str:
    """Return the names, or the first of them: `snapshot 12`, `snapshots 1 to 37, 40`, `tags a, b and 3 more`."""
    if not names:
        return ""
    several = "s" if len(names) > 1 or " to " in names[0] else ""
    return f"{what}{several} {first(names, _SHOWN)}"


def _ranges(names: Iterable[str]) -> list[str]:
    """Return numbers as ranges of those that follow one another."""
    spans: list[list[int]] = []
    for number in sorted(map(int, names)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return [f"{low} to {high}" if low < high else str(low) for low, high in spans]


class _Search:
    """One look at a branch."""

    def __init__(self, files: Files, table: str, branch: str) -> None:
        self.files = files
        self.table = table
        self.branch = branch
        self.words: dict[int, _Words] = defaultdict(_Words)
        self.wrong: dict[str, str] = {}
        self.gone: list[str] = []
        self.anchors = AnchorListing([], [], {})
        self.found = ManifestContents({}, {}, set(), {})

    def run(self, memory: Memory) -> None:
        """Look through snapshots, tags, statistics and manifests."""
        folder = branch_folder(self.table, self.branch)
        try:
            self.anchors = anchors(self.files, folder)
            self.wrong |= self.anchors.wrong
            self.gone += self.anchors.gone
            self._statistics(self.anchors.found)
            self._manifests(self.anchors.found, memory)
        except SchemaError as error:
            self.wrong[error.path or folder] = reason(error)
        for anchor in self.anchors.found:
            self.words[anchor.schema].anchors[anchor.kind].append(anchor.name)

    def _manifests(self, found: Iterable[Anchor], memory: Memory) -> None:
        """Read the manifests that the anchors name. All branches of a table share one folder of manifests."""
        mentions: list[Mention] = []
        for anchor in found:
            mentions += anchor.lists
        files = dict.fromkeys(mention.file for mention in mentions)
        self.found = look(self.files, joined(self.table, MANIFESTS), files, memory)
        self._count(self.found)
        self.wrong |= {self._manifest(name): why for name, why in self.found.wrong.items()}
        if self.found.gone:
            must = {mention.file.name for mention in mentions if mention.must}
            for name in must & self.found.lists.keys():
                must |= {manifest.name for manifest in self.found.lists[name].manifests}
            self.gone += map(self._manifest, self.found.gone & must)

    def _manifest(self, name: str) -> str:
        """Return the path of a manifest."""
        return joined(self.table, MANIFESTS, name)

    def _count(self, found: ManifestContents) -> None:
        """Count the entries, manifests and lists that use each schema."""
        for facts in found.lists.values():
            for number in facts.schemas:
                self.words[number].lists += 1
        for manifest in found.manifests.values():
            for number, count in manifest.schemas.items():
                self.words[number].entries += count
                self.words[number].manifests += 1

    def _statistics(self, found: Iterable[Anchor]) -> None:
        """Read the statistics files that the anchors name."""
        named: dict[str, bool] = {}
        for anchor in found:
            mention = anchor.statistics
            if mention is not None:
                named[mention.file.name] = named.get(mention.file.name, False) or mention.must
        paths = {joined(self.table, STATISTICS, name): name for name in named}
        waiting = list(paths)
        for start in range(0, len(waiting), _BATCH):
            for path, data in self.files.read_many(waiting[start : start + _BATCH]).items():
                self._statistic(path, paths[path], data, must=named[paths[path]])

    def _statistic(self, path: str, name: str, data: bytes | SchemaError, *, must: bool) -> None:
        try:
            self.words[read_statistics(data)].statistics.append(name)
        except NotThereError:
            if must:
                self.gone.append(path)
        except SchemaError as error:
            self.wrong[path] = reason(error)


def named_branch(branch: str, text: str) -> str:
    """Return the text with the branch that it is about."""
    return text if branch == MAIN else f"branch {branch}: {text}"

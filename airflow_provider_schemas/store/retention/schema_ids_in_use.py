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
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind, AnchorListing, anchors, read_statistics
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
    """What a branch of a table uses. Engines work on meanwhile: what goes between the listing and the reading is looked for anew."""
    for _ in range(_PASSES):
        search = _Search(files, table, branch)
        search.run(memory)
        if not search.gone:
            break
    unreadable = {**search.wrong, **dict.fromkeys(search.gone, "it is named, but it is not there.")}
    held = {number: search.words[number].texts() for number in sorted(search.words)}
    return Uses(held, tuple(_together(unreadable)), search.anchors.snapshots, search.found)


def _together(unreadable: Mapping[str, str]) -> Iterator[str]:
    """What is wrong, with the files that it is wrong with: a library that is missing is missed by each of them."""
    paths: dict[str, list[str]] = defaultdict(list)
    for path, why in sorted(unreadable.items()):
        paths[why].append(path)
    for why, these in paths.items():
        yield f"{these[0]}{f' and {len(these) - 1} more' if len(these) > 1 else ''}: {why}"


class _Words:
    """What uses one schema."""

    def __init__(self) -> None:
        self.anchors: dict[AnchorKind, list[str]] = defaultdict(list)
        self.statistics: list[str] = []
        self.entries = self.manifests = self.lists = 0

    def texts(self) -> tuple[str, ...]:
        kinds = (
            _some(kind, _ranges(self.anchors[kind]) if kind is not AnchorKind.TAG else sorted(self.anchors[kind])) for kind in AnchorKind
        )
        others = (
            _some("statistics file", sorted(self.statistics)),
            self._files(),
            _many(self.lists, "manifest list"),
        )
        return tuple(text for text in (*kinds, *others) if text)

    def _files(self) -> str:
        """Entries of manifests: a file that came and went is two of them."""
        return f"{_many(self.entries, 'data file')} in {_many(self.manifests, 'manifest')}" if self.entries else ""


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}" if count else ""


def _some(what: str, names: list[str]) -> str:
    """The names, or the first of them: `snapshot 12`, `snapshots 1 to 37, 40`, `tags a, b and 3 more`."""
    if not names:
        return ""
    several = "s" if len(names) > 1 or " to " in names[0] else ""
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{what}{several} {', '.join(names[:_SHOWN])}{rest}"


def _ranges(names: Iterable[str]) -> list[str]:
    """Numbers, with those that follow one another drawn together."""
    spans: list[list[int]] = []
    for number in sorted(map(int, names)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return [str(low) if low == high else f"{low} to {high}" for low, high in spans]


class _Search:
    """One look at a branch."""

    def __init__(self, files: Files, table: str, branch: str) -> None:
        self.files, self.table, self.branch = files, table, branch
        self.words: dict[int, _Words] = defaultdict(_Words)
        self.wrong: dict[str, str] = {}
        self.gone: list[str] = []
        self.anchors = AnchorListing([], [], {})
        self.found = ManifestContents({}, {}, set(), {})

    def run(self, memory: Memory) -> None:
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
        """A table lies under all its branches with one folder of manifests."""
        mentions = [mention for anchor in found for mention in anchor.lists]
        self.found = look(self.files, joined(self.table, MANIFESTS), dict.fromkeys(one.file for one in mentions), memory)
        self._count(self.found)
        self.wrong |= {self._manifest(name): why for name, why in self.found.wrong.items()}
        if self.found.gone:
            must = {one.file.name for one in mentions if one.must}
            below = {one.name for name in must & self.found.lists.keys() for one in self.found.lists[name].manifests}
            self.gone += map(self._manifest, self.found.gone & (must | below))

    def _manifest(self, name: str) -> str:
        return joined(self.table, MANIFESTS, name)

    def _count(self, found: ManifestContents) -> None:
        for facts in found.lists.values():
            for number in facts.schemas:
                self.words[number].lists += 1
        for manifest in found.manifests.values():
            for number, count in manifest.schemas.items():
                self.words[number].entries += count
                self.words[number].manifests += 1

    def _statistics(self, found: Iterable[Anchor]) -> None:
        named: dict[str, bool] = {}
        for one in (anchor.statistics for anchor in found if anchor.statistics is not None):
            named[one.file.name] = named.get(one.file.name, False) or one.must
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
    """The text, with the branch that it is about."""
    return text if branch == MAIN else f"branch {branch}: {text}"

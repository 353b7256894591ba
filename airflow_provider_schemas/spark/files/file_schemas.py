"""What each data file of a table holds, with the ids of the table; an error tells of all files at once of which that is not sure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import Fault, ProjectionError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.partition_values import PartitionValue
from airflow_provider_schemas.spark.files.paths import base_of
from airflow_provider_schemas.store.footers.binding_remedy import in_python, place_to_bind
from airflow_provider_schemas.store.footers.bound_folders import Bound
from airflow_provider_schemas.store.footers.folder_keys import keys_between
from airflow_provider_schemas.store.footers.folder_values import folder_value
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.resolve_schema import UnclearSchema, WrittenSchema, by_footer, by_manifest

_SHOWN: Final = 3


class ResolvedFile(Struct, frozen=True):
    """A file, and what it holds."""

    file: DataFile
    written: WrittenSchema
    partition: tuple[PartitionValue, ...] = ()
    base: str = ""
    """The folder below which folders are named for partitions."""


class Origins:
    """Finds out what the files of one table hold."""

    def __init__(self, table: str, known: KnownFields, wanted: TableSchema, base: str, bound: Bound) -> None:
        self._table = table
        self._known = known
        self._wanted = wanted
        self._base = base
        self._bound = bound
        self._resolved: dict[tuple[object, ...], WrittenSchema | UnclearSchema] = {}
        self._files_in: Counter[str] = Counter()
        self._footers: dict[int, Footer | None] = {}
        """Kept, because footers are known by their identity: to compare them takes as long as the table is wide."""

    def count(self, files: Iterable[DataFile]) -> None:
        """Note how many files each folder has, so that a folder of several is not bound for the sake of one."""
        self._files_in = Counter(_folder(self._place(file.path)) for file in files)

    def resolve(self, files: Sequence[DataFile], footers: Sequence[Footer | None]) -> list[ResolvedFile]:
        """Return what each file holds; raise a ProjectionError about all files of which that is not sure."""
        if not self._files_in:
            self.count(files)
        resolved: list[ResolvedFile] = []
        unclear = defaultdict[tuple[str, str, str], list[str]](list)
        for file, footer in zip(files, footers, strict=True):
            self._footers[id(footer)] = footer
            try:
                resolved.append(self._resolve(file, footer))
            except UnclearSchema as error:
                unclear[error.code, error.reason, error.fix].append(file.path)
        if unclear:
            raise ProjectionError.of(self._fault(*why, paths) for why, paths in unclear.items())
        return resolved

    def _resolve(self, file: DataFile, footer: Footer | None) -> ResolvedFile:
        if file.version is not None:
            return self._resolve_by_manifest(file, file.version, footer)
        if footer is None:
            raise AssertionError("a file whose version no manifest names has a footer")
        texts = self._folder_texts(file.path)
        bound = self._bound.number(file.path)
        key = (id(footer), bound, *sorted(texts))
        written = self._resolve_once(key, lambda: by_footer(self._known, footer, bound, texts, self._wanted))
        return ResolvedFile(file, written, tuple(_folder_partition(written, texts)), self._base)

    def _resolve_by_manifest(self, file: DataFile, version: int, footer: Footer | None) -> ResolvedFile:
        values = dict(file.partition)
        key = ("manifest", version, id(footer), *sorted(values))
        written = self._resolve_once(key, lambda: by_manifest(self._known, version, footer, values))
        base = base_of(file.path, frozenset(values))
        texts = dict(keys_between(base, file.path))
        partition = tuple(PartitionValue(field, values[field.name], texts.get(field.name)) for field in written.keys)
        return ResolvedFile(file, written, partition, base)

    def _resolve_once(self, key: tuple[object, ...], resolve: Callable[[], WrittenSchema]) -> WrittenSchema:
        """Return what files of one kind hold, which is found out for the first of them."""
        if key not in self._resolved:
            try:
                self._resolved[key] = resolve()
            except UnclearSchema as error:
                self._resolved[key] = error
        resolved = self._resolved[key]
        if isinstance(resolved, UnclearSchema):
            raise resolved
        return resolved

    def _folder_texts(self, path: str) -> dict[str, str]:
        """Return what the folders on the way to a file say, by the keys in their names, each of another column."""
        folders: dict[str, tuple[str, str]] = {}
        for key, text in keys_between(self._base, path):
            spellings = self._known.spellings(key)
            if len(spellings) > 1:
                reason = f"the folder says {shown(key)[1:-1]}=..., and columns were called {', '.join(sorted(spellings))}."
                raise UnclearSchema("read.ambiguous-folder", reason, "Name the folder as its column is called.")
            name = self._known.spelled(key)
            folder = folders.setdefault(name, (key, text))
            if folder != (key, text) and self._known.called(name):
                first = shown(f"{folder[0]}={folder[1]}/")[1:-1]
                second = shown(f"{key}={text}/")[1:-1]
                reason = f"its folders say both {first} and {second}, which is one column."
                raise UnclearSchema("read.bad-folder", reason, "Move the files, so that one folder says it.")
        return dict(folders.values())

    # ------------------------------------------------------------ messages

    def _place(self, path: str) -> str:
        """Return where a file lies below the base, as messages show it."""
        return without_credentials(path.removeprefix(f"{self._base}/"))

    def _fault(self, code: str, reason: str, fix: str, paths: list[str]) -> Fault:
        places = sorted(map(self._place, paths))
        first = ", ".join(shown(place)[1:-1] for place in places[:_SHOWN])
        more = f" and {len(places) - _SHOWN:,} more" if len(places) > _SHOWN else ""
        return Fault(code, self._table, f"{first}{more}: {reason}", fix.replace("{bind}", self._binding_remedy(places)))

    def _binding_remedy(self, places: list[str]) -> str:
        """Return the call that binds these files to the version they were written with; a folder is bound only if it holds no others."""
        folders = Counter(map(_folder, places))
        folder = _folder(places[0])
        alone = self._files_in[folder] <= folders[folder]
        more = " and so on for each folder" if len(folders) > 1 else ""
        return f"{in_python(self._table, place_to_bind(places[0], alone=alone))}{more}"


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _folder_partition(written: WrittenSchema, texts: Mapping[str, str]) -> Iterator[PartitionValue]:
    """Yield the values that the folders on the way to a file say."""
    for field in written.keys:
        text = texts[field.name]
        try:
            yield PartitionValue(field, folder_value(text, field.type), text)
        except ValueError:
            reason = f"its folder says {shown(f'{field.name}={text}')[1:-1]}, which is no {field.type.with_nullable(True)}."
            fix = "Give the folder another name, or take it away."
            raise UnclearSchema("read.bad-folder", reason, fix) from None

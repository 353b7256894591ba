"""What each data file of a table holds, with the ids of the table; what is not sure of any file is told of all of them at once."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import Fault, ProjectionError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.partition_values import Given
from airflow_provider_schemas.spark.files.paths import base_of
from airflow_provider_schemas.store.footers.binding_remedy import in_python, place_to_bind
from airflow_provider_schemas.store.footers.bound_folders import Bound
from airflow_provider_schemas.store.footers.folder_keys import keys_between
from airflow_provider_schemas.store.footers.folder_values import folder_value
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.resolve_schema import UnclearSchema, WrittenSchema, by_footer, by_manifest

_SHOWN: Final = 3


class Source(Struct, frozen=True):
    """A file, and what it holds."""

    file: DataFile
    written: WrittenSchema
    given: tuple[Given, ...] = ()
    base: str = ""
    """The folder below which folders are named for partitions."""


class Origins:
    """Finds out about the files of one table."""

    def __init__(self, table: str, known: KnownFields, wanted: TableSchema, base: str, bound: Bound) -> None:
        self.table, self.known, self.wanted, self.base, self.bound = table, known, wanted, base, bound
        self._found: dict[tuple[object, ...], WrittenSchema | UnclearSchema] = {}
        self._files_in: Counter[str] = Counter()
        self._footers: dict[int, Footer | None] = {}
        """Kept, for they are told apart by where they lie in the memory: each is as long as the table is wide."""

    def count(self, files: Iterable[DataFile]) -> None:
        """Note how many files each folder has, so that a folder of several is not bound for the sake of one."""
        self._files_in = Counter(self._folder_of(file.path) for file in files)

    def sources(self, files: Sequence[DataFile], footers: Sequence[Footer | None]) -> list[Source]:
        """What each file holds; a ProjectionError that tells of all files of which that is not known."""
        if not self._files_in:
            self.count(files)
        found, unclear = [], defaultdict[tuple[str, str, str], list[str]](list)
        for file, footer in zip(files, footers, strict=True):
            self._footers[id(footer)] = footer
            try:
                found.append(self._source(file, footer))
            except UnclearSchema as error:
                unclear[error.code, error.reason, error.fix].append(file.path)
        if unclear:
            raise ProjectionError.of(self._fault(*why, paths) for why, paths in unclear.items())
        return found

    def _source(self, file: DataFile, footer: Footer | None) -> Source:
        if file.version is not None:
            return self._of_paimon(file, file.version, footer)
        if footer is None:
            raise AssertionError("a file of which nothing is said is asked itself")
        texts = self._texts(file.path)
        bound = self.bound.number(file.path)
        key = (id(footer), bound, *sorted(texts))
        written = self._once(key, lambda: by_footer(self.known, footer, bound, texts, self.wanted))
        return Source(file, written, tuple(_by_folders(written, texts)), self.base)

    def _texts(self, path: str) -> dict[str, str]:
        """What the folders on the way to a file say, each of another column."""
        found: dict[str, tuple[str, str]] = {}
        for key, text in keys_between(self.base, path):
            if len(several := self.known.spellings(key)) > 1:
                reason = f"the folder says {shown(key)[1:-1]}=..., and columns were called {', '.join(sorted(several))}."
                raise UnclearSchema("read.ambiguous-folder", reason, "Name the folder as its column is called.")
            name = self.known.spelled(key)
            before = found.setdefault(name, (key, text))
            if before != (key, text) and self.known.called(name):
                said = f"{before[0]}={before[1]}/", f"{key}={text}/"
                reason = f"its folders say both {shown(said[0])[1:-1]} and {shown(said[1])[1:-1]}, which is one column."
                raise UnclearSchema("read.bad-folder", reason, "Move the files, so that one folder says it.")
        return dict(found.values())

    def _of_paimon(self, file: DataFile, version: int, footer: Footer | None) -> Source:
        values = dict(file.partition)
        key = ("manifest", version, id(footer), *sorted(values))
        written = self._once(key, lambda: by_manifest(self.known, version, footer, values))
        base = base_of(file.path, frozenset(values))
        texts = dict(keys_between(base, file.path))
        given = tuple(Given(one, values[one.name], texts.get(one.name)) for one in written.keys)
        return Source(file, written, given, base)

    def _once(self, key: tuple[object, ...], ask: Callable[[], WrittenSchema]) -> WrittenSchema:
        """What files of one kind hold: found out once, however many there are."""
        if key not in self._found:
            try:
                self._found[key] = ask()
            except UnclearSchema as error:
                self._found[key] = error
        found = self._found[key]
        if isinstance(found, UnclearSchema):
            raise found
        return found

    # ------------------------------------------------------------ what is told

    def _folder_of(self, path: str) -> str:
        return without_credentials(path.removeprefix(f"{self.base}/")).rpartition("/")[0]

    def _fault(self, code: str, reason: str, fix: str, paths: list[str]) -> Fault:
        places = sorted(without_credentials(path.removeprefix(f"{self.base}/")) for path in paths)
        more = f" and {len(places) - _SHOWN:,} more" if len(places) > _SHOWN else ""
        shorter = ", ".join(shown(one)[1:-1] for one in places[:_SHOWN])
        return Fault(code, self.table, f"{shorter}{more}: {reason}", fix.replace("{bind}", self._bind(places)))

    def _bind(self, places: list[str]) -> str:
        """How to say of these files what they were written with; a folder is named only if it holds no others."""
        folder = places[0].rpartition("/")[0]
        alone = self._files_in[folder] <= sum(1 for place in places if place.rpartition("/")[0] == folder)
        place = place_to_bind(places[0], alone=alone)
        more = " and so on for each folder" if any(other.rpartition("/")[0] != folder for other in places) else ""
        return f"{in_python(self.table, place)}{more}"


def _by_folders(written: WrittenSchema, texts: Mapping[str, str]) -> Iterator[Given]:
    for one in written.keys:
        text = texts[one.name]
        try:
            yield Given(one, folder_value(text, one.type), text)
        except ValueError:
            reason = f"its folder says {shown(f'{one.name}={text}')[1:-1]}, which is no {one.type.with_nullable(True)}."
            fix = "Give the folder another name, or take it away."
            raise UnclearSchema("read.bad-folder", reason, fix) from None

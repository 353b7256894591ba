"""Read which schema ids the manifests of a Paimon table name.

A snapshot names manifest lists; a list names manifests, each with the id of the schema it was written under; a manifest names data files
that were added or deleted, each with the id of the schema it was written with. All are Avro files. No name is used twice, so that the
content of a file can be remembered by its name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.formats.avro.errors import broken
from airflow_provider_schemas.formats.avro.records import WantedField, read_records
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Files

MAX_ID: Final = 2**31 - 1
_BATCH_BYTES: Final = 64 * 1024 * 1024
_BATCH_FILES: Final = 256
# For a file whose size nobody names.
_TYPICAL_BYTES: Final = 256 * 1024

_NAME: Final = re.compile(r"[^./\\][^/\\]{0,254}")

_LIST: Final = (
    WantedField("_FILE_NAME", "string"),
    WantedField("_FILE_SIZE", "long"),
    WantedField("_NUM_ADDED_FILES", "long"),
    WantedField("_NUM_DELETED_FILES", "long"),
    WantedField("_SCHEMA_ID", "long"),
)
_MANIFEST: Final = (WantedField("_FILE", fields=(WantedField("_SCHEMA_ID", "long"),)),)


class NamedFile(Struct, frozen=True, array_like=True):
    """A manifest or a manifest list, as the file that names it describes it. A number that is not given is -1."""

    name: str
    size: int = -1
    entries: int = -1


class ListFacts(Struct, frozen=True):
    """The content of a manifest list."""

    size: int
    schemas: Mapping[int, int]
    """How many manifests were written under which schema."""
    manifests: tuple[NamedFile, ...]


class ManifestFacts(Struct, frozen=True):
    """The content of a manifest."""

    size: int
    schemas: Mapping[int, int]
    """How many entries name a data file of which schema."""


FactsT = TypeVar("FactsT", ListFacts, ManifestFacts)


def read_list(data: bytes) -> ListFacts:
    """Return the content of the manifest list with these bytes."""
    schemas: dict[int, int] = {}
    manifests: list[NamedFile] = []
    for record in read_records(data, _LIST):
        _count_schema(schemas, record["_SCHEMA_ID"])
        entries = record["_NUM_ADDED_FILES"] + record["_NUM_DELETED_FILES"]
        if record["_FILE_SIZE"] < 0 or entries < 0:
            raise broken("it names a manifest of less than nothing")
        manifests.append(NamedFile(file_name(record["_FILE_NAME"]), record["_FILE_SIZE"], entries))
    return ListFacts(len(data), schemas, tuple(manifests))


def read_manifest(data: bytes) -> ManifestFacts:
    """Return the content of the manifest with these bytes: files that were added and files that were deleted."""
    schemas: dict[int, int] = {}
    for record in read_records(data, _MANIFEST):
        _count_schema(schemas, record["_FILE"]["_SCHEMA_ID"])
    return ManifestFacts(len(data), schemas)


def _count_schema(schemas: dict[int, int], number: int) -> None:
    if not 0 <= number <= MAX_ID:
        raise broken(f"it names {shown(number)} as the id of a schema")
    schemas[number] = schemas.get(number, 0) + 1


def file_name(name: object) -> str:
    """Return the name, if it is one of a file in a known folder and leads nowhere else."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or not name.isprintable():
        raise FormatError(f"{shown(name)} is no name of a file.", code="paimon.file-name", fix="Look what wrote it.")
    return name


# ---------------------------------------------------------------- many files


class ManifestContents(Struct):
    """The contents of files by name, the names of those that are gone, and what is wrong with the others."""

    lists: dict[str, ListFacts]
    manifests: dict[str, ManifestFacts]
    gone: set[str]
    wrong: dict[str, str]


class KnownManifests:
    """The contents that are known by file name. This class forgets at once; the one in `manifest_cache` does not."""

    def get_list(self, name: str) -> ListFacts | None:
        """Return the content of a manifest list, if it is known."""

    def get_manifest(self, name: str) -> ManifestFacts | None:
        """Return the content of a manifest, if it is known."""

    def learn(self, name: str, facts: ListFacts | ManifestFacts) -> None:
        """Remember the content of a file."""


def look(files: Files, folder: str, lists: Iterable[NamedFile], known: KnownManifests) -> ManifestContents:
    """Return the contents of these manifest lists of a folder, and of the manifests that they name."""
    search = _Search(files, folder, known)
    search.read(lists, known.get_list, read_list, search.contents.lists)
    manifests = {manifest: None for facts in search.contents.lists.values() for manifest in facts.manifests}
    search.read(manifests, known.get_manifest, read_manifest, search.contents.manifests)
    return search.contents


class _Search:
    """One reading of files, of which some are known already."""

    def __init__(self, files: Files, folder: str, known: KnownManifests) -> None:
        self.files = files
        self.folder = folder
        self.known = known
        self.contents = ManifestContents({}, {}, set(), {})

    def read(
        self,
        wanted: Iterable[NamedFile],
        recall: Callable[[str], FactsT | None],
        parse: Callable[[bytes], FactsT],
        into: dict[str, FactsT],
    ) -> None:
        """Put the content of each file into a mapping; read only what is not known."""
        unknown = []
        for file in wanted:
            facts = recall(file.name)
            if facts is not None and _agrees(file, facts):
                into[file.name] = facts
            else:
                unknown.append(file)
        for batch in _batches(unknown):
            answers = self.files.read_many([joined(self.folder, file.name) for file in batch])
            for file in batch:
                self._take(file, answers[joined(self.folder, file.name)], parse, into)

    def _take(self, file: NamedFile, answer: bytes | SchemaError, parse: Callable[[bytes], FactsT], into: dict[str, FactsT]) -> None:
        try:
            facts = _parse_checked(file, answer, parse)
        except NotThereError:
            self.contents.gone.add(file.name)
        except SchemaError as error:
            self.contents.wrong[file.name] = reason(error)
        else:
            into[file.name] = facts
            self.known.learn(file.name, facts)


def reason(error: SchemaError) -> str:
    """Return the text of an error, without the path it is about."""
    fault = error.faults[0]
    return f"{fault.message} {fault.fix}".strip()


def _parse_checked(file: NamedFile, answer: bytes | SchemaError, parse: Callable[[bytes], FactsT]) -> FactsT:
    if not isinstance(answer, bytes):
        raise answer
    if file.size >= 0 and len(answer) != file.size:
        raise broken(f"it has {len(answer)} bytes and should have {file.size}")
    facts = parse(answer)
    if not _agrees(file, facts):
        raise broken(f"it has {sum(facts.schemas.values())} entries and should have {file.entries}")
    return facts


def _agrees(file: NamedFile, facts: ListFacts | ManifestFacts) -> bool:
    """Return whether this is the content of the file that is named: a file that is cut off behind a block looks whole."""
    entries = -1 if isinstance(facts, ListFacts) else sum(facts.schemas.values())
    return file.size in {-1, facts.size} and file.entries in {-1, entries}


def _batches(files: list[NamedFile]) -> Iterator[list[NamedFile]]:
    """Yield so few files at once that the memory holds them."""
    batch: list[NamedFile] = []
    size = 0
    for file in files:
        weight = min(file.size, MAX_BYTES) if file.size >= 0 else _TYPICAL_BYTES
        if batch and (size + weight > _BATCH_BYTES or len(batch) >= _BATCH_FILES):
            yield batch
            batch = []
            size = 0
        batch.append(file)
        size += weight
    if batch:
        yield batch

"""Which schema ids the manifests of a Paimon table name.

A snapshot names manifest lists; a list names manifests, each with the id it was written under; a manifest
names data files that came or went, each with the id of the schema it was written with. All are Avro files
under names that are used once, so that what one says is remembered by its name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.paimon.avro_container import broken
from airflow_provider_schemas.store.paimon.avro_records import Wanted, records
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Files

MAX_ID: Final = 2**31 - 1
_BATCH_BYTES: Final = 64 * 1024 * 1024
_BATCH_FILES: Final = 256
_GUESS: Final = 256 * 1024

_NAME: Final = re.compile(r"[^./\\][^/\\]{0,254}")

_LIST: Final = (
    Wanted("_FILE_NAME", "string"),
    Wanted("_FILE_SIZE", "long"),
    Wanted("_NUM_ADDED_FILES", "long"),
    Wanted("_NUM_DELETED_FILES", "long"),
    Wanted("_SCHEMA_ID", "long"),
)
_MANIFEST: Final = (Wanted("_FILE", fields=(Wanted("_SCHEMA_ID", "long"),)),)


class Named(Struct, frozen=True, array_like=True):
    """A manifest, or a list of them, as whoever names it describes it. What is not said is -1."""

    name: str
    size: int = -1
    entries: int = -1


class ListFacts(Struct, frozen=True):
    """What a manifest list says."""

    size: int
    schemas: Mapping[int, int]
    """How many manifests were written under which schema."""
    manifests: tuple[Named, ...]


class ManifestFacts(Struct, frozen=True):
    """What a manifest says."""

    size: int
    schemas: Mapping[int, int]
    """How many entries name a data file of which schema."""


Facts = TypeVar("Facts", ListFacts, ManifestFacts)


def read_list(data: bytes) -> ListFacts:
    """What the manifest list with these bytes says."""
    schemas: dict[int, int] = {}
    manifests: list[Named] = []
    for one in records(data, _LIST):
        _counted(schemas, one["_SCHEMA_ID"])
        entries = one["_NUM_ADDED_FILES"] + one["_NUM_DELETED_FILES"]
        if one["_FILE_SIZE"] < 0 or entries < 0:
            raise broken("it names a manifest of less than nothing")
        manifests.append(Named(file_name(one["_FILE_NAME"]), one["_FILE_SIZE"], entries))
    return ListFacts(len(data), schemas, tuple(manifests))


def read_manifest(data: bytes) -> ManifestFacts:
    """What the manifest with these bytes says, of files that came and of files that went."""
    schemas: dict[int, int] = {}
    for one in records(data, _MANIFEST):
        _counted(schemas, one["_FILE"]["_SCHEMA_ID"])
    return ManifestFacts(len(data), schemas)


def _counted(schemas: dict[int, int], number: Any) -> None:
    if not 0 <= number <= MAX_ID:
        raise broken(f"it names {shown(number)} as the id of a schema")
    schemas[number] = schemas.get(number, 0) + 1


def file_name(name: Any) -> str:
    """The name, if it is one of a file in a folder that is known, and no way out of it."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or not name.isprintable():
        raise FormatError(f"{shown(name)} is no name of a file.", code="paimon.file-name", fix="Look what wrote it.")
    return name


# ---------------------------------------------------------------- many of them


class Found(Struct):
    """What a number of files say: by name, what they say, which are gone, and what is wrong with the others."""

    lists: dict[str, ListFacts]
    manifests: dict[str, ManifestFacts]
    gone: set[str]
    wrong: dict[str, str]


class Known:
    """What is known of the files of a table by their names. This one forgets at once; `manifest_cache` has one that does not."""

    def get_list(self, name: str) -> ListFacts | None:
        """What is known of a manifest list."""

    def get_manifest(self, name: str) -> ManifestFacts | None:
        """What is known of a manifest."""

    def learn(self, name: str, facts: ListFacts | ManifestFacts) -> None:
        """Remember what a file says."""


def look(files: Files, folder: str, lists: Iterable[Named], known: Known) -> Found:
    """What these manifest lists of a folder say, and the manifests that they name."""
    search = _Search(files, folder, known)
    search.look(lists, known.get_list, read_list, search.found.lists)
    manifests = {one: None for facts in search.found.lists.values() for one in facts.manifests}
    search.look(manifests, known.get_manifest, read_manifest, search.found.manifests)
    return search.found


class _Search:
    """Reads what is not known yet."""

    def __init__(self, files: Files, folder: str, known: Known) -> None:
        self.files, self.folder, self.known = files, folder, known
        self.found = Found({}, {}, set(), {})

    def look(
        self, wanted: Iterable[Named], recall: Callable[[str], Facts | None], read: Callable[[bytes], Facts], into: dict[str, Facts]
    ) -> None:
        unknown = []
        for one in wanted:
            facts = recall(one.name)
            if facts is not None and _agrees(one, facts):
                into[one.name] = facts
            else:
                unknown.append(one)
        for batch in _batches(unknown):
            answers = self.files.read_many([joined(self.folder, one.name) for one in batch])
            for one in batch:
                self._take(one, answers[joined(self.folder, one.name)], read, into)

    def _take(self, named: Named, answer: bytes | SchemaError, read: Callable[[bytes], Facts], into: dict[str, Facts]) -> None:
        try:
            into[named.name] = facts = _checked(named, answer, read)
            self.known.learn(named.name, facts)
        except NotThereError:
            self.found.gone.add(named.name)
        except SchemaError as error:
            self.found.wrong[named.name] = reason(error)


def reason(error: SchemaError) -> str:
    """What an error says, without the path it is about."""
    fault = error.faults[0]
    return f"{fault.message} {fault.fix}".strip()


def _checked(named: Named, answer: bytes | SchemaError, read: Callable[[bytes], Facts]) -> Facts:
    if not isinstance(answer, bytes):
        raise answer
    if named.size >= 0 and len(answer) != named.size:
        raise broken(f"it has {len(answer)} bytes and should have {named.size}")
    facts = read(answer)
    if not _agrees(named, facts):
        raise broken(f"it has {sum(facts.schemas.values())} entries and should have {named.entries}")
    return facts


def _agrees(named: Named, facts: ListFacts | ManifestFacts) -> bool:
    """Whether this is the file that was meant: what is cut off behind a block looks whole."""
    entries = -1 if isinstance(facts, ListFacts) else sum(facts.schemas.values())
    return named.size in {-1, facts.size} and named.entries in {-1, entries}


def _batches(wanted: list[Named]) -> Iterator[list[Named]]:
    """Few enough at once that the memory holds them."""
    batch: list[Named] = []
    size = 0
    for one in wanted:
        weight = min(one.size, MAX_BYTES) if one.size >= 0 else _GUESS
        if batch and (size + weight > _BATCH_BYTES or len(batch) >= _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += weight
    if batch:
        yield batch

"""The data files that the manifests of a Paimon table add and remove, and which of them are left in the end."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.formats.avro.errors import broken
from airflow_provider_schemas.formats.avro.records import WantedField, read_records
from airflow_provider_schemas.store.data_files.manifest_reader import ADDED, STEPS, check_version, list_manifests, manifest_size, read_each
from airflow_provider_schemas.store.paimon.manifests import MAX_ID, NamedFile, file_name
from airflow_provider_schemas.store.paimon.snapshots import Anchor
from airflow_provider_schemas.store.table_location import TablePlace

# The one known version of a manifest and of a list of them. Each of their records has it.
_VERSION: Final = 2
_Key = tuple[bytes, int, str, int, str]

_LISTED: Final = (WantedField("_VERSION", "long"), WantedField("_FILE_NAME", "string"), WantedField("_FILE_SIZE", "long"))
_FILE: Final = WantedField(
    "_FILE",
    fields=(
        WantedField("_FILE_NAME", "string"),
        WantedField("_FILE_SIZE", "long"),
        WantedField("_ROW_COUNT", "long"),
        WantedField("_SCHEMA_ID", "long"),
        WantedField("_LEVEL", "long"),
        WantedField("_DELETE_ROW_COUNT", "long", optional=True),
        WantedField("_EXTERNAL_PATH", "string", optional=True),
        WantedField("_FIRST_ROW_ID", "long", optional=True),
        WantedField("_WRITE_COLS", "string", optional=True, many=True),
    ),
)
_ENTRY: Final = (
    WantedField("_VERSION", "long"),
    WantedField("_KIND", "long"),
    WantedField("_PARTITION", "bytes"),
    WantedField("_BUCKET", "long"),
    _FILE,
)


class ManifestFile(Struct, frozen=True):
    """A data file as a manifest describes it."""

    partition: bytes
    bucket: int
    name: str
    level: int
    external: str
    """Its whole address, if it lies outside the table; empty otherwise."""
    size: int
    rows: int
    version: int
    deleted: int
    """How many of its rows delete a row of another file."""
    first_row: int | None
    columns: tuple[str, ...] | None
    """The columns that were written, if they were chosen."""

    @property
    def key(self) -> _Key:
        """What tells it from every other file of the table."""
        return self.partition, self.bucket, self.name, self.level, self.external

    @property
    def format(self) -> str:
        """What kind of file it is, by the end of its name."""
        return self.name.rpartition(".")[2].lower()


def read_live_entries(place: TablePlace, anchor: Anchor) -> list[ManifestFile]:
    """Return the data files of a snapshot, in the order in which they were added.

    Steps are counted, because what is rewritten beside a file removes and adds the same file, in any order.
    """
    manifests = list_manifests(place, anchor, lambda data: tuple(_read_list(data)))
    added: dict[_Key, ManifestFile] = {}
    count: Counter[_Key] = Counter()
    for _, steps in read_each(place, manifests.values(), lambda data: tuple(_read_steps(data))):
        for kind, file in steps:
            key = file.key
            count[key] += STEPS[kind]
            if kind == ADDED:
                added[key] = file
    for key, file in added.items():
        if count[key] > 1:
            raise broken(f"{file.name} came twice")
    return [file for key, file in added.items() if count[key] > 0]


def _read_list(data: bytes) -> Iterator[NamedFile]:
    for record in read_records(data, _LISTED):
        check_version(record, "a list of manifests", _VERSION)
        size = manifest_size(record)
        yield NamedFile(file_name(record["_FILE_NAME"]), size)


def _read_steps(data: bytes) -> Iterable[tuple[int, ManifestFile]]:
    for record in read_records(data, _ENTRY):
        check_version(record, "a manifest", _VERSION)
        if record["_KIND"] not in STEPS:
            raise broken("it holds an entry of no known kind")
        yield record["_KIND"], _to_file(record)


def _to_file(record: Mapping[str, Any]) -> ManifestFile:
    file = record["_FILE"]
    deleted = file["_DELETE_ROW_COUNT"] or 0
    if min(file["_FILE_SIZE"], file["_ROW_COUNT"], deleted) < 0 or not 0 <= file["_SCHEMA_ID"] <= MAX_ID:
        raise broken("it describes a data file that there cannot be")
    columns = file["_WRITE_COLS"]
    return ManifestFile(
        partition=record["_PARTITION"],
        bucket=record["_BUCKET"],
        name=file_name(file["_FILE_NAME"]),
        level=file["_LEVEL"],
        external=file["_EXTERNAL_PATH"] or "",
        size=file["_FILE_SIZE"],
        rows=file["_ROW_COUNT"],
        version=file["_SCHEMA_ID"],
        deleted=deleted,
        first_row=file["_FIRST_ROW_ID"],
        columns=None if columns is None else tuple(columns),
    )

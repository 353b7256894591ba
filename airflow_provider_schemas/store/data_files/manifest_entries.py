"""What the manifests of a Paimon table say of each data file that came or went, and which are there in the end."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.store.data_files.manifest_reader import check_version, listed, read_each
from airflow_provider_schemas.store.paimon.avro_container import broken
from airflow_provider_schemas.store.paimon.avro_records import Wanted, records
from airflow_provider_schemas.store.paimon.manifests import MAX_ID, Named, file_name
from airflow_provider_schemas.store.paimon.snapshots import Anchor
from airflow_provider_schemas.store.table_location import TablePlace

# The one version of a manifest and of a list of them that is known. Their records say it, each for itself.
_VERSION: Final = 2
_CAME, _WENT = 0, 1
_STEP: Final[Mapping[int, int]] = {_CAME: 1, _WENT: -1}
_Key = tuple[bytes, int, str, int, str]

_LISTED: Final = (Wanted("_VERSION", "long"), Wanted("_FILE_NAME", "string"), Wanted("_FILE_SIZE", "long"))
_FILE: Final = Wanted(
    "_FILE",
    fields=(
        Wanted("_FILE_NAME", "string"),
        Wanted("_FILE_SIZE", "long"),
        Wanted("_ROW_COUNT", "long"),
        Wanted("_SCHEMA_ID", "long"),
        Wanted("_LEVEL", "long"),
        Wanted("_DELETE_ROW_COUNT", "long", optional=True),
        Wanted("_EXTERNAL_PATH", "string", optional=True),
        Wanted("_FIRST_ROW_ID", "long", optional=True),
        Wanted("_WRITE_COLS", "string", optional=True, many=True),
    ),
)
_ENTRY: Final = (
    Wanted("_VERSION", "long"),
    Wanted("_KIND", "long"),
    Wanted("_PARTITION", "bytes"),
    Wanted("_BUCKET", "long"),
    _FILE,
)


class Entry(Struct, frozen=True):
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
    """How many of its rows say that another one is gone."""
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


def entries(place: TablePlace, anchor: Anchor) -> list[Entry]:
    """The data files of a snapshot, in the order in which they came.

    They are counted, for what is rewritten beside a file is said as a going and a coming of the same one, in any order.
    """
    manifests = listed(place, anchor, lambda data: tuple(_manifests(data)))
    known: dict[_Key, Entry] = {}
    count: Counter[_Key] = Counter()
    for _, found in read_each(place, manifests.values(), lambda data: tuple(_steps(data))):
        for kind, one in found:
            count[one.key] += _STEP[kind]
            if kind == _CAME:
                known[one.key] = one
    if twice := next((one for key, one in known.items() if count[key] > 1), None):
        raise broken(f"{twice.name} came twice")
    return [one for key, one in known.items() if count[key] > 0]


def _manifests(data: bytes) -> Iterator[Named]:
    for one in records(data, _LISTED):
        check_version(one, "a list of manifests", _VERSION)
        if one["_FILE_SIZE"] < 0:
            raise broken("it names a manifest of less than nothing")
        yield Named(file_name(one["_FILE_NAME"]), one["_FILE_SIZE"])


def _steps(data: bytes) -> Iterable[tuple[int, Entry]]:
    for one in records(data, _ENTRY):
        check_version(one, "a manifest", _VERSION)
        if one["_KIND"] not in _STEP:
            raise broken("it holds an entry of no known kind")
        yield one["_KIND"], _entry(one)


def _entry(one: Mapping[str, Any]) -> Entry:
    file = one["_FILE"]
    numbers = (file["_FILE_SIZE"], file["_ROW_COUNT"], file["_DELETE_ROW_COUNT"] or 0)
    if min(numbers) < 0 or not 0 <= file["_SCHEMA_ID"] <= MAX_ID:
        raise broken("it describes a data file that there cannot be")
    size, rows, deleted = numbers
    columns = None if file["_WRITE_COLS"] is None else tuple(file["_WRITE_COLS"])
    return Entry(
        partition=one["_PARTITION"],
        bucket=one["_BUCKET"],
        name=file_name(file["_FILE_NAME"]),
        level=file["_LEVEL"],
        external=file["_EXTERNAL_PATH"] or "",
        size=size,
        rows=rows,
        version=file["_SCHEMA_ID"],
        deleted=deleted,
        first_row=file["_FIRST_ROW_ID"],
        columns=columns,
    )

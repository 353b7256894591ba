"""What tasks saw of tables when they were last green: `baselines/{db}/{table}/{team}/{consumer}/{index}.{branch}.json`.

A task without a contract is judged by it. The record outlives what Airflow keeps of a run that is cleared or deleted, and the table.
It says what counts if its run ends in success (`seen`), and what does if it does not (`before`).
"""

from typing import ClassVar

from pydantic import BaseModel

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.layout.identifiers import TableName, checked
from airflow_provider_schemas.store.layout.paths import baselines_folder, joined
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM
from airflow_provider_schemas.store.registry.json_records import LIMIT, Record, bytes_of, decoded, encoded
from airflow_provider_schemas.store.storage.files import Files

_END = ".json"


class Seen(BaseModel):
    """A version of a table."""

    version: int
    digest: str


class Baseline(Record):
    """What one verdict of a task leaves behind for those that come after."""

    refusal: ClassVar[type[SchemaError]] = StorageError
    noun: ClassVar = "baseline"

    run: str
    map_index: int = -1
    bundle: str = ""
    outcome: str = ""
    conn_id: str = ""
    store: str = ""
    branch: str = ""
    seen: Seen | None = None
    before: Seen | None = None


def listed(files: Files, name: TableName, team: str, consumer: str) -> tuple[Baseline, ...]:
    """The records of a task about a table, of all its indexes: one listing, and a read each."""
    folder = _folder(name, team, consumer)
    paths = [joined(folder, one.name) for one in files.list(folder) if not one.folder and one.name.endswith(_END)]
    data = files.read_many(sorted(paths), LIMIT)
    return tuple(decoded(Baseline, bytes_of(found), path) for path, found in data.items())


def save(files: Files, name: TableName, team: str, consumer: str, record: Baseline) -> None:
    """Write the record of one index and branch over the one before it."""
    index = "task" if record.map_index < 0 else str(record.map_index)
    files.put(joined(_folder(name, team, consumer), f"{index}.{record.branch}{_END}"), encoded(record))


def _folder(name: TableName, team: str, consumer: str) -> str:
    return joined(baselines_folder(name), checked(team or NO_TEAM, "team"), checked(consumer, "consumer"))

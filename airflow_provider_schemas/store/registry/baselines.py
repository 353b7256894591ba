"""What tasks saw of tables when they were last green: `baselines/{db}/{table}/{team}/{consumer}/{index}.{branch}.json`.

A task without a contract is judged by it. The record outlives the table, and what Airflow keeps of a run that is cleared or deleted.
`seen` counts if its run ends in success, and `before` if it does not.
"""

from hashlib import sha256
from typing import ClassVar

from pydantic import BaseModel

from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError, StorageError
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
    table_id: str | None = None
    """The peer's id of the table, where others keep it."""


class Baseline(Record):
    """What one verdict of a task leaves behind for the next ones."""

    refusal: ClassVar[type[SchemaError]] = StorageError
    noun: ClassVar = "baseline"

    consumer: str = ""
    """The name of the task, which its folder may only have as a digest."""
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
    """Return the records of a task about a table, of all its indexes: one listing, and a read each."""
    folder = folder_of(name, team, consumer)
    paths = [joined(folder, entry.name) for entry in files.list(folder) if not entry.folder and entry.name.endswith(_END)]
    contents = files.read_many(sorted(paths), LIMIT)
    return tuple(decoded(Baseline, bytes_of(data), path) for path, data in contents.items())


def holders(files: Files, name: TableName, branch: str) -> tuple[dict[int, list[str]], list[str]]:
    """Return who is judged by which version of a branch, and what could not be read: it may be judged by any."""
    held: dict[int, list[str]] = {}
    unreadable: list[str] = []
    paths = sorted(path for path, _ in files.walk(baselines_folder(name)) if path.endswith(_END))
    for path, data in files.read_many(paths, LIMIT).items():
        try:
            record = decoded(Baseline, bytes_of(data), path)
        except NotThereError:  # renewed or taken away just now
            continue
        except SchemaError as error:
            unreadable.append(f"{path} cannot be read: {error.message}")
            continue
        if record.branch not in ("", branch):
            continue
        team, consumer = path.split("/")[-3:-1]
        for seen in (record.seen, record.before):
            if seen is not None:
                held.setdefault(seen.version, []).append(f"what {record.consumer or consumer} ({team}) saw last")
    return held, unreadable


def save(files: Files, name: TableName, team: str, consumer: str, record: Baseline) -> None:
    """Write the record of one index and branch over the one before it."""
    index = "task" if record.map_index < 0 else str(record.map_index)
    files.put(joined(folder_of(name, team, consumer), f"{index}.{record.branch}{_END}"), encoded(record))


def folder_of(name: TableName, team: str, consumer: str) -> str:
    """Return where the records of a task about a table lie."""
    return joined(baselines_folder(name), checked(team or NO_TEAM, "team"), _folder_name(consumer))


def _folder_name(consumer: str) -> str:
    """Return the name of a task as a folder: its digest, where the name can be none. No name that can be a folder begins like that."""
    try:
        return checked(consumer, "consumer")
    except RefusedNameError:
        return f"_{sha256(consumer.encode('utf-8', 'surrogatepass')).hexdigest()}"

"""Who still needs which schema of a mounted table: its source says what live data files were written with."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.mounts.source import LiveSchemas
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions

_DATA_FILES: Final = ("data files",)


def references(name: TableName, versions: MountedVersions, records: Iterable[Mapping[int, Sequence[str]]]) -> References:
    """Return who needs which schema: live data files by the metadata, and what the records of the registry hold."""
    look = versions.look_there()
    held: defaultdict[int, list[str]] = defaultdict(list)
    unreadable: list[str] = []
    try:
        live = look.live()
    except SchemaError as error:
        live = LiveSchemas(None, str(error))
    if live.numbers is None:
        unreadable.append(f"with which schemas data files were written: {live.reason or 'the source does not tell'}")
    for number in live.numbers or ():
        held[number].extend(live.holders.get(number, _DATA_FILES))
    missing = sorted(held.keys() - set(look.numbers))
    unreadable += [f"{', '.join(held[number])}: written with schema {number}, which the metadata do not hold." for number in missing]
    for record in records:
        for number, holders in record.items():
            held[number].extend(holders)
    there = {number: tuple(dict.fromkeys(held[number])) for number in look.numbers if number in held}
    return References(str(name), versions.branch, look.numbers, there, (), tuple(unreadable))

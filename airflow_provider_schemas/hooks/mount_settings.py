"""The mounts in a connection: databases that others keep, each with where its tables are found. All that is wrong is said at once."""

import json
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, RefusedNameError
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.store.layout.identifiers import checked

CODE: Final = "connection.mount"
# The sources, each with the ways to its tables; a mount names one of them.
WAYS: Final[Mapping[str, tuple[str, ...]]] = {"iceberg": ("conn_id", "url", "catalog"), "delta": ("url",)}
_ALL_WAYS: Final = ("conn_id", "url", "catalog")
_HOW: Final = {
    "iceberg": "Write conn_id (a connection of Airflow's type iceberg), url, or catalog (of pyiceberg's own configuration).",
    "delta": "Write url, the folder of a table, or one with such folders.",
}
_EXAMPLE: Final = '{"shop": {"source": "iceberg", "conn_id": "iceberg_rest", "namespace": "prod.shop"}}'
_NAMESPACE_LEVELS: Final = 32


class MountSettings(Struct, frozen=True):
    """A database that others keep, and the way to its tables: a connection, an address, or a catalog of pyiceberg's configuration."""

    source: str
    conn_id: str = ""
    url: str = ""
    catalog: str = ""
    namespace: str = ""
    """Levels with dots between them; empty for the name of the database."""
    evolve: bool = False


def parse_mounts(value: object, check_address: Callable[[str], str]) -> dict[str, MountSettings]:
    """Return the mounts by database; raise BadConnectionError with all that is wrong in them, each at its path below the extra."""
    entries = _parse_object(value)
    faults: list[Fault] = []
    for database, entry in entries.items():
        faults += [fault.at(database) for fault in _faults_of(database, entry, check_address)]
    if faults:
        raise BadConnectionError.of(faults)
    return {database: MountSettings(**_given(entry)) for database, entry in entries.items()}


def _parse_object(value: object) -> dict[str, Any]:
    """Return the object, which forms hand over as text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise BadConnectionError("it is no JSON.", code=CODE, fix=f"Write an object such as {_EXAMPLE}.") from None
    if not isinstance(value, dict):
        raise BadConnectionError("it is no object.", code=CODE, fix=f"Write an object such as {_EXAMPLE}.")
    return value


def _given(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what says something: an empty value counts as not said."""
    stripped = {name: value.strip() if isinstance(value, str) else value for name, value in entry.items()}
    return {name: value for name, value in stripped.items() if value not in (None, "")}


# ---------------------------------------------------------------- faults


def _faults_of(database: str, entry: object, check_address: Callable[[str], str]) -> Iterator[Fault]:
    yield from _check_database(database)
    if not isinstance(entry, dict):
        yield Fault(CODE, "", "it is no object.", f"Write {_EXAMPLE}.")
        return
    given = _given(entry)
    yield from _check_keys(given)
    yield from _check_source(given)
    yield from _check_way(given)
    yield from _check_values(given, check_address)


def _check_database(database: str) -> Iterator[Fault]:
    try:
        checked(database, "database")
    except RefusedNameError as error:
        yield from (fault._replace(code=CODE, path="") for fault in error.faults)


def _check_keys(given: Mapping[str, Any]) -> Iterator[Fault]:
    known = MountSettings.__struct_fields__
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            fix = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
            yield Fault(CODE, name, f"{shown(name)} is no key of a mount.", fix)


def _check_source(given: Mapping[str, Any]) -> Iterator[Fault]:
    source = given.get("source")
    if source is None:
        yield Fault(CODE, "source", "it is not said what keeps the tables.", 'Write "source": "iceberg", or "delta".')
    elif _source_of(given) is None:
        yield Fault(CODE, "source", f"{shown(str(source))} cannot be mounted.", f"There are: {', '.join(WAYS)}.")


def _source_of(given: Mapping[str, Any]) -> str | None:
    """Return the source, if there is such a one."""
    source = given.get("source")
    return source if isinstance(source, str) and source in WAYS else None


def _check_way(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault unless there is one way to the tables."""
    source = _source_of(given) or "iceberg"
    ways = [name for name in _ALL_WAYS if name in given]
    if not ways:
        yield Fault(CODE, "", "it names no way to its tables.", _HOW[source])
    for name in ways:
        if name not in WAYS[source]:
            yield Fault(CODE, name, f"tables of {source} are not found by {name}.", _HOW[source])
    if len(ways) > 1:
        yield Fault(CODE, "", f"{' and '.join(ways)} are several ways to its tables.", "Keep one of them.")


def _check_values(given: Mapping[str, Any], check_address: Callable[[str], str]) -> Iterator[Fault]:
    for name in (*_ALL_WAYS, "namespace"):
        if not isinstance(given.get(name, ""), str):
            yield Fault(CODE, name, "it is no text.", "Write text.")
    if not isinstance(given.get("evolve", False), bool):
        yield Fault(CODE, "evolve", "it is neither true nor false.", "Write true or false.")
    elif given.get("evolve") and _source_of(given) == "delta":
        fix = "Leave it out: engines change tables of Delta, with the statements that `plan --sql spark` prints."
        yield Fault(CODE, "evolve", "tables of Delta are read only here.", fix)
    yield from _check_namespace(given.get("namespace"))
    yield from _check_url(given.get("url"), check_address)


def _check_namespace(namespace: object) -> Iterator[Fault]:
    if not isinstance(namespace, str):
        return
    levels = namespace.split(".")
    if not all(level.strip() for level in levels) or len(levels) > _NAMESPACE_LEVELS:
        yield Fault(CODE, "namespace", f"{shown(namespace)} is no namespace.", "Write its levels with a dot between them: prod.shop.")


def _check_url(url: object, check_address: Callable[[str], str]) -> Iterator[Fault]:
    if not isinstance(url, str):
        return
    try:
        check_address(url)
    except BadConnectionError as error:
        yield from (fault._replace(code=CODE, path="url") for fault in error.faults)

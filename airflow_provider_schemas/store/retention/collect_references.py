"""Who needs which version of a table, asked of all that the store knows: its data, its branches, its bindings, its contracts."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import baselines, bindings, contracts, fulfilled_contracts
from airflow_provider_schemas.store.registry.json_records import Unreadable
from airflow_provider_schemas.store.retention import references
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.roots import Roots, location_of
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table_location import Place
from airflow_provider_schemas.store.versions.version_log import Versions

Opener = Callable[[str], Files]


def references_of(roots: Roots, name: TableName, place: Place, versions: Versions, *, note: bool) -> References:
    """Who needs which version of one branch."""
    numbers = tuple(versions.entries())
    by_contract, unreadable = _of_contracts(roots.registry, name, versions)
    by_binding, unbound = _of_bindings(roots.registry, name)
    by_baseline, unseen = baselines.holders(roots.registry, name, versions.branch)
    locations, lost = _locations(versions)
    found = references.references(
        place.files,
        place.folder,
        name,
        layout=place.layout,
        registry=roots.registry,
        numbers=numbers,
        branch=versions.branch,
        contract_holders=by_contract,
        binding_holders=by_binding,
        baseline_holders=by_baseline,
        locations=locations,
        open_location=roots.open_location,
        may_write=note,
    )
    return _with(found, [*unreadable, *unbound, *unseen, *lost])


def _with(found: References, unreadable: Sequence[str]) -> References:
    if not unreadable:
        return found
    return References(
        found.table, found.branch, found.numbers, found.held, found.everything, (*found.unreadable, *unreadable), found.has_snapshots
    )


def _locations(versions: Versions) -> tuple[list[str], list[str]]:
    """Where the data lie that are not beside the schemas, as any version says: a table that has moved may have left files behind.

    And what could not be read of it.
    """
    try:
        asked = versions.all() if versions.layout is Layout.REGISTRY else (versions.latest(),)
        found = [location_of(one.schema) for one in reversed(asked) if one is not None]
    except SchemaError as error:
        return [], [str(error)]
    return [one for one in dict.fromkeys(found) if one], []


def _of_contracts(registry: Files, name: TableName, versions: Versions) -> tuple[Mapping[int, Sequence[str]], list[str]]:
    listed = contracts.listed(registry, name)
    try:
        listed = fulfilled_contracts.settled(listed, versions.all)
    except SchemaError as error:
        return _held_by(listed), [*map(_told, listed.unreadable), str(error)]
    return _held_by(listed), list(map(_told, listed.unreadable))


def _held_by(listed: contracts.Contracts) -> Mapping[int, Sequence[str]]:
    held: defaultdict[int, list[str]] = defaultdict(list)
    for one in listed:
        if one.seen is not None:
            waits = ", which waits" if one.pending else ""
            held[one.seen[0]].append(f"contract {one.consumer} ({one.team}){waits}")
    return held


def _of_bindings(registry: Files, name: TableName) -> tuple[Mapping[int, Sequence[str]], list[str]]:
    listed = bindings.listed(registry, name)
    held: defaultdict[int, list[str]] = defaultdict(list)
    for one in listed.bindings:
        held[one.version].append(f"binding {one.folder}")
    return held, list(map(_told, listed.unreadable))


def _told(one: Unreadable) -> str:
    return str(one)

"""Collect who needs which version of a table from all that the store knows: its data, its branches, its bindings, its contracts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry import baselines, bindings, contracts, fulfilled_contracts
from airflow_provider_schemas.store.retention import mounted_references, references
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.roots import Roots, location_of
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.heads import all_in_order
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions
from airflow_provider_schemas.store.versions.version_log import Versions

Holders = Mapping[int, Sequence[str]]
"""By version, who needs it."""


def references_of(roots: Roots, name: TableName, place: TablePlace, versions: Versions, *, note: bool) -> References:
    """Return who needs which version of one branch."""
    numbers = tuple(versions.entries())
    by_contract, unreadable_contracts = _of_contracts(roots.registry, name, versions)
    by_binding, unreadable_bindings = _of_bindings(roots.registry, name)
    by_baseline, unreadable_baselines = baselines.holders(roots.registry, name, versions.branch)
    if isinstance(versions, MountedVersions):
        found = mounted_references.references(name, versions, (by_contract, by_binding, by_baseline))
        unreadable = (*found.unreadable, *unreadable_contracts, *unreadable_bindings, *unreadable_baselines)
        return msgspec.structs.replace(found, unreadable=unreadable)
    locations, unreadable_locations = _locations(versions)
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
    unreadable = (*found.unreadable, *unreadable_contracts, *unreadable_bindings, *unreadable_baselines, *unreadable_locations)
    return msgspec.structs.replace(found, unreadable=unreadable)


def _locations(versions: Versions) -> tuple[list[str], list[str]]:
    """Return where the data lie that are not beside the schemas, and what could not be read of it.

    Every version counts: a table that has moved may have left files behind.
    """
    try:
        read = versions.all() if versions.layout is Layout.REGISTRY else (versions.latest(),)
        locations = [location_of(version.schema) for version in reversed(read) if version is not None]
    except SchemaError as error:
        return [], [str(error)]
    return [location for location in dict.fromkeys(locations) if location], []


def _of_contracts(registry: Files, name: TableName, versions: Versions) -> tuple[Holders, list[str]]:
    """Return which contracts need which version, and which cannot be read."""
    listed = contracts.listed(registry, name)
    unreadable = [str(contract) for contract in listed.unreadable]
    try:
        listed = fulfilled_contracts.settled(listed, partial(all_in_order, versions))
    except SchemaError as error:
        unreadable.append(str(error))
    held: defaultdict[int, list[str]] = defaultdict(list)
    for registered in listed:
        if registered.seen is not None:
            waits = ", which waits" if registered.pending else ""
            held[registered.seen[0]].append(f"contract {registered.consumer} ({registered.team}){waits}")
    return held, unreadable


def _of_bindings(registry: Files, name: TableName) -> tuple[Holders, list[str]]:
    """Return which bindings need which version, and which cannot be read."""
    listed = bindings.listed(registry, name)
    held: defaultdict[int, list[str]] = defaultdict(list)
    for binding in listed.bindings:
        held[binding.version].append(f"binding {binding.folder}")
    return held, [str(binding) for binding in listed.unreadable]

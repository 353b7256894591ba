"""Hand a table over that the registry only described to the mount that keeps it now.

What was described is put aside in the registry, with the records that name its versions. Contracts, waivers and policies stay. The columns
of a contract are found by their names once, since the ids of a description are others than those of the table itself.
"""

from typing import Protocol

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.store.layout.paths import (
    baselines_folder,
    bindings_folder,
    checkpoints_folder,
    handed_over_folder,
    joined,
    manifests_folder,
    plans_folder,
)
from airflow_provider_schemas.store.registry import contracts, register_contract
from airflow_provider_schemas.store.registry.contract_record import Registered, pinned, pins_for
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table_state import Subject

# What names versions of the description, each with the name of its folder among what is put aside.
_NAMING_VERSIONS = {"bindings": bindings_folder, "plans": plans_folder, "baselines": baselines_folder}
_CACHES = (manifests_folder, checkpoints_folder)


class _Store(Protocol):
    """What is needed of a store."""

    @property
    def roots(self) -> Roots: ...


class HandedOver(Struct, frozen=True, kw_only=True):
    """What handing a table over means, or has done."""

    table: str
    done: bool
    versions: tuple[int, ...]
    """The described versions."""
    place: str
    """The folder of the registry in which they are put aside."""
    head: int
    """The schema of the mounted table that is current."""
    contracts: tuple[str, ...] = ()
    """The jobs whose contracts the mounted table fits."""
    unfit: tuple[str, ...] = ()
    """The jobs whose contracts it does not fit, each with what it lacks first. Their contracts stay, and stop them."""
    unreadable: tuple[str, ...] = ()
    """Contracts that cannot be read, which stay as they are."""

    def __str__(self) -> str:
        verb = "was handed over" if self.done else "can be handed over"
        lines = [f"{self.table} {verb}: schema {self.head} of its source is what counts."]
        moved = "lie" if self.done else "will lie"
        lines.append(f"  described versions {moved} in {self.place}: {', '.join(map(str, self.versions))}")
        lines.append("  with them the bindings, the plans, and what tasks without a contract saw last: their next run begins anew")
        lines += [f"  contract kept: {job}" for job in self.contracts]
        lines += [f"  contract kept, and the table does not fit it: {text}" for text in self.unfit]
        lines += [f"  contract that cannot be read: {text}" for text in self.unreadable]
        return "\n".join(lines)


def hand_over(store: _Store, name: str | TableName, *, yes: bool) -> HandedOver:
    """Put the description of a mounted table aside, and find the columns of its contracts by name; without yes, only say so."""
    table = table_name(name)
    roots = store.roots
    described, head = _described_and_head(roots, table)
    fitting, unfit, unreadable = _judge_contracts(roots, table, head)
    aside = _next_folder(roots.registry, table)
    report = HandedOver(
        table=str(table),
        done=False,
        versions=tuple(described.versions.entries()),
        place=f"{roots.registry.url}/{aside}",
        head=head.number,
        contracts=fitting,
        unfit=unfit,
        unreadable=unreadable,
    )
    if not yes:
        return report
    roots.check_writable(roots.registry, f"the description of {table}")
    registry_in_use.check(described, described.latest(), registry_in_use.read_id(roots))
    _pin_contracts(roots, table, head)
    _put_aside(described, aside)
    return msgspec.structs.replace(report, done=True)


def _described_and_head(roots: Roots, name: TableName) -> tuple[Subject, Version]:
    """Return the table that the registry describes, and the newest version of the one that is mounted."""
    if name.database not in roots.mounted:
        fix = "Open the store with a mount of this name."
        raise NotThereError(f"no database {name.database} is mounted.", code="mount.not-mounted", path=name.database, fix=fix)
    described = Subject(roots, name, place=roots.described(name))
    if not roots.is_described(name):
        message = f"the registry does not describe {name}: there is nothing to hand over."
        raise NotThereError(message, code="mount.no-twin", path=str(name), fix="Its contracts count for the mounted table as they are.")
    mounted = Subject(roots, name, place=roots.beside(name))
    head = mounted.latest()
    if head is None:
        raise mounted.versions.no_table(str(name))
    return described, head


def _judge_contracts(roots: Roots, name: TableName, head: Version) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the jobs that the mounted table fits, those that it does not fit, and what cannot be read."""
    listed = contracts.listed(roots.registry, name)
    fitting: list[str] = []
    unfit: list[str] = []
    for registered in listed:
        lack = _first_lack(registered, head)
        if lack:
            unfit.append(f"{registered}: {lack}")
        else:
            fitting.append(str(registered))
    return tuple(fitting), tuple(unfit), tuple(map(str, listed.unreadable))


def _first_lack(registered: Registered, head: Version) -> str:
    """Return what a job lacks first, its columns found by name; empty, if it lacks nothing."""
    wanted = registered.given.model_copy(update={"name": registered.consumer})
    report = check_contract(head.schema, pinned(wanted, pins_for(wanted, head.schema, {})), version=head.number)
    return "" if report.fits else next(finding.message for finding in report.findings if finding.verdict == report.verdict)


def _pin_contracts(roots: Roots, name: TableName, head: Version) -> None:
    """Pin the columns of each contract to those that have their names in the mounted table."""
    for registered in contracts.listed(roots.registry, name):
        register_contract.pin_by_name(roots.registry, name, registered, head, actor=roots.actor, alone=roots.single_writer)


def _put_aside(described: Subject, aside: str) -> None:
    """Move what was described; the versions last, so that whoever is stopped before can begin again."""
    registry = described.registry
    for kind, folder_of in _NAMING_VERSIONS.items():
        folder = folder_of(described.name)
        if registry.list(folder):
            registry.move_folder(folder, joined(aside, kind))
    for cache in _CACHES:
        registry.delete_folder(cache(described.name))
    registry.move_folder(described.place.folder, joined(aside, "versions"))


def _next_folder(registry: Files, name: TableName) -> str:
    """Return the folder for what is put aside now: nothing is written over what was put aside before."""
    folder = handed_over_folder(name)
    taken = [int(entry.name) for entry in registry.list(folder) if entry.name.isdecimal()]
    return joined(folder, str(max(taken, default=-1) + 1))

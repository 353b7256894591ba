"""The readers of a table that a check against git asks: the jobs whose files stand in the tree, and those that are registered."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.files.file_kinds import FileKind
from airflow_provider_schemas.cli.judging.pull_request_files import Changes, StateFile, readable
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.store.table import Table

_MAX_NAMES = 10


class Readers(NamedTuple):
    """The contracts that a table is judged by."""

    contracts: "tuple[Contract, ...]" = ()
    notes: tuple[str, ...] = ()


class TreeContracts(NamedTuple):
    """The contracts in the files of the new state, by their tables, each with its file."""

    by_table: "Mapping[str, Sequence[tuple[Contract, StateFile]]]"
    faults: tuple[Fault, ...] = ()

    @classmethod
    def of(cls, changes: Changes) -> "TreeContracts":
        """Read the files of jobs that the line means, or that lie beside the files that it names."""
        files = [file for file in changes.new.files.values() if file.kind is FileKind.CONTRACT]
        good, faults = readable(files, lambda file: file.contracts)
        by_table: dict[str, list[tuple[Contract, StateFile]]] = {}
        for file in good:
            for contract in file.contracts:
                by_table.setdefault(contract.table, []).append((contract, file))
        return cls(by_table, tuple(faults))

    def about(self, table: str) -> "tuple[Contract, ...]":
        """Return the contracts about a table."""
        return tuple(contract for contract, _ in self.by_table.get(table, ()))

    def note(self, table: str) -> Iterator[str]:
        """Yield a note that names the files of the readers of a table."""
        names = [f"{contract.name} ({file.label})" for contract, file in self.by_table.get(table, ())]
        if names:
            yield f"asked as readers and writers: {listed(names, _MAX_NAMES)}"


def readers(tree: TreeContracts, name: str, table: "Table | None", args: Namespace) -> Readers:
    """Return the readers of a table: of a job that stands in the tree and is registered, what its file says counts."""
    given = tree.about(name)
    notes = tuple(tree.note(name))
    if table is None:
        return Readers(given, notes)
    from airflow_provider_schemas.store.registry.contracts import active
    from airflow_provider_schemas.store.registry.given_contracts import with_given

    contracts = with_given(table.registered(), given, open_store.store(args).team)
    return Readers(active(contracts).blocking, (*notes, *contracts.said))

"""The files of jobs of a check against git: new, changed and deleted contracts, each against its table."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments.table_name import TableReference
from airflow_provider_schemas.cli.files.file_kinds import FileKind
from airflow_provider_schemas.cli.judging import file_policy, jobs, missing_tables, repository_findings
from airflow_provider_schemas.cli.judging.compared import store_url
from airflow_provider_schemas.cli.judging.pull_request_files import Changes, StateFile, readable
from airflow_provider_schemas.cli.judging.pull_request_tables import PairedTableFiles
from airflow_provider_schemas.cli.judging.verdicts import Call, ComparedReport
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.given_policy import judging
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import Fault, NotThereError, SchemaError
from airflow_provider_schemas.render.wording import counted, listed

_MAX_NAMES = 5

Key = tuple[str, str, bool]
"""A contract by its job and table, and whether the job writes."""
ByKey = Mapping[Key, Sequence[tuple[Contract, StateFile]]]
"""The contracts of each key: two files may say what one job needs of a table, and both count."""


class ContractFiles(Struct, frozen=True, dict=True):
    """The contracts of both states that the line means."""

    changes: Changes
    tables: PairedTableFiles
    args: Namespace

    @cached_property
    def _old_read(self) -> tuple[list[StateFile], list[Fault]]:
        files = (file for file in self.changes.old.of_kind(FileKind.CONTRACT) if file.path not in self.changes.unchanged)
        return readable(files, lambda file: file.contracts)

    @cached_property
    def _new_read(self) -> tuple[list[StateFile], list[Fault]]:
        files = (file for file in self.changes.new.of_kind(FileKind.CONTRACT) if file.path not in self.changes.unchanged)
        return readable(files, lambda file: file.contracts)

    @property
    def unread(self) -> list[Fault]:
        """The faults of files of the base that cannot be read, so that it is not known what changed; the others' are the readers'."""
        return self._old_read[1]

    @cached_property
    def _old(self) -> ByKey:
        return _by_key(self._old_read[0])

    @cached_property
    def _new(self) -> ByKey:
        return _by_key(self._new_read[0])

    @cached_property
    def _jobs_left(self) -> frozenset[str]:
        """The jobs that still have a file."""
        return frozenset(contract.name for contracts in self.tables.tree.by_table.values() for contract, _ in contracts)

    # ------------------------------------------------------------ what is judged

    def calls(self) -> Iterator[Call]:
        """Yield the judgements: contracts that are new or say something else, then those that are gone."""
        for key, entries in self._new.items():
            before = [contract for contract, _ in self._old.get(key, ())]
            for contract, file in entries:
                if contract not in before:
                    yield file.label, partial(self._judge, contract, file)
        for key, entries in self._old.items():
            contract, file = entries[0]
            if key not in self._new and contract.name not in self._jobs_left and not self._is_hidden(file):
                yield file.label, partial(self._judge_gone, contract, file)

    def _is_hidden(self, file: StateFile) -> bool:
        """Return whether the file is there and cannot be read: then its job is not known to be gone."""
        now = self.changes.new.files.get(file.path)
        if now is None:
            return False
        if now.kind is FileKind.CONTRACT:
            return all(file.path != now.path for file in self._new_read[0])
        return now.kind in (FileKind.OTHER, FileKind.STAND_IN)

    def notes(self) -> Iterator[str]:
        """Yield what changed and is not judged."""
        for key, entries in self._old.items():
            contract, _ = entries[0]
            if key in self._new:
                yield from self._notes_about_same(key)
            elif contract.name in self._jobs_left:
                yield (
                    f"{contract.name} no longer says what it needs of {contract.table}: what it has registered stays until "
                    f"`airflow-schemas contract remove {contract.table} {contract.name}`"
                )
        same = sum(1 for file in self.changes.new.of_kind(FileKind.CONTRACT) if file.path in self.changes.unchanged)
        if same:
            verb = "is as it was" if same == 1 else "are as they were"
            yield f"{counted(same, 'file')} of jobs {verb}: asked as readers and writers of the tables that changed"

    def _notes_about_same(self, key: Key) -> Iterator[str]:
        """Yield notes about a contract that both states have: where it was moved to, and what it names no longer."""
        (contract, old), (_, new) = self._old[key][0], self._new[key][0]
        if new.path != old.path:
            yield f"the contract of {contract.name} about {contract.table} was moved from {old.label} to {new.label}"
        given_up = sorted(_names(self._old[key]) - _names(self._new[key]))
        if given_up:
            names = listed(given_up, _MAX_NAMES)
            yield f"{contract.name} needed {names} of {contract.table}, and {new.label} no longer says so: judged by what it says now"

    # ------------------------------------------------------------ new and changed contracts

    def _judge(self, contract: Contract, file: StateFile) -> ComparedReport:
        """Judge a contract against the table file of the line, else against the table of the store."""
        files = self.tables.new.get(contract.table, ())
        if len(files) == 1:
            return self._against_file(contract, file, files[0])
        if not open_store.is_named(self.args):
            raise self._nothing_to_compare(contract, file, "no table file of the line is about it, and no store is named")
        try:
            judged = jobs.judge_newest(TableReference(contract.table), contract, file.label, self.args)
        except NotThereError as error:
            if error.code != missing_tables.CODE:
                raise
            reason = f"no table file of the line is about it, and {store_url(self.args)} has no such table"
            raise self._nothing_to_compare(contract, file, reason) from None
        return judged._replace(report=replace(judged.report, file=file.label))

    def _against_file(self, contract: Contract, file: StateFile, table: StateFile) -> ComparedReport:
        schema = table.operand.schema
        policy = policy_option.read_policy(self.args) or file_policy.of_schemas(schema, schema)
        report = check_contract(schema, contract, policy=policy, table=contract.table)
        return ComparedReport(f"{file.label} with {contract.table} of {table.label}", replace(report, file=file.label))

    def _nothing_to_compare(self, contract: Contract, file: StateFile, reason: str) -> SchemaError:
        message = f"there is nothing to compare what {contract.name} needs of {contract.table} with: {reason}."
        fix = "Name the folder of its table file on the line as well, or pass --store URL or --conn ID."
        return NotThereError(message, code="cli.no-base", path=file.label, fix=fix)

    # ------------------------------------------------------------ contracts that are gone

    def _judge_gone(self, contract: Contract, file: StateFile) -> ComparedReport:
        """Warn of a contract whose file is gone: what is registered stays."""
        reason = f"{file.label} was deleted: {self._stays(contract)}"
        rule = repository_findings.CONTRACT_FILE_DELETED
        finding = repository_findings.of_file(rule, reason, table=contract.table, job=contract.name)
        policy = judging(policy_option.read_policy(self.args))
        report = Report(repository_findings.weighed_file([finding], policy), table=contract.table, file=file.label)
        compared = f"no file with the contract of {contract.name} about {contract.table} at {self.changes.comparison.base_words}"
        return ComparedReport(compared, report)

    def _stays(self, contract: Contract) -> str:
        """Write what becomes of a contract whose file is gone."""
        job, table = contract.name, contract.table
        if not open_store.is_named(self.args):
            return f"what {job} may have registered about {table} stays registered. No store is named, so that was not looked at."
        stored = open_store.store(self.args).table(table, branch=self.args.branch)
        if any(registered.consumer == job for registered in stored.registered()):
            return f"what {job} has registered about {table} stays registered."
        return f"{job} has registered nothing about {table} in {store_url(self.args)}, so that nobody asks for the job any more."


def _by_key(files: list[StateFile]) -> ByKey:
    by_key: dict[Key, list[tuple[Contract, StateFile]]] = {}
    for file in files:
        for contract in file.contracts:
            by_key.setdefault((contract.name, contract.table, contract.writes), []).append((contract, file))
    return by_key


def _names(entries: Sequence[tuple[Contract, StateFile]]) -> set[str]:
    """Return the columns that contracts name."""
    return {column.name for contract, _ in entries for column in contract.columns}

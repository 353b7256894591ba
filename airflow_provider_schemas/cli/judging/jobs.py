"""Verdicts about jobs: whether tables fit the contract that a job has registered, a contract on the line, or a version that was seen."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments.table_name import TableReference, looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.judging.compared import name_of, table_version
from airflow_provider_schemas.cli.judging.data import with_data
from airflow_provider_schemas.cli.judging.verdicts import ComparedReport, Verdicts, collect
from airflow_provider_schemas.cli.operands import Operand, read_operand, stored
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.formats.contract_places import with_places
from airflow_provider_schemas.formats.user_file import WrittenFile
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.versions.changes_since import Seen


# ---------------------------------------------------------------- registered jobs, and versions that were seen


def of_registered(args: Namespace) -> Verdicts:
    """Judge tables against the contract that a job has registered."""
    return collect((text, partial(_judge_registered, text, args)) for text in args.objects)


def _judge_registered(text: str, args: Namespace) -> ComparedReport:
    reference = stored(text, args)
    if reference is None:
        message = "a contract is registered for a table of a store."
        raise SchemaError(message, code="cli.no-table", path=text, fix="Name db.table and a store, or pass --contract FILE.")
    needs = f"what {args.job} has registered"
    if reference.version is None and not args.override:
        return judge_newest(reference, "@registered", needs, args, job=args.job)
    operand = read_operand(text, args)
    contract = _registered_contract(operand, args)
    if contract is None:
        message = f"{args.job} has registered nothing about {reference.name}."
        raise NotThereError(message, code="cli.no-contract", fix=f"See who has: airflow-schemas contract list {quote(reference.name)}.")
    return _judge_contract(operand, contract, needs, args)


def _registered_contract(operand: Operand, args: Namespace) -> Contract | None:
    """Return the contract of the job about a table; of several teams with such a job, that of the own team."""
    from airflow_provider_schemas.store.registry.contract_record import NO_TEAM

    registered = operand.table.registered() if operand.table else ()
    of_job = [contract for contract in registered if args.job in (contract.consumer, contract.contract.name)]
    if len(of_job) > 1:
        own_team = open_store.store(args).team or NO_TEAM
        of_job = [contract for contract in of_job if contract.team == own_team]
    return of_job[0].contract if of_job else None


def since_seen(args: Namespace) -> Verdicts:
    """Judge tables against the version that a job saw."""
    return collect((text, partial(_judge_since, text, args)) for text in args.objects)


def _judge_since(text: str, args: Namespace) -> ComparedReport:
    reference = stored(text, args)
    if reference is None or reference.version is not None:
        fix = "Write `airflow-schemas check db.table --since 41`, or name two versions: `airflow-schemas check db.table:41 db.table:42`."
        raise SchemaError("--since asks about the newest version of a table.", code="cli.no-table", path=text, fix=fix)
    number = args.since[0] if isinstance(args.since, tuple) else args.since
    needs = f"version {number}, which was seen"
    return judge_newest(reference, None, needs, args, job=args.job or "", since={reference.name: args.since})


def judge_newest(
    reference: TableReference,
    need: Contract | str | None,
    needs: str,
    args: Namespace,
    *,
    job: str = "",
    since: "Mapping[str, Seen] | None" = None,
) -> ComparedReport:
    """Judge the newest version as gates do."""
    from airflow_provider_schemas.store.check_tables import judge

    store = open_store.store(args)
    branch = reference.branch or args.branch
    judgement = judge(store, {reference.name: need}, policy=policy_option.read_policy(args), consumer=job, since=since, branch=branch)
    table = judgement.tables[0]
    if table.version is None:
        finding = table.report.findings[0]
        raise NotThereError(finding.message, code=missing_tables.CODE, path=reference.name, fix=finding.fix)
    return ComparedReport(f"{table_version(reference.name, table.version.number, args, branch)} with {needs}", table.report)


# ---------------------------------------------------------------- contracts on the line


class _Given(NamedTuple):
    """The contracts of a line, and the file that they were read from."""

    contracts: Sequence[Contract]
    file: str = ""
    written: WrittenFile | None = None
    """The document in the file; None for SQL text."""

    def placed(self, compared: ComparedReport, contract: Contract) -> ComparedReport:
        """Return the report with the file, whose author can change what does not fit, and with the places in it."""
        if self.written is None:
            return compared._replace(report=replace(compared.report, file=self.file))
        return compared._replace(report=with_places(compared.report, contract, self.written))


def of_contract(args: Namespace) -> Verdicts:
    """Judge against the contracts of a job's file, or of a text: the tables on the line, or all that the file names."""
    given = _read_contracts(args.contract)
    if args.objects:
        return collect((text, partial(_judge_operand, text, given, args)) for text in args.objects)
    if not all(contract.table for contract in given.contracts):
        raise SchemaError("the text names no table.", code="cli.objects", path="--contract", fix="Name the table that it is about.")
    calls = (
        (contract.table, partial(_judge_operand, contract.table, given._replace(contracts=[contract]), args))
        for contract in given.contracts
    )
    return collect(calls)


def _judge_operand(text: str, given: _Given, args: Namespace) -> ComparedReport:
    needs = _source(args.contract)
    reference = stored(text, args)
    if reference is None or reference.version is not None or args.override:
        operand = read_operand(text, args)
        contract = _contract_about(operand.name, given.contracts, args.contract)
        return given.placed(_judge_contract(operand, contract, needs, args), contract)
    contract = _contract_about(reference.name, given.contracts, args.contract)
    return given.placed(judge_newest(reference, contract, needs, args), contract)


def _read_contracts(given: str) -> _Given:
    if not _is_file(given):
        return _Given([Contract.of(given)])
    data = local_io.read(given)
    file = local_io.path_of(given)
    if given.lower().endswith((".sql", ".ddl")):
        return _Given([Contract.of(data.decode("utf-8", "replace").strip().rstrip(";"))], file)
    contracts, written = contract_file.read_written(data, file)
    return _Given(contracts, file, written)


def _is_file(given: str) -> bool:
    return looks_like_a_file(given) or local_io.exists(given)


def _source(given: str) -> str:
    if not _is_file(given):
        return "the columns of --contract"
    return local_io.label(given)


def _contract_about(table: str, contracts: Sequence[Contract], source: str) -> Contract:
    """Return the contract about this table; the only one, where the table has no name."""
    if not table and len(contracts) == 1:
        return contracts[0]
    for contract in contracts:
        if contract.table in ("", table):
            return contract
    message = f"it is about {listed((contract.table for contract in contracts), 10)}, and not about {table or 'a file'}."
    raise NotThereError(message, code="cli.no-contract", path=source, fix="Leave the tables out to check all that it names, with --store.")


def _judge_contract(operand: Operand, contract: Contract, needs: str, args: Namespace) -> ComparedReport:
    policy: Policy | None = policy_option.read_policy(args)
    if operand.table is not None:
        policy = policy_option.combine(args, operand.table.policy())
    number = None if operand.version is None else operand.version.number
    report = check_contract(operand.schema, contract, policy=policy, table=operand.subject, version=number)
    return ComparedReport(f"{name_of(operand, args)} with {needs}", with_data(report, operand, contract, policy))

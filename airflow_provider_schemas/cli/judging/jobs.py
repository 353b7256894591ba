"""Verdicts about jobs: whether tables fit what a job has registered, what a file says, or what somebody saw."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments.table_name import STDIN, Named, looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.judging.compared import name_of, table_version
from airflow_provider_schemas.cli.judging.data import with_data
from airflow_provider_schemas.cli.judging.verdicts import Judged, Verdicts, collect
from airflow_provider_schemas.cli.operands import Thing, stored, thing
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.versions.changes_since import Seen


# ---------------------------------------------------------------- registered jobs, and what was seen


def of_registered(args: Namespace) -> Verdicts:
    """Judge tables against what a job has registered."""
    return collect((text, partial(_registered, text, args)) for text in args.objects)


def _registered(text: str, args: Namespace) -> Judged:
    from airflow_provider_schemas.store.registry.contract_record import NO_TEAM

    named = stored(text, args)
    if named is None:
        message = "a contract is registered for a table of a store."
        raise SchemaError(message, code="cli.no-table", path=text, fix="Name db.table and a store, or pass --contract FILE.")
    needs = f"what {args.job} has registered"
    if named.version is None and not args.override:
        return _newest(named, "@registered", needs, args, job=args.job)
    operand = thing(text, args)
    known = operand.table.registered() if operand.table else ()
    of_job = [one for one in known if args.job in (one.consumer, one.contract.name)]
    home = open_store.store(args).team or NO_TEAM if len(of_job) > 1 else ""
    contract = next((one.contract for one in of_job if home in ("", one.team)), None)
    if contract is None:
        message = f"{args.job} has registered nothing about {named.name}."
        raise NotThereError(message, code="cli.no-contract", fix=f"See who has: airflow-schemas contract list {quote(named.name)}.")
    return _fits(operand, contract, needs, args)


def since_seen(args: Namespace) -> Verdicts:
    """Judge tables against the version that somebody saw."""
    return collect((text, partial(_since, text, args)) for text in args.objects)


def _since(text: str, args: Namespace) -> Judged:
    named = stored(text, args)
    if named is None or named.version is not None:
        fix = "Write: check db.table --since 41; or name two versions, check db.table:41 db.table:42."
        raise SchemaError("--since asks about the newest version of a table.", code="cli.no-table", path=text, fix=fix)
    number = args.since[0] if isinstance(args.since, tuple) else args.since
    return _newest(named, None, f"version {number}, which was seen", args, job=args.job or "", since={named.name: args.since})


def _newest(
    named: Named, need: Contract | str | None, needs: str, args: Namespace, *, job: str = "", since: "Mapping[str, Seen] | None" = None
) -> Judged:
    """Judge the newest version as gates do."""
    from airflow_provider_schemas.store.check_tables import judge

    store, branch = open_store.store(args), named.branch or args.branch
    judgement = judge(store, {named.name: need}, policy=policy_option.wanted(args), consumer=job, since=since, branch=branch)
    answer = judgement.tables[0]
    if answer.version is None:
        finding = answer.report.findings[0]
        raise NotThereError(finding.message, code=missing_tables.CODE, path=named.name, fix=finding.fix)
    return Judged(f"{table_version(named.name, answer.version.number, args, branch)} with {needs}", answer.report)


# ---------------------------------------------------------------- contracts on the line


def of_contract(args: Namespace) -> Verdicts:
    """Judge against what a file of a job, or a text, says: the tables on the line, or all that the file names."""
    wanted = _contracts(args.contract)
    if args.objects:
        return collect((text, partial(_of_contract, text, wanted, args)) for text in args.objects)
    if not all(contract.table for contract in wanted):
        raise SchemaError("the text names no table.", code="cli.objects", path="--contract", fix="Name the table that it is about.")
    return collect((contract.table, partial(_of_contract, contract.table, [contract], args)) for contract in wanted)


def _of_contract(text: str, wanted: Sequence[Contract], args: Namespace) -> Judged:
    needs, named = _source(args.contract), stored(text, args)
    if named is None or named.version is not None or args.override:
        operand = thing(text, args)
        return _fits(operand, _about(operand.name, wanted, args.contract), needs, args)
    return _newest(named, _about(named.name, wanted, args.contract), needs, args)


def _contracts(given: str) -> tuple[Contract, ...]:
    if not _is_file(given):
        return (Contract.of(given),)
    data = local_io.read(given)
    if given.lower().endswith((".sql", ".ddl")):
        return (Contract.of(data.decode("utf-8", "replace").strip().rstrip(";")),)
    return contract_file.read(data, "" if given == STDIN else given)


def _is_file(given: str) -> bool:
    return looks_like_a_file(given) or local_io.exists(given)


def _source(given: str) -> str:
    if not _is_file(given):
        return "the columns of --contract"
    return local_io.label(given)


def _about(table: str, wanted: Sequence[Contract], source: str) -> Contract:
    """Return the contract about this table; the only one, where the table has no name."""
    contracts = [contract for contract in wanted if contract.table in ("", table)]
    if not contracts and not table and len(wanted) == 1:
        contracts = list(wanted)
    if contracts:
        return contracts[0]
    message = f"it is about {listed((contract.table for contract in wanted), 10)}, and not about {table or 'a file'}."
    raise NotThereError(message, code="cli.no-contract", path=source, fix="Leave the tables out to check all that it names, with --store.")


def _fits(operand: Thing, contract: Contract, needs: str, args: Namespace) -> Judged:
    return Judged(f"{name_of(operand, args)} with {needs}", _report(operand, contract, args))


def _report(operand: Thing, contract: Contract, args: Namespace) -> Report:
    policy: Policy | None = policy_option.wanted(args)
    if operand.table is not None:
        policy = policy_option.of_table(args, operand.table.policy())
    number = None if operand.version is None else operand.version.number
    report = check_contract(operand.schema, contract, policy=policy, table=operand.subject, version=number)
    return with_data(report, operand, contract, policy)

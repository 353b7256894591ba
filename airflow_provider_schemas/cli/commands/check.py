"""`check`: what a step breaks and for whom, whether table files fit their tables, or whether a table fits a job."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from airflow_provider_schemas.cli import open_store, policy_option, registered_jobs
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.table_name import STDIN, Named, looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.operands import Thing, stored, thing
from airflow_provider_schemas.cli.output.result import Answer, Shown, worst
from airflow_provider_schemas.core.compatibility.check import check, check_new
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import Fault, NotThereError, SchemaError
from airflow_provider_schemas.formats import contract_file, table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table
    from airflow_provider_schemas.store.versions.changes_since import Seen


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument(
        "objects", nargs="*", metavar="TABLE|FILE", help="OLD NEW; or table files, each against its table; or a table and a job"
    )
    parser.add_argument("--for", dest="job", metavar="JOB", help="does the table fit this registered job?")
    parser.add_argument(
        "--since", type=options.seen, metavar="N[:DIGEST]", help="what breaks whoever saw version N; as a gate without a contract judges"
    )
    parser.add_argument("--contract", metavar="FILE|COLUMNS", help="does it fit what this file of a job, or SQL text, needs?")
    policy_option.add(parser)


def run(args: Namespace) -> Answer:
    """The reports; a table that breaks something ends with 1."""
    reports = _reports(args)
    verdict = worst([one.verdict for one in reports])
    return Answer([Shown(reports[0] if len(reports) == 1 else reports)], verdict=verdict)


def _reports(args: Namespace) -> Sequence[Report]:
    if args.job and args.contract:
        raise SchemaError("--for and --contract both name what is needed.", code="cli.contract", fix="Keep one of them.")
    if args.contract and args.since is not None:
        message = "--since is for a job without a contract, and --contract names one."
        raise SchemaError(message, code="cli.contract", fix="Keep one of them.")
    if args.contract:
        return _contracts(args)
    if not args.objects:
        raise SchemaError("there is nothing to check.", code="cli.objects", fix="Name OLD and NEW, table files, or a table.")
    if args.since is not None:
        return [_seen(one, args) for one in args.objects]
    if args.job:
        return [_job(one, args) for one in args.objects]
    return _of_things(args)


def _of_things(args: Namespace) -> Sequence[Report]:
    """Of what is named alone: steps, table files, or one schema by itself."""
    things = [thing(one, args) for one in args.objects]
    if all(one.odf is not None for one in things):
        from airflow_provider_schemas.cli.output.odf_result import reports

        return reports(things, args)
    if all(one.file is not None for one in things):
        return _each([partial(_table_file, one, args) for one in things])
    if len(things) == 2:
        return [_step(things[0], things[1], args)]
    if len(things) == 1:
        return [_alone(things[0], args)]
    raise SchemaError("these are no pair.", code="cli.objects", fix="Name OLD and NEW, or table files alone.")


def _each(calls: Sequence[Callable[[], Report]]) -> list[Report]:
    """All reports; what could not be made is told together."""
    found: list[Report] = []
    faults: list[Fault] = []
    for call in calls:
        try:
            found.append(call())
        except SchemaError as error:
            faults += error.faults
    if faults:
        raise SchemaError.of(faults)
    return found


# ---------------------------------------------------------------- steps


def _step(old: Thing, new: Thing, args: Namespace) -> Report:
    """From the old one to the new one."""
    table = old.table or new.table
    before = () if old.table is None or old.version is None else _before(old.table, old.version)
    policy = policy_option.wanted(args) if table is None else policy_option.of_table(args, table.policy())
    jobs = None if table is None else registered_jobs.of(table)
    contracts = () if jobs is None else jobs.blocking
    if new.file is not None:
        plan = table_file.plan(new.file, _version(old), policy=policy, history=before, contracts=contracts)
        return plan.report if jobs is None else jobs.told(plan.report, old.schema, plan.result, policy)
    name = old.name or new.subject
    by_name = not (old.ids and new.ids) or (old.name != new.name)
    report = check(old.judged, new.judged, policy, history=before, contracts=contracts, table=name, by_name=by_name)
    return report if jobs is None else jobs.told(report, old.schema, new.schema, policy)


def _before(table: "Table", version: Version) -> list[Version]:
    return [one for one in table.versions() if one.number < version.number]


def _version(found: Thing) -> Version:
    if found.version is not None:
        return found.version
    return Version.read(found.schema.to_json().encode(), found.schema.id)


def _table_file(found: Thing, args: Namespace) -> Report:
    """A table file against its table, or by itself where there is none."""
    file = found.file
    if file is None:
        raise AssertionError("only table files come here")
    if not open_store.named(args):
        return table_file.plan(file, None, policy=policy_option.wanted(args)).report
    table = open_store.store(args).table(file.table, branch=args.branch)
    if not table.exists():
        return _new(file, args)
    from airflow_provider_schemas.store.check_data import with_data

    report = table.plan(target=file, policy=policy_option.wanted(args), override=args.override).report
    return with_data(report, table, table.latest(), None, policy=policy_option.of_table(args, table.policy()))


def _new(file: TableFile, args: Namespace) -> Report:
    report = table_file.plan(file, None, policy=policy_option.wanted(args)).report
    return msgspec.structs.replace(report, notes=(*report.notes, f"there is no table {file.table} yet"))


def _alone(found: Thing, args: Namespace) -> Report:
    """One schema by itself; that of a table also against the jobs that are registered, and its files against each other."""
    if found.table is None:
        return check_new(found.schema, policy_option.wanted(args), table=found.subject)
    policy = policy_option.of_table(args, found.table.policy())
    jobs = registered_jobs.of(found.table)
    report = check_new(found.schema, policy, contracts=jobs.fitted, table=found.name)
    report, seen = jobs.told(report, None, found.schema, policy), found.table.inspect()
    notes = (*report.notes, *jobs.waiting, *seen.notes)
    whole = msgspec.structs.replace(report, findings=(*report.findings, *seen.findings), notes=notes)
    return _with_data(whole, found, None, policy)


# ---------------------------------------------------------------- jobs


def _job(text: str, args: Namespace) -> Report:
    """Against what a job has registered."""
    named = stored(text, args)
    if named is None:
        message = "a registered job reads a table of a store."
        raise SchemaError(message, code="cli.no-table", path=text, fix="Name db.table and a store, or pass --contract FILE.")
    if named.version is None and not args.override:
        return _asked(named, "@registered", args, args.job)
    found = thing(text, args)
    wanted = next((one for one in found.table.contracts() if one.name == args.job), None) if found.table else None
    if wanted is None:
        message = f"{args.job} has registered nothing about {named.name}."
        raise NotThereError(message, code="cli.no-contract", fix=f"See who has: airflow-schemas contract list {named.name}.")
    return _fits(found, wanted, args)


def _seen(text: str, args: Namespace) -> Report:
    """Against the version that somebody saw."""
    named = stored(text, args)
    if named is None or named.version is not None:
        fix = "Write: check db.table --since 41; or name two versions, check db.table:41 db.table:42."
        raise SchemaError("--since asks about the newest version of a table.", code="cli.no-table", path=text, fix=fix)
    return _asked(named, None, args, args.job or "", since={named.name: args.since})


def _asked(named: Named, need: Contract | str | None, args: Namespace, job: str = "", since: "Mapping[str, Seen] | None" = None) -> Report:
    """What gates would say of the newest version."""
    from airflow_provider_schemas.store.check_tables import judge

    store = open_store.store(args)
    branch = named.branch or args.branch
    judged = judge(store, {named.name: need}, policy=policy_option.wanted(args), consumer=job, since=since, branch=branch)
    return judged.tables[0].report


def _contracts(args: Namespace) -> Sequence[Report]:
    """Against what a file, or a text, says."""
    wanted = _wanted(args.contract)
    if args.objects:
        return [_of_contracts(one, wanted, args) for one in args.objects]
    if not all(one.table for one in wanted):
        raise SchemaError("the text names no table.", code="cli.objects", path="--contract", fix="Name the table that it is about.")
    return _each([partial(_of_contracts, one.table, [one], args) for one in wanted])


def _of_contracts(text: str, wanted: Sequence[Contract], args: Namespace) -> Report:
    named = stored(text, args)
    if named is None or named.version is not None or args.override:
        found = thing(text, args)
        return _fits(found, _about(found.name, wanted, args.contract), args)
    return _asked(named, _about(named.name, wanted, args.contract), args)


def _wanted(said: str) -> tuple[Contract, ...]:
    if not looks_like_a_file(said) and not local_io.exists(said):
        return (Contract.of(said),)
    data = local_io.read(said)
    if said.lower().endswith((".sql", ".ddl")):
        return (Contract.of(data.decode("utf-8", "replace").strip().rstrip(";")),)
    return contract_file.read(data, "" if said == STDIN else said)


def _about(table: str, wanted: Sequence[Contract], said: str) -> Contract:
    """The contract about this table; the only one, where the table has no name."""
    fitting = [one for one in wanted if one.table in ("", table)] or (list(wanted) if not table and len(wanted) == 1 else [])
    if fitting:
        return fitting[0]
    message = f"it is about {listed((one.table for one in wanted), 10)}, and not about {table or 'a file'}."
    raise NotThereError(message, code="cli.no-contract", path=said, fix="Leave the tables out to check all that it names, with --store.")


def _fits(found: Thing, contract: Contract, args: Namespace) -> Report:
    policy: Policy | None = policy_option.wanted(args) if found.table is None else policy_option.of_table(args, found.table.policy())
    number = None if found.version is None else found.version.number
    return _with_data(check_contract(found.schema, contract, policy=policy, table=found.subject, version=number), found, contract, policy)


def _with_data(report: Report, found: Thing, contract: Contract | None, policy: Policy | None) -> Report:
    """The report, with what the data of a stored table say, and what it rests on."""
    if found.table is None or found.version is None:
        return report
    from airflow_provider_schemas.store.check_data import with_data

    return with_data(report, found.table, found.version, contract, policy=policy)

"""`contract`: the contracts of jobs in the registry: register a job's file, list, remove."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.output.result import BREAK, OK, Answer, Part, TextLine, rows_or_line
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, NotThereError
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.formats.contract_places import with_places
from airflow_provider_schemas.formats.user_file import WrittenFile

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.store.registry.contract_record import Registered
    from airflow_provider_schemas.store.schema_store import SchemaStore

_HEADS = ("table", "job", "team", "contact", "columns", "last seen", "")


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="register|list|remove")
    register = _add_verb(verbs, "register", "keep what these files need; refused if a table does not fit", ["publish"])
    register.add_argument("files", nargs="+", metavar="FILE", help="the file of a job (*.yaml)")
    register.add_argument("--pending", action="store_true", help="wait for a table that does not fit yet")
    dry_run.add(register, "say what would be registered, and what does not fit; write nothing")
    list_verb = _add_verb(verbs, "list", "the readers and writers that have registered")
    list_verb.add_argument("tables", nargs="*", metavar="TABLE", help="db.table; without one, all")
    remove = _add_verb(verbs, "remove", "take a contract away; its history stays")
    remove.add_argument("table", metavar="TABLE", help="db.table")
    remove.add_argument("job", metavar="JOB", help="the name of the job")
    dry_run.add(remove, "say what would be taken away; write nothing")


def _add_verb(verbs: "_SubParsersAction[ArgumentParser]", name: str, summary: str, aliases: Sequence[str] = ()) -> ArgumentParser:
    description = f"{summary[:1].upper()}{summary[1:]}."
    parser = verbs.add_parser(
        name, aliases=aliases, help=summary, description=description, allow_abbrev=False, formatter_class=options.OptionHelp
    )
    options.add(parser)
    return parser


def run(args: Namespace) -> Answer:
    """Register, list or remove contracts."""
    store = open_store.store(args)
    answer = {"register": _register, "publish": _register, "list": _list, "remove": _remove}[args.verb](store, args)
    return dry_run.not_written(answer) if getattr(args, "dry_run", False) else answer


# ---------------------------------------------------------------- register


def _register(store: "SchemaStore", args: Namespace) -> Answer:
    """Register the contracts of all files, which are read before. A contract that does not fit does not stop the others."""
    given = [*_read_contracts(args.files)]
    contracts = [contract for contract, _ in given]
    if not args.pending:
        _check_tables(store, contracts, args)
    registered: list[tuple[str, Registered]] = []
    refused: list[IncompatibleSchemaError] = []
    for contract, written in given:
        table = store.table(contract.table, branch=args.branch)
        try:
            registered.append((contract.table, table.register(contract, pending=args.pending, team=args.team)))
        except IncompatibleSchemaError as error:
            if isinstance(error.report, Report):
                error.report = with_places(error.report, contract, written)
            refused.append(error)
    if len(refused) == 1 and not registered:
        raise refused[0]
    return _register_answer(registered, refused)


def _read_contracts(files: Sequence[str]) -> Iterator[tuple["Contract", WrittenFile]]:
    """Yield the contracts of all files, each with the document that it stands in."""
    for name in files:
        contracts, written = contract_file.read_written(local_io.read(name), local_io.path_of(name))
        yield from ((contract, written) for contract in contracts)


def _check_tables(store: "SchemaStore", contracts: Sequence["Contract"], args: Namespace) -> None:
    """Refuse contracts about tables that are not there."""
    fix = "Correct the name, or register with --pending to wait for it. Nothing was registered."
    faults: list[Fault] = []
    for contract in contracts:
        if not store.table(contract.table, branch=args.branch).exists():
            message = f"there is no table {contract.table} that {contract.name} could use."
            faults.append(Fault("contract.no-table", contract.table, message, fix))
    if faults:
        raise NotThereError.of(faults)


def _register_answer(registered: Sequence[tuple[str, "Registered"]], refused: Sequence[IncompatibleSchemaError]) -> Answer:
    parts: list[Part] = []
    for table, contract in registered:
        state = ", waiting for the table" if contract.pending else ""
        parts.append(TextLine(f"{table}  {contract} registered as contract {contract.number}{state}"))
    parts += [TextLine(str(error)) for error in refused]
    data = {
        "registered": [_data(table, contract) for table, contract in registered],
        "refused": [fault.texts() for error in refused for fault in error.faults],
    }
    return Answer(parts, data, BREAK if refused else OK)


# ---------------------------------------------------------------- list, remove


def _list(store: "SchemaStore", args: Namespace) -> Answer:
    store.check_registry()
    names = args.tables or sorted({".".join(path.split("/")[1:3]) for path, _ in store.registry.walk("contracts")})
    for name in args.tables:
        store.table(name, branch=args.branch).latest()  # an error if it is misspelled
    rows: list[tuple[str, ...]] = []
    entries: list[dict[str, Any]] = []
    unreadable: list[str] = []
    for name in names:
        contracts = store.table(name).registered()
        rows += [_cells(name, contract) for contract in contracts]
        entries += [_data(name, contract) for contract in contracts]
        unreadable += map(str, contracts.unreadable)
    parts = [rows_or_line(rows, _HEADS, "no contract is registered")]
    parts += [TextLine(f"cannot be read: {reason}") for reason in unreadable]
    return Answer(parts, {"contracts": entries, "unreadable": unreadable}, failed=bool(unreadable))


def _cells(table: str, registered: "Registered") -> tuple[str, ...]:
    contract = registered.contract
    whom = ", ".join(part for part in (contract.owner, contract.contact) if part)
    columns = str(len(contract.columns))
    return (table, registered.consumer, registered.team, whom, columns, registered.last_seen[:10], _state(registered))


def _state(registered: "Registered") -> str:
    if registered.fulfilled is not None:
        return f"fulfilled by v{registered.fulfilled}"
    return "waits for the table" if registered.pending else ""


def _remove(store: "SchemaStore", args: Namespace) -> Answer:
    table = store.table(args.table, branch=args.branch)
    if args.branch:
        table.latest()  # contracts hang on the table, whatever its branch; one that is not there is a slip
    table.remove_contract(args.job, team=args.team)
    return Answer(
        [TextLine(f"{args.table}  the contract of {args.job} is removed")], {"table": args.table, "job": args.job, "removed": True}
    )


def _data(table: str, registered: "Registered") -> dict[str, Any]:
    data = {
        "table": table,
        "job": registered.consumer,
        "team": registered.team,
        "number": registered.number,
        "digest": registered.digest,
        "by": registered.by,
        "at": registered.at,
        "last_seen": registered.last_seen,
        "pending": registered.pending,
    }
    if registered.fulfilled is not None:
        data["fulfilled_by"] = registered.fulfilled
    return data | {"contract": registered.given.model_dump(mode="json", exclude_defaults=True)}

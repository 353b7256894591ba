"""`contract`: what jobs need of tables, kept in the registry: register a job's file, list, remove."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.table_name import STDIN
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, NotThereError
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.registry.contract_record import Registered
    from airflow_provider_schemas.store.schema_store import SchemaStore

_HEADS = ("table", "job", "team", "contact", "columns", "last seen", "")


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="register|list|remove")
    register = _verb(verbs, "register", "keep what these files need; refused if a table does not fit")
    register.add_argument("files", nargs="+", metavar="FILE", help="the file of a job (*.yaml)")
    register.add_argument("--pending", action="store_true", help="wait for a table that does not fit yet")
    listed = _verb(verbs, "list", "the readers and writers that have registered")
    listed.add_argument("tables", nargs="*", metavar="TABLE", help="db.table; without one, all")
    remove = _verb(verbs, "remove", "take a contract away; its history stays")
    remove.add_argument("table", metavar="TABLE", help="db.table")
    remove.add_argument("job", metavar="JOB", help="the name of the job")


def _verb(verbs: Any, name: str, says: str) -> ArgumentParser:
    made: ArgumentParser = verbs.add_parser(
        name, help=says, description=f"{says[:1].upper()}{says[1:]}.", allow_abbrev=False, formatter_class=options.Layout
    )
    options.add(made)
    return made


def run(args: Namespace) -> Answer:
    """What was registered, is there, or was removed."""
    store = open_store.store(args)
    return {"register": _register, "list": _list, "remove": _remove}[args.verb](store, args)


# ---------------------------------------------------------------- register


def _register(store: "SchemaStore", args: Namespace) -> Answer:
    """All files are read before the first is registered; a job that does not fit does not hold the others up."""
    contracts = [one for name in args.files for one in contract_file.read(local_io.read(name), "" if name == STDIN else name)]
    missing = [one for one in contracts if not args.pending and not store.table(one.table, branch=args.branch).exists()]
    if missing:
        fix = "Correct the name, or register with --pending to wait for it. Nothing was registered."
        said = [(one.table, f"there is no table {one.table} that {one.name} could use.") for one in missing]
        raise NotThereError.of(Fault("contract.no-table", table, message, fix) for table, message in said)
    parts: list[Part] = []
    found: list[dict[str, Any]] = []
    refused: list[IncompatibleSchemaError] = []
    for one in contracts:
        try:
            kept = store.table(one.table, branch=args.branch).register(one, pending=args.pending, team=args.team)
        except IncompatibleSchemaError as error:
            refused.append(error)
            continue
        state = ", waiting for the table" if kept.pending else ""
        parts.append(Line(f"{one.table}  {kept} registered as contract {kept.number}{state}"))
        found.append(_data(one.table, kept))
    if len(refused) == 1 and not parts:
        raise refused[0]
    parts += [Line(f"{error}") for error in refused]
    data = {"registered": found, "refused": [one._asdict() for error in refused for one in error.faults]}
    return Answer(parts, data, "break" if refused else "ok")


# ---------------------------------------------------------------- list, remove


def _list(store: "SchemaStore", args: Namespace) -> Answer:
    store.check_registry()
    names = args.tables or sorted({".".join(path.split("/")[1:3]) for path, _ in store.registry.walk("contracts")})
    for name in args.tables:
        store.table(name, branch=args.branch).latest()  # an error if it is misspelled
    kept = [(name, store.table(name).registered()) for name in names]
    rows = [_cells(name, one) for name, some in kept for one in some]
    unreadable = [str(one) for _, some in kept for one in some.unreadable]
    parts: list[Part] = [Rows(rows, _HEADS, headed=True)] if rows else [Line("no contract is registered")]
    parts += [Line(f"cannot be read: {one}") for one in unreadable]
    data = {"contracts": [_data(name, one) for name, some in kept for one in some], "unreadable": unreadable}
    return Answer(parts, data, failed=bool(unreadable))


def _cells(table: str, one: "Registered") -> tuple[str, ...]:
    state = "waits for the table" if one.pending else ""
    state = state if one.fulfilled is None else f"fulfilled by v{one.fulfilled}"
    whom = ", ".join(part for part in (one.contract.owner, one.contract.contact) if part)
    return (table, one.consumer, one.team, whom, counted(len(one.contract.columns), "column"), one.last_seen[:10], state)


def _remove(store: "SchemaStore", args: Namespace) -> Answer:
    table = store.table(args.table, branch=args.branch)
    if args.branch:
        table.latest()  # contracts hang on the table, whatever its branch; one that is not there is a slip
    table.remove_contract(args.job, team=args.team)
    return Answer([Line(f"{args.table}  the contract of {args.job} is removed")], {"table": args.table, "job": args.job, "removed": True})


def _data(table: str, one: "Registered") -> dict[str, Any]:
    return {
        "table": table,
        "job": one.consumer,
        "team": one.team,
        "number": one.number,
        "digest": one.digest,
        "by": one.by,
        "at": one.at,
        "last_seen": one.last_seen,
        "pending": one.pending,
        **({"fulfilled_by": one.fulfilled} if one.fulfilled is not None else {}),
        "contract": one.given.model_dump(mode="json", exclude_defaults=True),
    }

"""`bind`: set the version with which the files of a folder, or one file, were written; or list the bindings, or remove one."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.operands import open_whole_table
from airflow_provider_schemas.cli.output.result import Answer, TextLine, rows_or_line
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.registry.bindings import Binding
    from airflow_provider_schemas.store.table import Table

_HEADS = ("folder or file", "version", "by", "at")
_FIX = "Write `airflow-schemas bind db.table dt=2025-03-14 3`, or `airflow-schemas bind db.table --list`."


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER|FILE", help="as it lies below the table's location, such as 'dt=2025-03-*'; or an address"
    )
    parser.add_argument("version", nargs="?", type=options.number, metavar="N", help="the version that its files were written with")
    parser.add_argument("--remove", action="store_true", help="take back what was said of the folder")
    parser.add_argument("--list", action="store_true", help="what was said")
    dry_run.add(parser, "say what would be written; write nothing")


def run(args: Namespace) -> Answer:
    """Bind a folder, remove its binding, or list all bindings."""
    table = open_whole_table(args.table, args, _FIX)
    if args.list and not args.folder:
        return _list(table)
    if args.list or not args.folder or (args.version is None) is not args.remove:
        raise SchemaError("a folder and a version are bound to each other.", code="cli.binding", path=args.table, fix=_FIX)
    bound = _bind(table, args)
    return dry_run.not_written(bound) if args.dry_run else bound


def _bind(table: "Table", args: Namespace) -> Answer:
    """Bind a folder, or remove its binding."""
    if args.remove:
        table.unbind(args.folder)
        line = TextLine(f"{table.name}  {args.folder} is bound to no version any more.")
        return Answer([line], {"table": table.name, "folder": args.folder})
    binding = table.bind(args.folder, args.version)
    return Answer([TextLine(f"{table.name}  {binding}.")], {"table": table.name, **_data(binding)})


def _list(table: "Table") -> Answer:
    table.latest()  # an error for a table that is not there
    bindings = table.bindings()
    rows = [(binding.folder, str(binding.version), binding.by, _moment(binding.at)) for binding in bindings]
    part = rows_or_line(rows, _HEADS, f"{table.name}  no folder is bound to a version")
    return Answer([part], {"table": table.name, "bindings": [_data(binding) for binding in bindings]})


def _moment(stamp: str) -> str:
    """Write a moment of the registry as a history shows it, without the seconds."""
    if not stamp.endswith("+00:00"):
        return stamp
    return f"{stamp[:10]} {stamp[11:16]} UTC"


def _data(binding: "Binding") -> dict[str, Any]:
    return {"folder": binding.folder, "version": binding.version, "digest": binding.digest, "by": binding.by, "at": binding.at}

"""`bind`: say with which version the files of a folder, or one file, were written; or list what was said, or take it back."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.operands import stored
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.registry.bindings import Binding
    from airflow_provider_schemas.store.table import Table

_HEADS = ("folder or file", "version", "by", "at")
_FIX = "Write: bind db.table dt=2025-03-14 3; bind db.table --list; or bind db.table dt=2025-03-14 --remove."


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER|FILE", help="as it lies below the table's location, such as 'dt=2025-03-*'; or an address"
    )
    parser.add_argument("version", nargs="?", type=options.number, metavar="N", help="the version that its files were written with")
    parser.add_argument("--remove", action="store_true", help="take back what was said of the folder")
    parser.add_argument("--list", action="store_true", help="what was said")


def run(args: Namespace) -> Answer:
    """What was said of a folder; or of all of them."""
    named = stored(args.table, args)
    if named is None or named.version is not None:
        raise SchemaError("this is no table of a store.", code="cli.no-table", path=args.table, fix=_FIX)
    table = open_store.table(args, named)
    if args.list and not args.folder:
        return _listed(table)
    if args.list or not args.folder or (args.version is None) is not args.remove:
        raise SchemaError("a folder and a version are bound to each other.", code="cli.binding", path=args.table, fix=_FIX)
    if args.remove:
        table.unbind(args.folder)
        return Answer([Line(f"{table.name}  {args.folder} is bound to no version any more.")], {"table": table.name, "folder": args.folder})
    bound = table.bind(args.folder, args.version)
    return Answer([Line(f"{table.name}  {bound}.")], {"table": table.name, **_data(bound)})


def _listed(table: "Table") -> Answer:
    found = table.bindings()
    rows = [(one.folder, str(one.version), one.by, one.at) for one in found]
    parts: list[Part] = [Rows(rows, _HEADS, headed=True)] if rows else [Line(f"{table.name}  no folder is bound to a version")]
    return Answer(parts, {"table": table.name, "bindings": [_data(one) for one in found]})


def _data(one: "Binding") -> dict[str, Any]:
    return {"folder": one.folder, "version": one.version, "digest": one.digest, "by": one.by, "at": one.at}

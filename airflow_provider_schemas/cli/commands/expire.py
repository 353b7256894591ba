"""`expire`: delete versions that nothing needs any more. Without `--delete` it only says which those are, and who holds the others."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import times
from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.operands import stored
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.retention.expiry import Expiry


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument("--older-than", action=Said, metavar="AGE", default="30d", help="superseded for so long: 30d, 12h, 2w")
    parser.add_argument("--delete", action="store_true", help="delete them; without it nothing is deleted")


def run(args: Namespace) -> Answer:
    """What was deleted, or would be, and who holds the rest."""
    named = stored(args.table, args)
    if named is None or named.version is not None:
        raise SchemaError("this is no table of a store.", code="cli.no-table", path=args.table, fix="Write: expire db.table.")
    table = open_store.table(args, named)
    found = table.expire(times.age(args.older_than), dry_run=not args.delete)
    name = table.name if table.branch_name == "main" else f"{table.name}@{table.branch_name}"
    return Answer([*_parts(name, found)], _data(table.name, found))


def _parts(name: str, found: "Expiry") -> Iterator[Part]:
    gone = counted(len(found.deleted), "version")
    verb = "would be deleted; nothing was" if found.dry_run else "deleted"
    yield Line(f"{name}  {gone} {verb}, {len(found.kept):,} kept")
    if found.deleted:
        yield Line(f"{'would go' if found.dry_run else 'gone'}: {', '.join(f'v{one}' for one in found.deleted)}", 2)
    if found.kept:
        yield Rows([(f"v{one.number}", "; ".join(one.why)) for one in found.kept], ("version", "kept because"), indent=2)
    if found.dry_run and found.deleted:
        yield Line("nothing was deleted: type the same line with --delete", 2)


def _data(name: str, found: "Expiry") -> dict[str, Any]:
    kept = [{"number": one.number, "why": list(one.why)} for one in found.kept]
    return {"table": name, "branch": found.branch, "dry_run": found.dry_run, "deleted": list(found.deleted), "kept": kept}

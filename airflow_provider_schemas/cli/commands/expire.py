"""`expire`: delete versions that nothing needs any more. Without `--delete`, list them, and the reasons why others are kept."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.arguments import times
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.operands import open_whole_table
from airflow_provider_schemas.cli.output.result import Answer, Part, Rows, TextLine
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.retention.expiry import Expiry

# What a line that deleted nothing lacks, by whether it has --delete and --dry-run.
_WITH_DELETE = {
    (False, False): "with --delete",
    (False, True): "with --delete in place of --dry-run",
    (True, True): "without --dry-run",
}


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument("--older-than", action=RequiredText, metavar="AGE", default="30d", help="superseded for so long: 30d, 12h, 2w")
    parser.add_argument("--delete", action="store_true", help="delete them; without it nothing is deleted")
    dry_run.add(parser, "say what --delete would delete; delete nothing")


def run(args: Namespace) -> Answer:
    """Expire versions, and answer with those that were or would be deleted, and with the reasons why others are kept."""
    table = open_whole_table(args.table, args, "Write: airflow-schemas expire db.table.")
    args.progress.begin(f"looking what needs the versions of {table.name}")
    expiry = table.expire(times.age(args.older_than), dry_run=args.dry_run or not args.delete)
    name = table.name if table.branch_name == "main" else f"{table.name}@{table.branch_name}"
    return Answer([*_parts(name, expiry, args)], _data(table.name, expiry))


def _parts(name: str, expiry: "Expiry", args: Namespace) -> Iterator[Part]:
    count = counted(len(expiry.deleted), "version")
    verb, state = ("would be deleted; nothing was", "would go") if expiry.dry_run else ("deleted", "gone")
    yield TextLine(f"{name}  {count} {verb}, {len(expiry.kept):,} kept")
    if expiry.deleted:
        versions = ", ".join(f"v{number}" for number in expiry.deleted)
        yield TextLine(f"{state}: {versions}", 2)
    if expiry.kept:
        yield Rows([(f"v{kept.number}", "; ".join(kept.why)) for kept in expiry.kept], ("version", "kept because"), indent=2)
    if expiry.dry_run and expiry.deleted:
        yield TextLine(f"to delete, type the same line {_WITH_DELETE[args.delete, args.dry_run]}", 2)


def _data(name: str, expiry: "Expiry") -> dict[str, Any]:
    kept = [{"number": kept.number, "why": list(kept.why)} for kept in expiry.kept]
    return {"table": name, "branch": expiry.branch, "dry_run": expiry.dry_run, "deleted": list(expiry.deleted), "kept": kept}

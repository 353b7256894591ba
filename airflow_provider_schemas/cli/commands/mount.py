"""`mount`: hand a table that the registry describes over to the mount of its database. Contracts, waivers and policies stay."""

from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.operands import open_whole_table
from airflow_provider_schemas.cli.output.result import Answer, TextLine


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("table", metavar="TABLE", help="db.table, of a database that is mounted")
    parser.add_argument("--yes", action="store_true", help="do it; without it nothing is written")
    dry_run.add(parser, "say what --yes would do; write nothing")


def run(args: Namespace) -> Answer:
    """Hand the table over, or answer with what would be done."""
    from airflow_provider_schemas.store.commit.mounted.hand_over import hand_over

    table = open_whole_table(args.table, args, "Write: airflow-schemas mount db.table.")
    handed = hand_over(open_store.store(args), table.name, yes=args.yes and not args.dry_run)
    parts = [TextLine(line.lstrip(), len(line) - len(line.lstrip())) for line in str(handed).splitlines()]
    if not handed.done:
        parts.append(TextLine("nothing was written: type the same line with --yes", 2))
    data: dict[str, Any] = msgspec.to_builtins(handed)
    return Answer(parts, data)

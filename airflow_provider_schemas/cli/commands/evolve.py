"""`evolve`: change a table, by changes or to the state in a table file."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import change_options, options
from airflow_provider_schemas.cli.arguments.required_text import RequiredName, RequiredText
from airflow_provider_schemas.cli.git import revision_option
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.operands import read_operand, stored
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.changes.schema_change import SchemaChange
    from airflow_provider_schemas.formats.table_file.model import TableFile
    from airflow_provider_schemas.store.table import Table


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE", help="a table and changes; or the table file that says what shall be")
    change_options.add(parser)
    dry_run.add(parser)
    policy_option.add(parser)
    parser.add_argument("--expect", type=options.number, metavar="N", help="refuse unless N is the newest version")
    parser.add_argument("--key", action=RequiredText, help="name this attempt: one with the same key is done once")
    parser.add_argument("--approved-by", action=RequiredName, metavar="NAME", default="", help="who approved it; only with --expect")
    parser.add_argument("--run", action=RequiredText, default="", help="what this belongs to, for the history")
    revision_option.add(parser)


def run(args: Namespace) -> Answer:
    """Change the table, and answer with the version that was written or that exists already."""
    store = open_store.store(args)
    reference = stored(args.object, args)
    if reference is None:
        file = _read_table_file(args)
        return _evolve(store.table(file.table, branch=args.branch), args, None, file)
    if reference.version is not None:
        raise SchemaError("only the newest version changes.", code="cli.version", path=args.object, fix="Use --expect N, or restore.")
    table = open_store.open_table(args, reference)
    changes = change_options.read_changes(args, table.schema, lambda: (version.schema for version in table.versions()))
    return _evolve(table, args, changes, None)


def _read_table_file(args: Namespace) -> "TableFile":
    file = read_operand(args.object, args).file
    if file is None:
        message = "this is neither a table of the store nor a table file."
        raise SchemaError(message, code="cli.no-target", path=args.object, fix="Name db.table and changes, or a table file (*.yaml).")
    if change_options.has_changes(args):
        raise SchemaError("a table file says itself what changes.", code="cli.changes", fix="Leave the changes out, or name the table.")
    return file


def _evolve(table: "Table", args: Namespace, changes: "Sequence[SchemaChange] | None", target: "TableFile | None") -> Answer:
    """Change a table by changes, or to the state in a table file."""
    commit = partial(
        table.evolve,
        changes,
        policy_option.read_policy(args),
        args.expect,
        args.key,
        target=target,
        override=args.override,
        unchecked=args.unchecked,
        approval=args.approved_by,
        actor=open_store.actor(),
        run=args.run,
        revision=revision_option.read_revision(args),
    )
    return dry_run.answered(commit, args)

"""`evolve`: change a table, by changes or to what a table file says."""

from argparse import ArgumentParser, Namespace

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import change_options, options
from airflow_provider_schemas.cli.arguments.said import Person, Said
from airflow_provider_schemas.cli.operands import stored, thing
from airflow_provider_schemas.cli.output import commit_result
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.errors import SchemaError


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE", help="a table and changes; or the table file that says what shall be")
    change_options.add(parser)
    policy_option.add(parser)
    parser.add_argument("--expect", type=options.number, metavar="N", help="refuse unless N is the newest version")
    parser.add_argument("--key", action=Said, help="name this attempt: one with the same key is done once")
    parser.add_argument("--approved-by", action=Person, metavar="NAME", default="", help="who approved it; only with --expect")
    parser.add_argument("--run", action=Said, default="", help="what this belongs to, for the history")


def run(args: Namespace) -> Answer:
    """The version that was written, or that holds already."""
    store = open_store.store(args)
    named = stored(args.object, args)
    about = {"override": args.override, "unchecked": args.unchecked, "approval": args.approved_by}
    about |= {"actor": open_store.actor(), "run": args.run}
    if named is not None:
        if named.version is not None:
            raise SchemaError("only the newest version changes.", code="cli.version", path=args.object, fix="Use --expect N, or restore.")
        table = open_store.table(args, named)
        changes = change_options.changes(args, table.schema, lambda: (version.schema for version in table.versions()))
        return commit_result.answer(table.evolve(changes, policy_option.wanted(args), args.expect, args.key, **about), args)
    file = thing(args.object, args).file
    if file is None:
        message = "this is neither a table of the store nor a table file."
        raise SchemaError(message, code="cli.no-target", path=args.object, fix="Name db.table and changes, or a table file (*.yaml).")
    if change_options.asked(args):
        raise SchemaError("a table file says itself what changes.", code="cli.changes", fix="Leave the changes out, or name the table.")
    table = store.table(file.table, branch=args.branch)
    return commit_result.answer(table.evolve(None, policy_option.wanted(args), args.expect, args.key, target=file, **about), args)

"""`restore`: go back to a version, by a new one that has its fields and ids. No version is deleted."""

from argparse import ArgumentParser, Namespace
from typing import Any

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.required_text import RequiredName, RequiredText
from airflow_provider_schemas.cli.git import revision_option
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.judging.compared import table_version
from airflow_provider_schemas.cli.operands import open_whole_table
from airflow_provider_schemas.cli.output import commit_result
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.core.plan import Plan


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument("version", type=options.number, metavar="N", help="the version to go back to")
    parser.add_argument(
        "--column", action="append", default=[], metavar="NAME", help="bring this column back with its id, and nothing else; repeatable"
    )
    dry_run.add(parser)
    policy_option.add(parser)
    parser.add_argument("--key", action=RequiredText, help="name this attempt: one with the same key is done once")
    parser.add_argument("--expect", type=options.number, metavar="N", help="refuse unless N is the newest version")
    parser.add_argument("--approved-by", action=RequiredName, metavar="NAME", default="", help="who approved it; only with --expect")
    parser.add_argument("--run", action=RequiredText, default="", help="what this belongs to, for the history")
    revision_option.add(parser)


def run(args: Namespace) -> Answer:
    """Restore the version, and answer with the version that was written; with `--dry-run`, with the plan."""
    table = open_whole_table(args.table, args, "Write: airflow-schemas restore db.table 41.")
    target: dict[str, Any] = {
        "columns": args.column,
        "policy": policy_option.read_policy(args),
        "override": args.override,
        "unchecked": args.unchecked,
    }
    if args.dry_run:
        return _plan_answer(table.restore_plan(args.version, **target), args)
    commit = table.restore(
        args.version,
        **target,
        approval=args.approved_by,
        actor=open_store.actor(),
        run=args.run,
        revision=revision_option.read_revision(args),
        expected_version=args.expect,
        key=args.key,
    )
    return commit_result.answer(commit, args)


def _plan_answer(plan: Plan, args: Namespace) -> Answer:
    """Answer with the plan that would be written."""
    number = None if plan.base is None else plan.base.number
    compared = f"version {args.version} with {table_version(plan.table, number, args)}"
    return dry_run.plan_answer(plan, compared, args)

"""`restore`: go back to a version, by a new one that has its fields and ids. No version is deleted."""

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.said import Person, Said
from airflow_provider_schemas.cli.judging.compared import table_version
from airflow_provider_schemas.cli.judging.verdicts import Judged, Verdicts, answer
from airflow_provider_schemas.cli.operands import stored
from airflow_provider_schemas.cli.output import commit_result
from airflow_provider_schemas.cli.output.result import Answer, Line, Shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import SchemaError


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument("version", type=options.number, metavar="N", help="the version to go back to")
    parser.add_argument(
        "--column", action="append", default=[], metavar="NAME", help="bring this column back with its id, and nothing else; repeatable"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be written, and whom that breaks")
    policy_option.add(parser)
    parser.add_argument("--key", action=Said, help="name this attempt: one with the same key is done once")
    parser.add_argument("--expect", type=options.number, metavar="N", help="refuse unless N is the newest version")
    parser.add_argument("--approved-by", action=Person, metavar="NAME", default="", help="who approved it; only with --expect")
    parser.add_argument("--run", action=Said, default="", help="what this belongs to, for the history")


def run(args: Namespace) -> Answer:
    """The version that was written; or the plan."""
    named = stored(args.table, args)
    if named is None or named.version is not None:
        raise SchemaError("this is no table of a store.", code="cli.no-table", path=args.table, fix="Write: restore db.table 41.")
    table = open_store.table(args, named)
    about: dict[str, Any] = {
        "columns": args.column,
        "policy": policy_option.wanted(args),
        "override": args.override,
        "unchecked": args.unchecked,
    }
    if args.dry_run:
        return _shown_plan(table.restore_plan(args.version, **about), args)
    about |= {"approval": args.approved_by, "actor": open_store.actor(), "run": args.run}
    done = table.restore(args.version, **about, expected_version=args.expect, key=args.key)
    return commit_result.answer(done, args)


def _shown_plan(plan: Plan, args: Namespace) -> Answer:
    """Answer with what would be written."""
    number = None if plan.base is None else plan.base.number
    compared = f"version {args.version} with {table_version(plan.table, number, args)}"
    judged = Judged(compared, plan.report, {"plan": json.loads(plan.to_json())})
    return answer(Verdicts([judged]), args, [Shown(plan), Line("Nothing was written.")])

"""The policy of a judgement: that of the table, made stricter by a file, or weaker for a reason that is kept."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.required_text import RequiredReason
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy


def add(parser: ArgumentParser) -> None:
    """Add the options about the policy to a parser."""
    parser.add_argument("--policy", type=options.text, metavar="FILE", help="judge by this policy, too; by it alone with --override")
    parser.add_argument(
        "--override", action=RequiredReason, metavar="REASON", default="", help="go below the table's own policy, and keep the reason"
    )
    add_unchecked(parser)


def add_unchecked(parser: ArgumentParser) -> None:
    """Add the option with the reason why a description is not compared with the data."""
    help_text = "why the columns are not compared with the data at a new location, or of a new format"
    parser.add_argument("--unchecked", action=RequiredReason, metavar="REASON", default="", help=help_text)


def read_policy(args: Namespace) -> "Policy | None":
    """Return the policy in the file that the line names, made stricter by that of the project; None where neither is.

    An override leaves out that of the project, as it does that of the table.
    """
    if args.override and not args.override.strip():
        raise SchemaError("the reason is empty.", code="cli.no-reason", path="--override", fix="Say why, in a few words.")
    of_line = _read_file(args.policy) if args.policy else None
    if not args.project_policy or args.override:
        return of_line
    of_project = _read_file(args.project_policy)
    return of_project if of_line is None else of_line.stricter(of_project)


def _read_file(path: str) -> "Policy":
    from airflow_provider_schemas.formats import policy_file

    return policy_file.read(local_io.read(path), path)


def combine(args: Namespace, own: "Policy") -> "Policy":
    """Return the table's own policy, with the policy and the override of the line."""
    return own.for_caller(read_policy(args), override=args.override)

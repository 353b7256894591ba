"""What is judged by: the policy of the table, made stricter by a file or weaker for a reason that is kept, and the data it describes."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.said import Reason
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy


def add(parser: ArgumentParser) -> None:
    """Let a parser know them."""
    parser.add_argument("--policy", type=options.text, metavar="FILE", help="judge by this policy, too; by it alone with --override")
    parser.add_argument(
        "--override", action=Reason, metavar="REASON", default="", help="go below the table's own policy, and keep the reason"
    )

    add_unchecked(parser)


def add_unchecked(parser: ArgumentParser) -> None:
    """Let a parser know why a description is not compared with the data."""
    help_text = "why the columns are not compared with the data at a new location, or of a new format"
    parser.add_argument("--unchecked", action=Reason, metavar="REASON", default="", help=help_text)


def wanted(args: Namespace) -> "Policy | None":
    """The policy in the file that is named, if one is."""
    if args.override and not args.override.strip():
        raise SchemaError("the reason is empty.", code="cli.no-reason", path="--override", fix="Say why, in a few words.")
    if not args.policy:
        return None
    from airflow_provider_schemas.formats import policy_file

    return policy_file.read(local_io.read(args.policy), args.policy)


def of_table(args: Namespace, own: "Policy") -> "Policy":
    """The table's own policy, and what the line says of it."""
    return own.for_caller(wanted(args), override=args.override)

"""The policy of a judgement: that of the table, made stricter by a file, or weaker for a reason that is kept."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import reduce
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
    """Return the policy in the file that the line names, made stricter by those of the project and of the base; None where none is.

    An override leaves out those of the project and of the base, as it does that of the table.
    """
    if args.override and not args.override.strip():
        raise SchemaError("the reason is empty.", code="cli.no-reason", path="--override", fix="Say why, in a few words.")
    texts = [*_texts(args)]
    if not texts:
        return None
    from airflow_provider_schemas.formats import policy_file

    first, *others = (policy_file.read(text, name) for name, text in texts)
    return reduce(lambda joined, other: joined.stricter(other), others, first)


def _texts(args: Namespace) -> Iterator[tuple[str, bytes]]:
    """Yield the policies that count, by the names of their files."""
    if args.policy:
        yield args.policy, local_io.read(args.policy)
    if args.override:
        return
    if args.project_policy:
        yield args.project_policy, local_io.read(args.project_policy)
    yield from args.policies_of_base


def combine(args: Namespace, own: "Policy") -> "Policy":
    """Return the table's own policy, with the policy and the override of the line."""
    return own.for_caller(read_policy(args), override=args.override)

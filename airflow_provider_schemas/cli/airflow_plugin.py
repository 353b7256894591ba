"""`airflow schemas ...`: the same commands as a group of Airflow's own command line.

Airflow builds its parser for every command that begins with `airflow`, so this module has names and one sentence each.
The words behind the name of a command are read by our own parser when that command runs: the options, their help, the
errors and the exit codes are those of `airflow-schemas`.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial

from airflow.cli.cli_config import ActionCommand, Arg, GroupCommand

from airflow_provider_schemas.cli import command_registry, main
from airflow_provider_schemas.cli.help import parsers

_GROUP = "schemas"
_SUMMARY = "Schemas of tables: versions, changes, what they break and for whom"
_MORE = "The commands of airflow-schemas. Each tells more: airflow schemas COMMAND --help. Exit codes: 0 fits, 1 breaks, 2 cannot be done."
# The connection of a line that names neither a store nor a connection.
_CONN = "schema_store_default"


class Words(Arg):
    """All words behind the name of a command, unread: `--help` as well."""

    def add_to_parser(self, parser: ArgumentParser) -> None:
        """Let the parser of a command keep its words, instead of reading them."""
        parser.parse_known_args = partial(_keep_words, parser)  # type: ignore[method-assign, assignment]  # of one parser, not of all


def _keep_words(
    parser: ArgumentParser, args: Sequence[str] | None = None, namespace: Namespace | None = None
) -> tuple[Namespace, list[str]]:
    """Read no argument, and keep all words in the namespace."""
    arguments, _ = type(parser).parse_known_args(parser, [], namespace)
    arguments.words = list(args or ())
    return arguments, []


def commands() -> list[GroupCommand]:
    """Return the group of commands that Airflow adds to its command line."""
    words = Words(("words",))  # type: ignore[no-untyped-call]  # Airflow's own class
    summaries = {name: command.summary for name, command in command_registry.COMMANDS.items()} | parsers.HELPERS
    own = [ActionCommand(name, summary, partial(run, name), (words,)) for name, summary in summaries.items()]
    return [GroupCommand(_GROUP, _SUMMARY, own, f"{_SUMMARY}.", _MORE)]


def run(name: str, args: Namespace) -> None:
    """Run a command, and end the process with its code."""
    code = main.main([name, *args.words], prog=f"airflow {_GROUP}", conn=_CONN)
    if code:
        sys.exit(code)

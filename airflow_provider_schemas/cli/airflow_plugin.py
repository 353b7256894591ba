"""`airflow schemas ...`: the same commands as a group of Airflow's own command line.

Airflow builds its parser for whatever is typed behind `airflow`, so that here stand names and one sentence each. What
stands behind the name of a command is read by our own parser when that command runs: the options, their help, the
errors and the exit codes are those of `airflow-schemas`.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from typing import Any

from airflow.cli.cli_config import ActionCommand, Arg, GroupCommand

from airflow_provider_schemas.cli import command_registry, main

_GROUP = "schemas"
_SAYS = "Schemas of tables: versions, changes, what they break and for whom"
_MORE = "The commands of airflow-schemas. Each tells more: airflow schemas COMMAND --help. Exit codes: 0 fits, 1 breaks, 2 cannot be done."
# Where neither a store nor a connection is named.
_CONN = "schema_store_default"


class Words(Arg):
    """All that is typed behind a command, as it is typed: `--help` as well."""

    def add_to_parser(self, parser: ArgumentParser) -> None:
        """Let the parser of a command keep its words, instead of reading them."""
        parser.parse_known_args = partial(_kept, parser.parse_known_args)  # type: ignore[method-assign, assignment]  # of one parser, not of all


def _kept(read: Any, args: Sequence[str] | None = None, namespace: Namespace | None = None) -> tuple[Namespace, list[str]]:
    found, _ = read([], namespace)
    found.words = list(args or ())
    return found, []


def commands() -> list[GroupCommand]:
    """What Airflow adds to its command line."""
    words = Words(("words",))  # type: ignore[no-untyped-call]  # Airflow's own class
    made = [ActionCommand(name, one.says, partial(run, name), (words,)) for name, one in command_registry.COMMANDS.items()]
    return [GroupCommand(_GROUP, _SAYS, made, f"{_SAYS}.", _MORE)]


def run(name: str, args: Namespace) -> None:
    """Run a command, and end the process with its code."""
    code = main.main([name, *args.words], prog=f"airflow {_GROUP}", conn=_CONN)
    if code:
        sys.exit(code)

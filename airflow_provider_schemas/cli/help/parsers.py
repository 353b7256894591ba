"""The parser of a whole line, and that of each command. Help, completion and the answers to lines that cannot be read come from them."""

from argparse import PARSER, SUPPRESS, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from airflow_provider_schemas import __version__
from airflow_provider_schemas.cli import command_registry
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.help import examples, overview

SUMMARY: Final = "The schema registry for tables, without a server."
_EPILOG: Final = "Exit codes: 0 fits, 1 breaks, 2 refused. More: {prog} COMMAND --help"
# The commands about the command line itself, which no module of `commands` runs.
HELPERS: Final = {
    "help": "the help of a command, with examples",
    "options": "the options of every command: store, output",
    "completion": "a script that completes lines in bash, zsh or fish",
}


def names() -> list[str]:
    """Return the names of all commands."""
    return [*command_registry.COMMANDS, *HELPERS]


def top_parser(prog: str) -> options.CommandParser:
    """Return the parser of a whole line, which leaves the words of the command to another one."""
    summaries = {name: command.summary for name, command in command_registry.COMMANDS.items()} | HELPERS
    parser = options.make_parser(
        prog,
        f"{SUMMARY}\n\n{overview.listed(summaries)}",
        options.OverviewHelp,
        epilog=_EPILOG.format(prog=prog),
        usage=f"{prog} COMMAND ...",
    )
    parser.add_argument("--version", action="version", version=f"{prog} {__version__}", help=SUPPRESS)
    options.add(parser)
    parser.add_argument("command", nargs=PARSER, metavar="COMMAND", help=SUPPRESS)
    return parser


def command_parser(prog: str, name: str, conn: str | None = None) -> options.CommandParser:
    """Return the parser of the words behind the name of a command. `conn` is the connection of a line that names no store."""
    entry = command_registry.COMMANDS[name]
    footer = [f"Options of every command (--store, --format ...): {prog} options"]
    if conn:
        footer.append(f"Without --store and --conn, the store is that of the connection {conn}.")
    parser = options.make_parser(f"{prog} {name}", f"{entry.summary[:1].upper()}{entry.summary[1:]}.")
    entry.load().arguments(parser)
    options.add(parser)
    for each in (parser, *options.inner_parsers(parser)):
        add_examples(each, prog, each.prog.removeprefix(f"{prog} "), footer)
    return parser


def add_examples(parser: ArgumentParser, prog: str, name: str, footer: Sequence[str] = ()) -> None:
    """Give a parser the lines that its help opens with, and those that it ends with."""
    if isinstance(parser, options.CommandParser):
        parser.examples = tuple(examples.lines(prog, name))
        parser.footer = tuple(footer)


def parse(parser: options.CommandParser, words: Sequence[str], args: Namespace) -> Namespace:
    """Read the words of a line; end the process where they cannot be read."""
    parser.typed = tuple(words)
    read, unknown = parser.parse_known_args(words, args)
    if unknown:
        parser.refuse_unknown(unknown, read)
    return read

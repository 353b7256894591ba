"""`help`, `options`, `completion`, and the hidden `__complete`: the commands about the command line itself. They print a text and end."""

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from airflow_provider_schemas.cli.arguments import options, usage_errors
from airflow_provider_schemas.cli.help import parsers


class HelpLine(NamedTuple):
    """A line about the command line itself."""

    name: str
    words: Sequence[str]
    args: Namespace
    prog: str
    conn: str | None

    @property
    def parser(self) -> options.CommandParser:
        """A parser of this command, without arguments."""
        summary = parsers.HELPERS[self.name]
        parser = options.make_parser(f"{self.prog} {self.name}", f"{summary[:1].upper()}{summary[1:]}.", options.CommonHelp)
        parsers.add_examples(parser, self.prog, self.name)
        return parser


def run(name: str, words: Sequence[str], args: Namespace, prog: str, conn: str | None) -> NoReturn:
    """Print what the line asks for, and end."""
    sys.stdout.write(VERBS[name](HelpLine(name, words, args, prog, conn)))
    raise SystemExit(0)


# ---------------------------------------------------------------- help, options


def _help(line: HelpLine) -> str:
    """Return the help of a command; of all, where none is named."""
    if not line.words:
        return parsers.top_parser(line.prog).format_help()
    parser = _help_parser(line)
    name, *inner = parsers.parse(parser, line.words, line.args).command
    if name in parsers.HELPERS:
        return _PARSERS[name](HelpLine(name, (), line.args, line.prog, line.conn)).format_help()
    if name not in parsers.names():
        parser.refuse(usage_errors.about_command(name, parsers.names(), line.prog))
    return _innermost(parsers.command_parser(line.prog, name, line.conn), inner).format_help()


def _help_parser(line: HelpLine) -> options.CommandParser:
    parser = line.parser
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="the command")
    return parser


def _innermost(parser: options.CommandParser, verbs: Sequence[str]) -> options.CommandParser:
    """Return the parser of a second verb, if the line names one of the command."""
    for inner in options.inner_parsers(parser):
        if isinstance(inner, options.CommandParser) and verbs and inner.prog.endswith(f" {verbs[0]}"):
            return inner
    return parser


def _options(line: HelpLine) -> str:
    """Return the help about the options of every command."""
    parser = _options_parser(line)
    parsers.parse(parser, line.words, line.args)
    return parser.format_help()


def _options_parser(line: HelpLine) -> options.CommandParser:
    parser = line.parser
    options.add(parser)
    return parser


# ---------------------------------------------------------------- completion


def _completion(line: HelpLine) -> str:
    """Return the script of a shell."""
    from airflow_provider_schemas.cli.help import scripts

    shell = parsers.parse(_completion_parser(line), line.words, line.args).shell
    return scripts.script(shell, line.prog)


def _completion_parser(line: HelpLine) -> options.CommandParser:
    from airflow_provider_schemas.cli.help import scripts

    parser = line.parser
    parser.add_argument("shell", choices=tuple(scripts.SCRIPTS), help="the shell that runs the script")
    parser.footer = tuple(scripts.HOW.format(prog=line.prog).splitlines())
    return parser


def _complete(line: HelpLine) -> str:
    """Return what may stand next, a candidate each line; nothing where anything goes wrong."""
    from airflow_provider_schemas.cli.help import candidates

    return "".join(f"{candidate}\n" for candidate in candidates.of_shell(line.words))


_PARSERS: Final[Mapping[str, Callable[[HelpLine], options.CommandParser]]] = {
    "help": _help_parser,
    "options": _options_parser,
    "completion": _completion_parser,
}
VERBS: Final[Mapping[str, Callable[[HelpLine], str]]] = {
    "help": _help,
    "options": _options,
    "completion": _completion,
    "__complete": _complete,
}

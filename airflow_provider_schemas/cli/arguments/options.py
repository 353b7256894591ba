"""The options that every command has. They can stand before the command and behind it."""

import os
import re
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NoReturn

from airflow_provider_schemas.cli.arguments import outputs, usage_errors
from airflow_provider_schemas.cli.arguments.mount import mount, mounts
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.render.terminal import terminal_columns

STORE = "AIRFLOW_SCHEMAS_STORE"
REGISTRY = "AIRFLOW_SCHEMAS_REGISTRY"
CONN = "AIRFLOW_SCHEMAS_CONN"
MOUNTS = "AIRFLOW_SCHEMAS_MOUNTS"
# What the settings of a connection hold, and an option would repeat.
_OF_STORES = {
    "registry": "--registry",
    "registry_id": "--registry-id",
    "layout": "--layout",
    "storage_option": "--storage-option",
    "single_writer": "--single-writer",
}
# The width that argparse takes where there is no terminal.
_COLUMNS = 80
_DIGEST = re.compile(r"[0-9a-f]{64}")
COLORS: Mapping[str, bool | None] = {"auto": None, "always": True, "never": False}
"""Whether a text has colours, by the word of the line; None asks the terminal and the environment."""
LAYOUTS = ("paimon", "mini-paimon", "registry")

# Options that can be given several times, each in a list of its own.
_LISTS = ("storage_option", "mount", "outputs")

DEFAULTS: Mapping[str, Any] = {
    "store": None,
    "conn": None,
    "fallback_conn": None,  # the connection that counts where no store is named
    "no_project": False,
    "lines_of_tables": {},  # of a check of several projects: the line by which a table was judged
    "conn_known": False,  # whether the environment names it
    "store_known": False,
    "registry_known": False,
    "mounts_known": False,
    "opened": None,  # the store, once it is opened
    "registry": None,
    "registry_id": None,
    "layout": None,
    "branch": None,
    "team": "",
    "read_only": False,
    "single_writer": False,
    "format": "text",
    "docs": None,
    "strict": False,
    "width": None,
    "color": "auto",
    "no_pager": False,
    "progress": None,  # what tells on standard error how far a command is, once it runs
    "verbose": False,
    "quiet": False,
}


class OptionHelp(HelpFormatter):
    """Help with room for the longer options, and a first line without those that every command has."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=terminal_columns(_COLUMNS) - 2)

    def add_arguments(self, actions: Iterable[Action]) -> None:
        super().add_arguments(action for action in actions if not is_common(action))

    def add_usage(self, usage: str | None, actions: Iterable[Action], groups: Iterable[Any], prefix: str | None = None) -> None:
        own = [action for action in actions if not is_common(action)]
        super().add_usage(usage, own, groups, prefix)


class OverviewHelp(RawDescriptionHelpFormatter):
    """Help about all commands: the description keeps its line breaks, and no argument is listed."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_columns(_COLUMNS) - 2)

    def add_arguments(self, actions: Iterable[Action]) -> None:
        """List no argument."""


class CommonHelp(HelpFormatter):
    """Help about the options of every command."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=terminal_columns(_COLUMNS) - 2)


def is_common(action: Action) -> bool:
    """Return whether an option is one of every command."""
    return action.dest in DEFAULTS or action.dest in _LISTS


class CommandParser(ArgumentParser):
    """A parser whose help opens with examples, and that remembers what it could not read, for the answer in JSON."""

    refused = usage_errors.UsageError("", "")
    command = ""
    """The command whose line it was."""
    examples: tuple[str, ...] = ()
    """Lines that run; the first is shown where a word is missing."""
    typed: tuple[str, ...] = ()
    """The words of the line: argparse names a missing argument, and not the option that nobody knows."""
    footer: tuple[str, ...] = ()
    """The last lines of the help, which are not broken."""

    def format_help(self) -> str:
        """Write what the command does, examples, and its own options."""
        if not self.examples:
            return super().format_help()
        head = "\n".join([str(self.description), "", *(f"  {line}" for line in self.examples)])
        rest = copy(self)
        rest.description = None
        foot = "".join(f"{line}\n" for line in ("", *self.footer) if self.footer)
        return f"{head}\n\n{ArgumentParser.format_help(rest)}{foot}"

    def error(self, message: str) -> NoReturn:
        """End with a sentence about what cannot be read, and with what to type."""
        unknown = usage_errors.unknown_options(self, self.typed)
        if unknown and usage_errors.is_missing(message):
            self.refuse(usage_errors.about_unknown(self, unknown, self._example))
        self.refuse(usage_errors.explain(self, message, self._example))

    def refuse_unknown(self, words: Sequence[str], args: Namespace) -> NoReturn:
        """End with a sentence about words that nothing takes."""
        parser = usage_errors.parser_of_line(self, args)
        self.refuse(usage_errors.about_unknown(parser, words, self._example))

    def refuse(self, error: usage_errors.UsageError) -> NoReturn:
        """End with what is wrong and what to do, and remember it."""
        CommandParser.refused = error
        CommandParser.command = self.prog.rpartition(" ")[2]
        self.exit(2, f"{self.prog}: {error.message} {error.fix}\n")

    @property
    def _example(self) -> str:
        return self.examples[0] if self.examples else f"{self.prog} --help"


def inner_parsers(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    """Yield the parsers of the second verbs of a command."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            yield from action.choices.values()


def make_parser(prog: str, description: str = "", formatter: type[HelpFormatter] = OptionHelp, **more: Any) -> CommandParser:
    """Return a parser that guesses no option from its beginning."""
    return CommandParser(prog, description=description, allow_abbrev=False, formatter_class=formatter, **more)


def defaults() -> dict[str, Any]:
    """Return the values of options that are not typed."""
    return {**DEFAULTS, **{name: [] for name in _LISTS}}


def settle(args: Namespace, refuse: Callable[[str], NoReturn], conn: str | None = None) -> Namespace:
    """Take the store from the environment where the line does not name one; `conn` is the connection where nothing does."""
    args.fallback_conn = conn
    if args.store and args.conn:
        refuse("--store and --conn both name a store: keep one of them")
    if not args.store and not args.conn:
        _take_from_environment(args, refuse)
    check_repeated(args, refuse)
    if args.store:
        take_registry(args)
    if not args.mount:
        _take_mounts(args, refuse)
    args.docs = outputs.docs_address(args.docs, refuse)
    outputs.check(args, refuse)
    return args


def check_repeated(args: Namespace, refuse: Callable[[str], object]) -> None:
    """Refuse options beside a connection: it says everything about its store."""
    repeated = [option for name, option in _OF_STORES.items() if getattr(args, name)]
    if args.conn and repeated:
        refuse(f"the connection {args.conn!r} says that itself: leave {', '.join(repeated)} out")


def take_registry(args: Namespace) -> None:
    """Take the registry from the environment where the line does not name one."""
    if not args.registry:
        args.registry = os.environ.get(REGISTRY) or None
        args.registry_known = bool(args.registry)


def _take_mounts(args: Namespace, refuse: Callable[[str], NoReturn]) -> None:
    """Take the mounts from the environment."""
    try:
        args.mount = mounts(os.environ.get(MOUNTS) or "")
    except ArgumentTypeError as error:
        refuse(f"{MOUNTS}: {error}")
    args.mounts_known = bool(args.mount)


def _take_from_environment(args: Namespace, refuse: Callable[[str], NoReturn]) -> None:
    args.store = os.environ.get(STORE) or None
    known = os.environ.get(CONN) or None
    if args.store and known:
        refuse(f"{STORE} and {CONN} both name a store: pass --store URL or --conn ID")
    args.conn = known
    args.conn_known = bool(known)
    args.store_known = bool(args.store)


def add(parser: ArgumentParser) -> None:
    """Add the options of all commands to a parser. None has a default here, so that those before the command stay."""
    store = parser.add_argument_group("store", argument_default=SUPPRESS)
    store.add_argument("--store", type=text, metavar="URL", help=f"the warehouse: a folder, s3://..., gs://..., abfs://... (or {STORE})")
    store.add_argument("--conn", type=text, metavar="ID", help=f"the Airflow connection that names the store, for --store (or {CONN})")
    store.add_argument("--registry", type=text, metavar="URL", help=f"where contracts, policies, waivers and plans lie (or {REGISTRY})")
    store.add_argument("--registry-id", type=text, metavar="ID", help="which registry has to be there: the id in its registry-id.json")
    store.add_argument("--layout", choices=LAYOUTS, help="how the warehouse keeps schemas; found out without it")
    store.add_argument("--storage-option", metavar="KEY=VALUE", type=pair, action="append", help="an option of the storage; repeatable")
    store.add_argument(
        "--mount", metavar="DB=PLACE", type=mount, action="append", help=f"a database that others keep; repeatable (or {MOUNTS})"
    )
    store.add_argument("--branch", type=text, metavar="NAME", help="the branch of the table")
    store.add_argument("--team", action=RequiredText, metavar="NAME", help="whose contracts are registered")
    store.add_argument("--no-project", action="store_true", help="take nothing from schemas.toml or pyproject.toml")
    store.add_argument("--read-only", action="store_true", help="refuse to write")
    store.add_argument("--single-writer", action="store_true", help="promise that nobody else commits, where the storage cannot tell")
    output = parser.add_argument_group("output", argument_default=SUPPRESS)
    output.add_argument(
        "--format",
        choices=outputs.FORMATS,
        metavar="FORMAT",
        help="text, markdown, json or html; of verdicts also sarif, junit, github, gitlab",
    )
    output.add_argument(
        outputs.OPTION,
        dest="outputs",
        metavar="FORMAT=FILE",
        action=outputs.OutputAction,
        help="write the verdicts into a file, too, in any of the formats; repeatable",
    )
    output.add_argument("--docs", metavar="URL", help=f"where the documentation lies, for links to rules (or {outputs.DOCS})")
    output.add_argument("--strict", action="store_true", help="warnings end with 1, too")
    output.add_argument("--width", metavar="COLUMNS", type=_width, help="how wide the text is")
    output.add_argument(
        "--color", choices=tuple(COLORS), metavar="WHEN", help="always, never, or auto: on terminals, if the environment allows"
    )
    output.add_argument("--no-color", dest="color", action="store_const", const="never", help="the same as --color never")
    output.add_argument("--no-pager", action="store_true", help="print what is longer than the screen without a pager")
    output.add_argument("--verbose", action="store_true", help="tell what is fine, too")
    output.add_argument("--quiet", action="store_true", help="say nothing but errors")


# ---------------------------------------------------------------- types of arguments


def pair(text: str) -> tuple[str, str]:
    """Split KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ArgumentTypeError("write it as KEY=VALUE")
    return key, value


def text(given: str) -> str:
    """Return a text that is not empty: an empty one comes from a variable that is not set, and is no default."""
    if not given.strip():
        raise ArgumentTypeError("it is empty: give it a value, or leave it out")
    return given


def _width(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 20 <= int(text[:6]) <= 10_000:
        raise ArgumentTypeError("write a number from 20 to 10000")
    return int(text)


def number(text: str) -> int:
    """Return the number of a version, or of versions."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 10:
        raise ArgumentTypeError(f"{text[:40]!r} is no number")
    return int(text)


def seen(text: str) -> int | tuple[int, str] | tuple[int, str, str]:
    """Return the number of the version that a job saw, with its digest and the id of the table where the text has them."""
    digits, colon, rest = text.partition(":")
    if not colon:
        return number(digits)
    digest, colon, table_id = rest.partition(":")
    if not _DIGEST.fullmatch(digest) or (colon and not table_id):
        raise ArgumentTypeError("write N, or N and the 64 letters of a digest: 41:9f3c...; of a mounted table its id after them")
    return (number(digits), digest, table_id) if colon else (number(digits), digest)


def names(text: str) -> list[str]:
    """Split names at commas."""
    return [name.strip() for name in text.split(",") if name.strip()]

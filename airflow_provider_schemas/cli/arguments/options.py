"""The options that every command has. They can stand before the command and behind it."""

import os
import re
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.render.terminal import terminal_columns

STORE, REGISTRY, CONN = "AIRFLOW_SCHEMAS_STORE", "AIRFLOW_SCHEMAS_REGISTRY", "AIRFLOW_SCHEMAS_CONN"
# What a connection says, and an option could say again.
_OF_STORES = {
    "registry": "--registry",
    "registry_id": "--registry-id",
    "layout": "--layout",
    "storage_option": "--storage-option",
    "single_writer": "--single-writer",
}
# What argparse takes where there is no terminal.
_COLUMNS = 80
_DIGEST = re.compile(r"[0-9a-f]{64}")
FORMATS = ("text", "markdown", "json")
LAYOUTS = ("paimon", "mini-paimon", "registry")

DEFAULTS: Mapping[str, Any] = {
    "store": None,
    "conn": None,
    "conn_known": False,  # whether the environment says it
    "store_known": False,
    "registry_known": False,
    "opened": None,  # the store, once it is opened
    "registry": None,
    "registry_id": None,
    "layout": None,
    "branch": None,
    "team": "",
    "read_only": False,
    "single_writer": False,
    "format": "text",
    "strict": False,
    "width": None,
    "no_color": False,
    "verbose": False,
    "quiet": False,
}


class Layout(HelpFormatter):
    """Help with room for the longer options, and a first line without those that every command has."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=terminal_columns(_COLUMNS) - 2)

    def add_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None) -> None:
        shown = [one for one in actions if one.dest not in DEFAULTS and one.dest != "storage_option"]
        super().add_usage(usage, shown, groups, prefix)


class RawLayout(RawDescriptionHelpFormatter):
    """Help whose description stands as it is."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_columns(_COLUMNS) - 2)


class Parser(ArgumentParser):
    """A parser that remembers what it could not read, for whoever asked for JSON."""

    refused = ""
    command = ""
    """The command whose line it was."""

    def error(self, message: str) -> NoReturn:
        Parser.refused = message
        Parser.command = self.prog.rpartition(" ")[2]
        super().error(message)


def parser(prog: str, says: str = "", **more: Any) -> ArgumentParser:
    """A parser that guesses no option from its beginning."""
    return Parser(prog, description=says, allow_abbrev=False, formatter_class=more.pop("formatter_class", Layout), **more)


def defaults() -> dict[str, Any]:
    """What holds where nothing is typed."""
    return {**DEFAULTS, "storage_option": []}


def settle(args: Namespace, refuse: Callable[[str], NoReturn], conn: str | None = None) -> Namespace:
    """Take from the environment which store is meant, where the line does not say it; conn is meant where nothing does.

    A connection says everything about its store: what would say it again is refused.
    """
    if args.store and args.conn:
        refuse("--store and --conn both name a store: keep one of them")
    if not args.store and not args.conn:
        args.store, known = os.environ.get(STORE) or None, os.environ.get(CONN) or None
        if args.store and known:
            refuse(f"{STORE} and {CONN} both name a store: pass --store URL or --conn ID")
        args.conn = known or (None if args.store else conn)
        args.conn_known, args.store_known = bool(known), bool(args.store)
    twice = [said for name, said in _OF_STORES.items() if getattr(args, name)]
    if args.conn and twice:
        refuse(f"the connection {args.conn!r} says that itself: leave {', '.join(twice)} out")
    if args.store and not args.registry:
        args.registry = os.environ.get(REGISTRY) or None
        args.registry_known = True
    return args


def add(to: ArgumentParser) -> None:
    """Let a parser know the options of all commands. None has a default here, so that those before the command stay."""
    where = to.add_argument_group("store", argument_default=SUPPRESS)
    where.add_argument("--store", type=text, metavar="URL", help=f"the warehouse: a folder, s3://..., gs://..., abfs://... (or {STORE})")
    where.add_argument("--conn", type=text, metavar="ID", help=f"the Airflow connection that names the store, for --store (or {CONN})")
    where.add_argument("--registry", type=text, metavar="URL", help=f"where contracts, policies, waivers and plans lie (or {REGISTRY})")
    where.add_argument("--registry-id", type=text, metavar="ID", help="which registry has to be there: the id in its registry-id.json")
    where.add_argument("--layout", choices=LAYOUTS, help="how the warehouse keeps schemas; found out without it")
    where.add_argument("--storage-option", metavar="KEY=VALUE", type=pair, action="append", help="an option of the storage; repeatable")
    where.add_argument("--branch", type=text, metavar="NAME", help="the branch of the table")
    where.add_argument("--team", action=Said, metavar="NAME", help="whose contracts are registered")
    where.add_argument("--read-only", action="store_true", help="refuse to write")
    where.add_argument("--single-writer", action="store_true", help="promise that nobody else commits, where the storage cannot tell")
    how = to.add_argument_group("output", argument_default=SUPPRESS)
    how.add_argument("--format", choices=FORMATS, help="text, markdown or json")
    how.add_argument("--strict", action="store_true", help="warnings end with 1, too")
    how.add_argument("--width", metavar="COLUMNS", type=_width, help="how wide the text is")
    how.add_argument("--no-color", action="store_true", help="no colours")
    how.add_argument("--verbose", action="store_true", help="tell what is fine, too")
    how.add_argument("--quiet", action="store_true", help="say nothing but errors")


def pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ArgumentTypeError("write it as KEY=VALUE")
    return key, value


def text(given: str) -> str:
    """A text that says something: an empty one comes of a variable that is not set, and is no default."""
    if not given.strip():
        raise ArgumentTypeError("it is empty: give it a value, or leave it out")
    return given


def _width(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 20 <= int(text[:6]) <= 10_000:
        raise ArgumentTypeError("write a number from 20 to 10000")
    return int(text)


def number(text: str) -> int:
    """A number of a version, or of versions."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 10:
        raise ArgumentTypeError(f"{text[:40]!r} is no number")
    return int(text)


def seen(text: str) -> int | tuple[int, str]:
    """A version that somebody saw: its number, and its digest if that is known."""
    shown, colon, digest = text.partition(":")
    if colon and not _DIGEST.fullmatch(digest):
        raise ArgumentTypeError("write N, or N and the 64 letters of a digest: 41:9f3c...")
    return (number(shown), digest) if colon else number(shown)


def names(text: str) -> list[str]:
    """Names with commas between them."""
    return [one.strip() for one in text.split(",") if one.strip()]

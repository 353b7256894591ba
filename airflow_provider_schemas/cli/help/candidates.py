"""What may stand next on a line: commands, options, choices, tables of the store. It comes from the parsers that read the line.

Nothing is printed about what goes wrong, and nothing is waited for: a shell asks while somebody types. Where nothing is offered, the
shell offers files.
"""

import os
import shlex
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from threading import Thread
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.help import parsers
from airflow_provider_schemas.cli.help.scripts import SCRIPTS
from airflow_provider_schemas.core.rules import RULES

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

# How long the listing of a store may take, in seconds.
_PATIENCE: Final = 1.0
_MAX_DATABASES: Final = 20
VERB: Final = "__complete"
# The words that stand for a table or a database in the help of an argument.
_TABLES: Final = ("TABLE", "DATABASE")
_COLUMNS: Final = ("COLUMN",)
# Where bash breaks a word in two.
_BREAKS: Final = ":="
_PROGS: Final = (("airflow", "schemas"),)


def of_shell(words: Sequence[str]) -> list[str]:
    """Return the candidates for what a shell hands over: its name, then the line (bash) or its words up to the cursor."""
    with suppress(Exception, SystemExit), open(os.devnull, "w") as nowhere, redirect_stderr(nowhere), redirect_stdout(nowhere):  # noqa: PTH123  # as long as this runs
        shell, *rest = words
        if shell != "bash":
            return sorted(candidates(_without_prog(rest)))
        line = _without_prog(_split("".join(rest)))
        return [_behind_break(found, line[-1]) for found in sorted(candidates(line))]
    return []


def _split(line: str) -> list[str]:
    """Return the words of a line up to the cursor; the last one is empty behind a blank."""
    for quote in ("", '"', "'"):
        with suppress(ValueError):
            words = shlex.split(f"{line}{quote}")
            return [*words, ""] if not quote and line[-1:].isspace() else words
    return line.split(" ")


def _without_prog(words: Sequence[str]) -> list[str]:
    """Return the words behind the name of the program."""
    return list(words[2:] if tuple(words[:2]) in _PROGS else words[1:])


def _behind_break(candidate: str, current: str) -> str:
    """Return the part of a candidate that bash puts in: it takes what stands behind : and = for a word."""
    place = max(current.rfind(sign) for sign in _BREAKS)
    return candidate[place + 1 :] if candidate.startswith(current[: place + 1]) else candidate


# ---------------------------------------------------------------- from the parsers


def candidates(words: Sequence[str]) -> set[str]:
    """Return what may stand in place of the last word."""
    *before, current = words or [""]
    top = parsers.top_parser("airflow-schemas")
    place = _place_of_command(before, top)
    if place is None:
        return set(_among(current, _next_of(top, before, current, parsers.names())))
    name, *behind = before[place:]
    if name == "help":
        return set(_among(current, parsers.names()))
    if name == "completion":
        return set(_among(current, SCRIPTS))
    if name == "explain" and not current.startswith("-"):
        return set(_among(current, RULES))
    parser = _inner(parsers.command_parser("airflow-schemas", name), behind)
    verbs = [verb for action in parser._actions if isinstance(action.choices, dict) for verb in action.choices]
    is_value = bool(behind) and _waits_for_value(parser, behind[-1]) is not None
    if is_value or verbs or current.startswith("-") or not _wants(parser, _TABLES):
        return set(_among(current, _next_of(parser, behind, current, verbs)))
    names_of_store = columns if current.count(".") > 1 and _wants(parser, _COLUMNS) else tables
    return set(_among(current, names_of_store(before, current)))


def _among(current: str, names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if name.startswith(current) and not name.startswith("__"))


def _place_of_command(words: Sequence[str], top: ArgumentParser) -> int | None:
    """Return where the command stands; None where it is still to come."""
    is_value = False
    for place, word in enumerate(words):
        if is_value:
            is_value = False
        elif word.startswith("-"):
            is_value = _waits_for_value(top, word) is not None
        else:
            return place
    return None


def _inner(parser: ArgumentParser, words: Sequence[str]) -> ArgumentParser:
    """Return the parser of the second verb, where the line has one."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            return next((action.choices[word] for word in words if word in action.choices), parser)
    return parser


def _next_of(parser: ArgumentParser, before: Sequence[str], current: str, names: Iterable[str]) -> Iterable[str]:
    """Return what a parser takes next: the value of an option, an option, or one of these names."""
    option, equals, _ = current.partition("=")
    waiting = _waits_for_value(parser, before[-1]) if before else None
    if waiting is not None:
        return _choices_of(waiting)
    if equals and current.startswith("--"):
        action = _options_of(parser).get(option)
        return [f"{option}={choice}" for choice in (_choices_of(action) if action is not None else ())]
    if current.startswith("-"):
        return [name for name in _options_of(parser) if name.startswith("--")]
    return names


def _choices_of(action: Action) -> Sequence[str]:
    """Return the values of an option: its choices, else the words that its help names, such as git|store."""
    if action.choices:
        return [str(choice) for choice in action.choices]
    words = str(action.metavar or "").split("|")
    return words if len(words) > 1 and all(map(str.islower, words)) else ()


def _waits_for_value(parser: ArgumentParser, word: str) -> Action | None:
    """Return the option that a word is, if its value has to follow."""
    action = _options_of(parser).get(word)
    return None if action is None or action.nargs in (0, "?") else action


def _options_of(parser: ArgumentParser) -> Mapping[str, Action]:
    return parser._option_string_actions


def _wants(parser: ArgumentParser, words: Sequence[str]) -> bool:
    """Return whether an argument of the command is named by one of these words in its help."""
    names = [str(action.metavar) for action in parser._actions if not action.option_strings]
    return any(word in name for name in names for word in words)


# ---------------------------------------------------------------- from the store


def tables(words: Sequence[str], current: str) -> list[str]:
    """Return the tables of the store of the line that begin so. Only folders are listed; a store that takes long has none."""
    return _of_store(words, current, _list_tables)


def columns(words: Sequence[str], current: str) -> list[str]:
    """Return the columns of the table that begin so, behind the name of the table: its newest version is read."""
    return _of_store(words, current, _list_columns)


def _of_store(words: Sequence[str], current: str, ask: Callable[["SchemaStore", str, list[str]], None]) -> list[str]:
    from airflow_provider_schemas.cli import open_store

    args = _store_of(words)
    if args.conn or not args.store:
        return []
    found: list[str] = []
    thread = Thread(target=ask, args=(open_store.store(args), current, found), daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    if not thread.is_alive():
        return found
    if VERB in sys.argv:  # the process is there for this question alone: what waits for a storage must not keep the shell
        os._exit(0)
    return []


def _store_of(words: Sequence[str]) -> Namespace:
    """Return the options of the line that name the store. A connection is not looked up, and a mount is not asked: both take long."""
    from airflow_provider_schemas.cli.fix_hints import whole_fault
    from airflow_provider_schemas.cli.project.settle import settle

    parser = options.make_parser("airflow-schemas")
    options.add(parser)
    args, _ = parser.parse_known_args(words, Namespace(**options.defaults(), command="ls", databases=[]))
    settled = options.settle(args, parser.error)
    settle(settled, whole_fault)
    settled.mount = []
    settled.registry_id = None
    return settled


def _list_tables(store: "SchemaStore", current: str, found: list[str]) -> None:
    with suppress(Exception):
        database = current.partition(".")[0]
        near = [name for name in store.databases() if name.startswith(database)]
        for name in near[:_MAX_DATABASES]:
            found += [f"{name}.{table}" for table in store.tables(name)]


def _list_columns(store: "SchemaStore", current: str, found: list[str]) -> None:
    from airflow_provider_schemas.core.blame.path_fields import path_fields

    with suppress(Exception):
        table = ".".join(current.split(".")[:2])
        found += [f"{table}.{field.plain}" for field in path_fields(store.table(table).schema()).values()]

"""The commands by name: what each does, and the module that is imported when it is the one that runs.

A module of a command has two functions: `arguments(parser)` says what can be typed, `run(args)` answers.
"""

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from airflow_provider_schemas.cli.answer import Answer


class Command(NamedTuple):
    """A command."""

    says: str
    module: str


class Module(Protocol):
    """What a module of a command has."""

    def arguments(self, parser: ArgumentParser) -> None:
        """Say what can be typed."""

    def run(self, args: Namespace) -> Answer:
        """Answer."""


_ROOM = "airflow_provider_schemas.cli.commands"

COMMANDS: dict[str, Command] = {
    "ls": Command("databases, or the tables of some", f"{_ROOM}.ls"),
    "show": Command("a schema: columns with ids, keys, options, owner, policy", f"{_ROOM}.show"),
    "log": Command("the history of a table: who, when, what changed", f"{_ROOM}.log"),
    "diff": Command("the changes that lead from one schema to another", f"{_ROOM}.diff"),
    "convert": Command("a schema in another language", f"{_ROOM}.convert"),
    "check": Command("what a change breaks, or whether a table fits a job", f"{_ROOM}.check"),
    "plan": Command("what changes or a table file would do; writes nothing", f"{_ROOM}.plan"),
    "apply": Command("do what a plan says, if the table has not moved", f"{_ROOM}.apply"),
    "evolve": Command("change a table", f"{_ROOM}.evolve"),
    "create": Command("create a table", f"{_ROOM}.create"),
    "restore": Command("go back to a version, by a new one", f"{_ROOM}.restore"),
    "expire": Command("delete versions that nothing needs any more", f"{_ROOM}.expire"),
    "contract": Command("what jobs need of tables: register, list, remove", f"{_ROOM}.contract"),
    "waive": Command("let a finding through, for a reason and until a day", f"{_ROOM}.waive"),
}


def loaded(name: str) -> Module:
    """The module of a command."""
    return cast("Module", import_module(COMMANDS[name].module))

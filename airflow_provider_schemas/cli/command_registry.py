"""The commands by name: a summary of each, and a function that imports its module when the command runs.

A module of a command has two functions: `arguments(parser)` adds its arguments, `run(args)` returns the answer.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple

from airflow_provider_schemas.cli.output.result import Answer


class Module(NamedTuple):
    """The two functions of the module of a command."""

    arguments: Callable[[ArgumentParser], None]
    """Add the arguments of the command."""
    run: Callable[[Namespace], Answer]
    """Run the command."""


class Command(NamedTuple):
    """A command: its summary in the help, and how its module is imported."""

    summary: str
    load: Callable[[], Module]


def _ls() -> Module:
    from airflow_provider_schemas.cli.commands.ls import arguments, run

    return Module(arguments, run)


def _show() -> Module:
    from airflow_provider_schemas.cli.commands.show import arguments, run

    return Module(arguments, run)


def _log() -> Module:
    from airflow_provider_schemas.cli.commands.history.log import arguments, run

    return Module(arguments, run)


def _blame() -> Module:
    from airflow_provider_schemas.cli.commands.history.blame import arguments, run

    return Module(arguments, run)


def _diff() -> Module:
    from airflow_provider_schemas.cli.commands.diff import arguments, run

    return Module(arguments, run)


def _convert() -> Module:
    from airflow_provider_schemas.cli.commands.convert import arguments, run

    return Module(arguments, run)


def _check() -> Module:
    from airflow_provider_schemas.cli.commands.check import arguments, run

    return Module(arguments, run)


def _audit() -> Module:
    from airflow_provider_schemas.cli.commands.audit import arguments, run

    return Module(arguments, run)


def _plan() -> Module:
    from airflow_provider_schemas.cli.commands.plan import arguments, run

    return Module(arguments, run)


def _apply() -> Module:
    from airflow_provider_schemas.cli.commands.apply import arguments, run

    return Module(arguments, run)


def _evolve() -> Module:
    from airflow_provider_schemas.cli.commands.evolve import arguments, run

    return Module(arguments, run)


def _create() -> Module:
    from airflow_provider_schemas.cli.commands.create import arguments, run

    return Module(arguments, run)


def _adopt() -> Module:
    from airflow_provider_schemas.cli.commands.adopt import arguments, run

    return Module(arguments, run)


def _mount() -> Module:
    from airflow_provider_schemas.cli.commands.mount import arguments, run

    return Module(arguments, run)


def _restore() -> Module:
    from airflow_provider_schemas.cli.commands.restore import arguments, run

    return Module(arguments, run)


def _bind() -> Module:
    from airflow_provider_schemas.cli.commands.bind import arguments, run

    return Module(arguments, run)


def _expire() -> Module:
    from airflow_provider_schemas.cli.commands.expire import arguments, run

    return Module(arguments, run)


def _who() -> Module:
    from airflow_provider_schemas.cli.commands.jobs.who import arguments, run

    return Module(arguments, run)


def _contract() -> Module:
    from airflow_provider_schemas.cli.commands.jobs.contract import arguments, run

    return Module(arguments, run)


def _waive() -> Module:
    from airflow_provider_schemas.cli.commands.jobs.waive import arguments, run

    return Module(arguments, run)


def _explain() -> Module:
    from airflow_provider_schemas.cli.commands.explain import arguments, run

    return Module(arguments, run)


COMMANDS: dict[str, Command] = {
    "ls": Command("databases, or the tables of some", _ls),
    "show": Command("a schema: columns with ids, keys, options, owner, policy", _show),
    "log": Command("the history of a table: who, when, what changed", _log),
    "blame": Command("since when each column is as it is, and by whom", _blame),
    "diff": Command("the changes that lead from one schema to another", _diff),
    "convert": Command("a schema in another language", _convert),
    "check": Command("what a change breaks, or whether a table fits a job", _check),
    "audit": Command("what is wrong with the histories and ids of tables", _audit),
    "plan": Command("what changes or a table file would do; writes nothing", _plan),
    "apply": Command("do what a plan says, if the table has not moved", _apply),
    "evolve": Command("change a table", _evolve),
    "create": Command("create a table", _create),
    "adopt": Command("keep the schemas of a table whose data lie elsewhere", _adopt),
    "mount": Command("hand an adopted table over to the mount of its database", _mount),
    "restore": Command("go back to a version, by a new one", _restore),
    "bind": Command("say with which version the files of a folder were written", _bind),
    "expire": Command("delete versions that nothing needs any more", _expire),
    "who": Command("the jobs that use a table or a column", _who),
    "contract": Command("what jobs need of tables: register, list, remove", _contract),
    "waive": Command("let a finding through, for a reason and until a day", _waive),
    "explain": Command("what a rule or the code of an error means", _explain),
}

# Commands that no store is asked by, whatever the line and the environment say of one.
WITHOUT_STORE = frozenset({"explain"})

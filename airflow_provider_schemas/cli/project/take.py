"""The settings of one project, put into a line: what the line says itself counts, then the environment, then the file.

What belongs to a store (its registry, layout, mounts, team) is taken with the store of the file and never with another one.
"""

from argparse import Namespace
from typing import Final

from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.mount import mount
from airflow_provider_schemas.cli.project.document import label
from airflow_provider_schemas.cli.project.find import Project
from airflow_provider_schemas.cli.project.settings import ProjectSettings
from airflow_provider_schemas.cli.used_projects import UsedProject, plain_option
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import SchemaError

# The commands whose exit code tells a verdict; --strict of a file is about them alone.
_JUDGING: Final = ("check", "plan", "audit", "restore")
_PLAIN: Final = ("registry", "registry_id", "layout", "team")

_Value = str | bool | tuple[str, ...]


class _Taken:
    """What was taken of a project, for the answer."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.settings: list[tuple[str, _Value]] = []
        self.notes: list[str] = []
        if project.doubled:
            self.notes.append("the section of the pyproject.toml beside it does not count")

    def add(self, key: str, value: _Value) -> None:
        self.settings.append((key, value))

    def done(self) -> UsedProject:
        return UsedProject(self.project.label, tuple(self.settings), tuple(self.notes))


def take(args: Namespace, project: Project, *, notes: tuple[str, ...] = ()) -> UsedProject:
    """Complete a line with the settings of a project, and return what was taken; raise an error with the faults of the file."""
    settings = project.read()
    taken = _Taken(project)
    _take_store(args, settings, taken)
    _take_policy(args, settings, taken)
    _take_rest(args, settings, taken)
    taken.notes += notes
    return taken.done()


# ---------------------------------------------------------------- the store


def _take_store(args: Namespace, settings: ProjectSettings, taken: _Taken) -> None:
    if not (settings.store or settings.conn):
        return
    if args.store or args.conn:
        taken.notes.append(f"its store is not asked: {_other_store(args)} names one")
        return
    args.store = settings.store or None
    args.conn = settings.conn or None
    if args.conn:
        taken.add("conn", args.conn)
        options.check_repeated(args, _refuse_repeated)
    else:
        taken.add("store", without_credentials(settings.store))
        options.take_registry(args)
    _take_what_is_of_store(args, settings, taken)


def _other_store(args: Namespace) -> str:
    if args.conn:
        return options.CONN if args.conn_known else f"--conn {args.conn}"
    return options.STORE if args.store_known else "--store"


def _refuse_repeated(message: str) -> None:
    raise SchemaError(f"{message}.", code="cli.usage", fix="Or name another store with --store.")


def _take_what_is_of_store(args: Namespace, settings: ProjectSettings, taken: _Taken) -> None:
    for key in _PLAIN:
        value = getattr(settings, key)
        if value and not getattr(args, key):
            setattr(args, key, value)
            taken.add(key, without_credentials(value))
    if settings.storage_options:
        args.storage_option = [*settings.storage_options, *args.storage_option]  # of two values, the later one counts
        taken.add("storage_options", tuple(plain_option(key, text) for key, text in settings.storage_options))
    if settings.mounts and not args.mount:
        args.mount = [mount(typed) for typed in settings.mounts]
        taken.add("mounts", tuple(map(without_credentials, settings.mounts)))


# ---------------------------------------------------------------- what belongs to no store


def _take_policy(args: Namespace, settings: ProjectSettings, taken: _Taken) -> None:
    """Take the policy for the commands that judge by one. It does not give way to --policy: both count."""
    if not settings.policy or not hasattr(args, "policy"):
        return
    args.project_policy = settings.policy
    if args.override:
        taken.notes.append("its policy does not count: --override leaves it out")
    else:
        taken.add("policy", label(settings.policy))


def _take_rest(args: Namespace, settings: ProjectSettings, taken: _Taken) -> None:
    """Take what only a verdict is about; a demand of the file and one of the line both count."""
    args.docs = args.docs or settings.docs or None  # the environment counts already, as without a project
    if args.command not in _JUDGING:
        return
    args.require = list(dict.fromkeys([*args.require, *settings.require]))
    if settings.require:
        taken.add("require", settings.require)
    if settings.strict:
        args.strict = True
        taken.add("strict", True)
    if args.command == "check" and settings.base:
        args.base = settings.base
        taken.add("base", settings.base)

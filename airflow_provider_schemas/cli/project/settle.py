"""The settings of a line, complete: what is typed, then the environment, then the project file, then the connection that Airflow has.

A line that needs no store and no setting reads no project file, so that a broken one is in nobody's way.
"""

import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.cli.arguments import options, outputs
from airflow_provider_schemas.cli.arguments.table_name import STDIN, looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.project.find import Project, Search, folder_of
from airflow_provider_schemas.errors import Fault, SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.cli.project.split import Group

# Commands about the program itself.
_ABOUT_ITSELF: Final = frozenset({"completion", "explain", "help", "options"})
# Commands that ask no store about a plain file.
_OF_FILES: Final = frozenset({"convert", "diff", "log", "show"})
# The arguments that can be files people keep in a project.
_OBJECTS: Final = ("object", "objects", "files", "plan")


def settle(args: Namespace, whole_fault: Callable[[Fault, Namespace], Fault]) -> None:
    """Complete a line; the objects of a `check` that belong to several projects become groups, each for a line of its own.

    `whole_fault` writes a fault in the words of such a line.
    """
    set_defaults(args)
    args.whole_fault = whole_fault
    home = _current_folder()
    if args.no_project or home is None or not _needs_settings(args):
        name_default(args)
    elif args.command == "check":
        _settle_check(args, home)
    else:
        settle_with(args, _only_project(args, home))


def set_defaults(args: Namespace) -> None:
    """Give a line the values that it has without a project file."""
    args.projects = []
    args.groups = ()
    args.left_out = []
    args.project_policy = ""
    args.policies_of_base = []
    args.hold_base = _hold_base
    args.docs = getattr(args, "docs", None) or os.environ.get(outputs.DOCS) or None
    args.require = demands(args)
    if args.command == "check":
        args.base = None


def _hold_base(args: Namespace, commit: str) -> list[str]:
    # What runs git is not needed by other lines.
    from airflow_provider_schemas.cli.project import base_settings

    return base_settings.hold(args, commit)


def demands(args: Namespace) -> list[str]:
    """Return what a line requires to be compared with; behind an option can stand several words."""
    words: list[str] = []
    for word in getattr(args, "require", None) or ():
        words += word if isinstance(word, list) else [word]
    return list(dict.fromkeys(words))


def settle_with(args: Namespace, project: Project | None, notes: tuple[str, ...] = ()) -> None:
    """Complete a line with the settings of a project."""
    if project is not None:
        # What takes settings is needed where there is a file.
        from airflow_provider_schemas.cli.project.take import take

        args.projects = [take(args, project, notes=notes)]
    name_default(args)


def name_default(args: Namespace) -> None:
    """Name the connection that counts where no store is named."""
    if args.store or args.conn or not args.fallback_conn:
        return
    args.conn = args.fallback_conn
    options.check_repeated(args, _refuse_repeated)


def _refuse_repeated(message: str) -> None:
    raise SchemaError(f"{message}.", code="cli.usage", fix="Or name a store with --store.")


def _current_folder() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109  # a Path is not needed
    except OSError:  # the folder is gone
        return None


# ---------------------------------------------------------------- which project


def _needs_settings(args: Namespace) -> bool:
    if args.command in _ABOUT_ITSELF:
        return False
    if args.command not in _OF_FILES:
        return True
    if args.command == "convert" and args.source:  # the language of a file
        return False
    names = _names(args, _OBJECTS)
    return not names or not all(map(_is_plain_file, names))


def _is_plain_file(name: str) -> bool:
    return name == STDIN or (looks_like_a_file(name) and local_io.exists(name))


def _names(args: Namespace, arguments: Iterable[str]) -> list[str]:
    """Return the texts of arguments; a list is its texts."""
    values: list[object] = []
    for argument in arguments:
        value = getattr(args, argument, None)
        values += value if isinstance(value, list) else [value]
    return [value for value in values if isinstance(value, str)]


def _only_project(args: Namespace, home: str) -> Project | None:
    """Return the project of the files on the line, else that of the current folder; refuse files of several projects."""
    search = Search()
    folders = [folder for name in _names(args, _OBJECTS) if (folder := folder_of(name))]
    projects = {project.path: project for folder in folders if (project := search.nearest(folder))}
    if len(projects) > 1:
        raise _several(list(projects.values()))
    return next(iter(projects.values()), None) or search.nearest(home)


def _several(projects: Sequence[Project]) -> SchemaError:
    files = " and ".join(project.label for project in projects[:2])
    fix = "Type a line for each of them; or pass --no-project, and name the store."
    return SchemaError(f"the files belong to several projects, {files}.", code="project.several", fix=fix)


# ---------------------------------------------------------------- a check


def _settle_check(args: Namespace, home: str) -> None:
    if not _may_have_projects(args, home):
        name_default(args)
        return
    # What reads table files is not needed by other commands.
    from airflow_provider_schemas.cli.project.split import groups_of

    groups = groups_of(args, home)
    if len(groups) > 1:
        args.groups = groups
        return
    for group in groups:
        settle_group(args, group)


def _may_have_projects(args: Namespace, home: str) -> bool:
    """Return whether a check may have to do with a project: files alone, with no project file above them, have not."""
    names = [*_names(args, ("objects", "contract")), *(name for name in args.new if isinstance(name, str))]
    search = Search()
    if search.nearest(home) or not all(map(_is_no_place_of_projects, names)):
        return True
    return any(search.nearest(folder) for name in names if (folder := folder_of(name)))


def _is_no_place_of_projects(name: str) -> bool:
    """Return whether no project can lie below an object: it is no folder, and a file that is there is no pattern."""
    return not local_io.is_folder(name) and (local_io.exists(name) or not looks_like_a_file(name))


def settle_group(args: Namespace, group: "Group") -> None:
    """Complete a line for the objects of one project; raise the error of a project file that cannot be read."""
    args.of_project = not args.objects
    args.objects = group.objects
    args.left_out = group.left_out
    settle_with(args, group.project, group.notes)

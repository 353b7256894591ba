"""The objects of a `check`, by project: each file counts for the nearest project file upward, each folder for all that lie below it.

A pair of OLD and NEW stays together, whatever folder OLD is in.
"""

import os
import re
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.cli.files import local_io, schema_folders
from airflow_provider_schemas.cli.files.schema_files import read_content
from airflow_provider_schemas.cli.judging import base
from airflow_provider_schemas.cli.project.document import label
from airflow_provider_schemas.cli.project.find import Project, Search, folder_of, projects_below
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import listed

_MAX_NAMED: Final = 5
_PATTERN: Final = re.compile(r"[*?\[]")


class Group(Struct):
    """The objects that are judged with the settings of one project; without a project by the line alone."""

    project: Project | None
    objects: list[str]
    left_out: list[str] = []
    """Folders below the objects that belong to other groups."""
    notes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The project as compared lines name it."""
        return self.project.label if self.project else "no project"

    @property
    def source(self) -> str:
        """What a fault is about that names nothing itself."""
        return self.project.label if self.project else self.objects[0]


def groups_of(args: Namespace, home: str) -> list[Group]:
    """Return the objects of a line in groups, one for each project; at least one."""
    objects = [*args.objects, *base.files_behind_new(args)]
    split = _Split(Search(), home, git=_is_git_wanted(args))
    if not objects:
        return [split.without_objects(args)]
    if len(objects) == 2 and (pair := split.pair(objects)):
        return [pair]
    for name in objects:
        split.add(name)
    return split.groups()


def _is_git_wanted(args: Namespace) -> bool:
    """Return whether the line asks for a comparison with git, where a folder without files may have lost some."""
    return getattr(args, "git", None) is not None or getattr(args, "git_exact", False) or "git" in args.require


class _Split:
    """The groups of one line while they grow."""

    def __init__(self, search: Search, home: str, *, git: bool) -> None:
        self._search = search
        self._home = home
        self._git = git
        self._groups: dict[str, Group] = {}

    def groups(self) -> list[Group]:
        return list(self._groups.values())

    def _owner(self, name: str) -> Project | None:
        """Return the project of an object; one that lies in no project counts for that of the current folder."""
        folder = folder_of(name)
        return (self._search.nearest(folder) if folder else None) or self._search.nearest(self._home)

    def _group(self, project: Project | None) -> Group:
        return self._groups.setdefault(project.path if project else "", Group(project, []))

    # ------------------------------------------------------------ lines without objects, and pairs

    def without_objects(self, args: Namespace) -> Group:
        """Return the folders of the project; a line that judges by a contract names what it judges itself."""
        project = self._owner(args.contract) if args.contract else self._search.nearest(self._home)
        if project is None or args.contract or args.job or args.since is not None:
            return Group(project, [])
        return Group(project, list(map(label, project.read().folder)))

    def pair(self, objects: Sequence[str]) -> Group | None:
        """Return the group of OLD and NEW; None where both are of one project anyway, or are no pair."""
        folders = [folder_of(name) for name in objects]
        owners = [self._search.nearest(folder) if folder else None for folder in folders]
        if owners[0] == owners[1] or all(owners) or _holds_projects(objects) or not _is_pair(objects):
            return None
        return Group(owners[1] or owners[0], list(objects))

    # ------------------------------------------------------------ objects

    def add(self, name: str) -> None:
        """Put an object into its group; a folder with projects below it is in several."""
        owner = self._owner(name)
        _check_pattern(name)
        inner = projects_below(name) if local_io.is_folder(name) else []
        if not inner:
            self._group(owner).objects.append(name)
            return
        folders = [project.folder for project in inner]
        if self._git or _has_table_files(name, folders):
            group = self._group(owner)
            group.objects.append(name)
            group.left_out += folders
        for project in inner:
            self._add_project(project, [folder for folder in folders if _is_below(folder, project.folder)])

    def _add_project(self, project: Project, deeper: list[str]) -> None:
        """Add a project that lies below a folder of the line: the folders that it names, else all of its own."""
        group = self._group(project)
        named = _folders_of(project)
        group.objects += [folder for folder in map(label, named or [project.folder]) if folder not in group.objects]
        group.left_out += deeper
        skipped = _outside(project.folder, [*named, *deeper]) if named else []
        if skipped:
            files = f"outside of its folder, and not looked at: {listed(list(map(label, skipped)), _MAX_NAMED)}"
            group.notes = (*group.notes, files)


def _check_pattern(name: str) -> None:
    """Refuse a pattern that reaches into projects: each of them has another store."""
    match = _PATTERN.search(name)
    if match is None or local_io.exists(name):
        return
    folder = os.path.dirname(name[: match.start()]) or "."  # noqa: PTH120  # a text, and no file is asked for
    if local_io.is_folder(folder) and projects_below(folder):
        fix = f"Name the folders themselves: check {folder}."
        raise SchemaError("the pattern may name files of several projects.", code="project.several", path=name, fix=fix)


def _folders_of(project: Project) -> Sequence[str]:
    """Return the folders that a project names; the faults of its file are told when its group is judged."""
    try:
        return project.read().folder
    except SchemaError:
        return ()


def _has_table_files(folder: str, left_out: Sequence[str]) -> bool:
    """Return whether a folder has table files of its own, or cannot be read."""
    return bool(_outside(folder, left_out))


def _outside(folder: str, left_out: Sequence[str]) -> list[str]:
    files, faults = schema_folders.table_files([folder], left_out)
    return files or [fault.path for fault in faults if fault.code != schema_folders.NO_FILES]


def _is_below(folder: str, other: str) -> bool:
    return folder.startswith(other.rstrip(os.sep) + os.sep)


# ---------------------------------------------------------------- OLD and NEW


def _holds_projects(objects: Sequence[str]) -> bool:
    return any(projects_below(name) for name in objects if local_io.is_folder(name))


def _is_pair(objects: Sequence[str]) -> bool:
    """Return whether two objects are OLD and NEW: the same tables, or schemas that say no table."""
    if any(folder_of(name) is None for name in objects):
        return True
    old, new = (_tables(name) for name in objects)
    return old is None or new is None or bool(old & new)


def _tables(name: str) -> set[str] | None:
    """Return the tables that a file, or the files of a folder, are about; None for a schema that is no table file."""
    files, _ = schema_folders.table_files([name])
    return _joined(_table(file) for file in files)


def _joined(tables: Iterable[str | None]) -> set[str] | None:
    known = set(tables)
    if None in known:
        return None
    return {table for table in known if table}


def _table(file: str) -> str | None:
    """Return the table of a table file; empty for a file that cannot be read, None for another schema."""
    try:
        content = read_content(local_io.read(file), file)
    except SchemaError:
        return ""
    return content.file.table if content.file else None

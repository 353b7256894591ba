"""The guards of the base of a check against git: a branch cannot take away the policy and the demands that it is judged by."""

import os
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import PurePosixPath
from typing import Final

from airflow_provider_schemas.cli.git import blobs, listing
from airflow_provider_schemas.cli.git.listing import EntryKind, Listing
from airflow_provider_schemas.cli.git.repository import Repository
from airflow_provider_schemas.cli.git.selection import repository_of
from airflow_provider_schemas.cli.project import document
from airflow_provider_schemas.cli.project.document import OWN_FILE, SHARED_FILE
from airflow_provider_schemas.cli.project.find import folder_of
from airflow_provider_schemas.cli.project.settings import ProjectSettings, read_settings
from airflow_provider_schemas.errors import SchemaError

_NAMES: Final = (OWN_FILE, SHARED_FILE)


def hold(args: Namespace, commit: str) -> list[str]:
    """Make a line as strict as the project files and policies of a commit are, and return notes about what that adds.

    With --override the policies of the base do not count, as those of the project do not.
    """
    folders = [folder for name in args.objects if (folder := folder_of(name))]
    repository = repository_of(folders[0]) if folders else None
    if repository is None:
        return []
    projects = _settings(repository, commit, folders) if not args.no_project else []
    notes = [*_hold_demands(args, projects), *_hold_folders(args, projects)]
    policies = [path for path in (args.policy, args.project_policy, *(project.policy for project in projects)) if path]
    return [*notes, *_hold_policies(args, repository, commit, policies)]


def _hold_demands(args: Namespace, projects: Iterable[ProjectSettings]) -> Iterator[str]:
    for project in projects:
        if project.strict and not args.strict:
            args.strict = True
            yield "the project file of the base says strict: warnings fail this check, whatever the branch says"
        missing = [word for word in project.require if word not in args.require]
        if missing:
            args.require = [*args.require, *missing]
            yield f"the project file of the base requires {', '.join(missing)}, whatever the branch says"


def _hold_folders(args: Namespace, projects: Iterable[ProjectSettings]) -> Iterator[str]:
    """Add the folders that the project files of the base name, for a line that leaves it to them what is looked at."""
    if not getattr(args, "of_project", False):
        return
    known = {os.path.realpath(name) for name in args.objects}
    folders = dict.fromkeys(folder for project in projects for folder in project.folder)
    for folder in folders:
        if os.path.realpath(folder) not in known:
            args.objects = [*args.objects, document.label(folder)]
            yield f"the project file of the base names {document.label(folder)}: it is looked at, whatever the branch says"


def _hold_policies(args: Namespace, repository: Repository, commit: str, paths: Sequence[str]) -> Iterator[str]:
    """Add the policies as they were at the base, where they differ from what is there now."""
    top = os.path.realpath(repository.top)
    inside = dict.fromkeys(place for path in paths for place in _places(path, top))
    known = {path: entry for path, entry in listing.of_commit(repository, commit, [*inside]).items() if path in inside} if inside else {}
    now = {os.path.relpath(os.path.realpath(path), top) for path in (args.policy, args.project_policy) if path}
    for path, entry in known.items():
        if entry.kind is not EntryKind.FILE:
            continue
        text = blobs.read(repository, [entry.id])[entry.id]
        if path in now and text == _on_disk(repository, path):
            continue
        label = repository.label(path)
        if not _is_policy(text, label):  # it guarded nothing, and a branch must be able to correct it
            yield f"{label} of the base cannot be read as a policy, and does not count"
            continue
        args.policies_of_base = [*args.policies_of_base, (f"{label} of the base", text)]
        if not args.override:
            yield f"{label} differs from the base: the stricter of both policies counts"


def _is_policy(text: bytes, label: str) -> bool:
    from airflow_provider_schemas.formats import policy_file  # which only a branch that changes a policy needs

    try:
        policy_file.read(text, label)
    except SchemaError:
        return False
    return True


def _places(path: str, top: str) -> Iterator[str]:
    """Yield the paths from the top at which a policy may have been: a link that is followed today may have been a file."""
    for place in (os.path.realpath(path), os.path.abspath(path)):  # noqa: PTH100  # a text, and no file is asked for
        inside = os.path.relpath(place, top)
        if inside.split(os.sep, 1)[0] != os.pardir:
            yield inside


def _on_disk(repository: Repository, path: str) -> bytes | None:
    try:
        return listing.read_on_disk(repository, path)
    except SchemaError:
        return None


# ---------------------------------------------------------------- the project files of a commit


def _settings(repository: Repository, commit: str, folders: Sequence[str]) -> list[ProjectSettings]:
    """Return the settings of the nearest project file above each folder, as the commit has them; none of a file that cannot be read."""
    top = os.path.realpath(repository.top)
    above = {folder: possible_paths(repository, folder) for folder in folders}
    known = listing.of_commit(repository, commit, sorted({path for paths in above.values() for path in paths}))
    found: dict[str, ProjectSettings] = {}
    for paths in above.values():
        nearest = next(_readable(repository, known, paths, top), None)
        if nearest is not None:
            found.setdefault(*nearest)
    return [*found.values()]


def possible_paths(repository: Repository, folder: str) -> list[str]:
    """Return the paths, from the top of the repository, at which the project file of a folder may be, the nearest first."""
    own = PurePosixPath(os.path.relpath(os.path.realpath(folder), os.path.realpath(repository.top)))
    places = [place for place in (own, *own.parents) if ".." not in place.parts]
    return [str(place / name) for place, name in product(places, _NAMES)]


def _readable(repository: Repository, known: Listing, paths: Iterable[str], top: str) -> Iterator[tuple[str, ProjectSettings]]:
    for path in paths:
        entry = known.get(path)
        if entry is None or entry.kind is not EntryKind.FILE:
            continue
        text = blobs.read(repository, [entry.id])[entry.id]
        if path.endswith(SHARED_FILE) and not document.has_section(text):
            continue
        try:
            place = os.path.join(top, path)  # noqa: PTH118  # a text, and no file is asked for
            yield path, read_settings(document.read_document(text, place), place)
        except SchemaError:
            return

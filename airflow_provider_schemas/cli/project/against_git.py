"""What a branch changed in the project files of a check against git: it may change what it is judged by, and that is told."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from airflow_provider_schemas.cli.git import blobs, listing
from airflow_provider_schemas.cli.git.listing import Entry, EntryKind, Listing
from airflow_provider_schemas.cli.git.repository import Repository
from airflow_provider_schemas.cli.git.selection import repository_of
from airflow_provider_schemas.cli.project.changes import changed_settings
from airflow_provider_schemas.cli.project.document import OWN_FILE, SHARED_FILE
from airflow_provider_schemas.cli.project.find import folder_of
from airflow_provider_schemas.errors import SchemaError

_WORKING_TREE: Final = "working tree"


def notes(commits: Mapping[str, Any] | None, objects: Sequence[str]) -> list[str]:
    """Return a note for each project file around the objects that differs between the commits that were compared."""
    folders = [folder for name in objects if (folder := folder_of(name))]
    if commits is None or not folders:
        return []
    try:
        repository = repository_of(folders[0])
        return [*_notes(repository, commits, sorted(_candidates(repository, folders)))] if repository else []
    except SchemaError as error:
        return [f"whether a project file changed is not known: {error.message}"]


def notes_about_policies(commits: Mapping[str, Any] | None, files: Sequence[str]) -> list[str]:
    """Return a note for each file of a policy of the line that differs between the commits: the branch may change its own judge."""
    if commits is None:
        return []
    try:
        return [note for file in files for note in _notes_about_policy(commits, file)]
    except SchemaError as error:
        return [f"whether the policy changed is not known: {error.message}"]


def _notes_about_policy(commits: Mapping[str, Any], file: str) -> Iterator[str]:
    repository = repository_of(file)
    if repository is None:
        return
    path = os.path.relpath(os.path.realpath(file), os.path.realpath(repository.top))
    old = listing.of_commit(repository, commits["base"], [path]) if repository.commit(commits["base"]) else {}
    new = listing.of_work_tree(repository, [path], [path])
    before, now = _texts(repository, old.get(path), new.get(path))
    if before is None:
        yield f"the policy {repository.label(path)} is not at the base, and this check was made with it"
    elif before != now:
        yield f"the policy {repository.label(path)} differs from the base, and this check was made with it as it is now"


def _candidates(repository: Repository, folders: Iterable[str]) -> set[str]:
    """Return the paths, from the top of the repository, at which a project file of the folders may be."""
    top = os.path.realpath(repository.top)
    paths: set[str] = set()
    for folder in folders:
        own = PurePosixPath(os.path.relpath(os.path.realpath(folder), top))
        paths.update(str(above / name) for above in (own, *own.parents) for name in (OWN_FILE, SHARED_FILE) if ".." not in above.parts)
    return paths


def _notes(repository: Repository, commits: Mapping[str, Any], paths: Sequence[str]) -> Iterator[str]:
    old = listing.of_commit(repository, commits["base"], paths)
    new = _new_state(repository, commits["head"], paths)
    for path in paths:
        sentences = changed_settings(*_texts(repository, old.get(path), new.get(path)))
        if sentences:
            yield f"{repository.label(path)} differs from the base, and this check was made as it is now: {' '.join(sentences)}"


def _new_state(repository: Repository, head: str, paths: Sequence[str]) -> Listing:
    if head == _WORKING_TREE:
        return listing.of_work_tree(repository, paths, paths)
    return listing.of_commit(repository, head, paths)


def _texts(repository: Repository, *entries: Entry | None) -> Iterator[bytes | None]:
    """Yield the text of each entry; None for what is no file."""
    for entry in entries:
        if entry is None or entry.kind not in (EntryKind.FILE, EntryKind.LINK):
            yield None
        elif entry.on_disk:
            yield listing.read_on_disk(repository, entry.path)
        else:
            yield blobs.read(repository, [entry.id])[entry.id]

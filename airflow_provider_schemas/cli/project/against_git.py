"""What a branch changed in the project files of a check against git: it may change what it is judged by, so a note reports it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from airflow_provider_schemas.cli.git import blobs, listing
from airflow_provider_schemas.cli.git.listing import EntryKind, Listing, TreeEntry
from airflow_provider_schemas.cli.git.repository import Repository
from airflow_provider_schemas.cli.git.selection import repository_of
from airflow_provider_schemas.cli.project.base_settings import possible_paths
from airflow_provider_schemas.cli.project.changes import changed_settings
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
        if repository is None:
            return []
        paths = sorted(set().union(*(possible_paths(repository, folder) for folder in folders)))
        return [*_notes(repository, commits, paths)]
    except SchemaError as error:
        return [f"whether a project file changed is not known: {error.message}"]


def _notes(repository: Repository, commits: Mapping[str, Any], paths: Sequence[str]) -> Iterator[str]:
    old = listing.of_commit(repository, commits["base"], paths)
    new = _new_state(repository, commits["head"], paths)
    for path in paths:
        sentences = changed_settings(*_texts(repository, old.get(path), new.get(path)))
        if sentences:
            counts = "its policy, strict and require count as they were, too"
            yield f"{repository.label(path)} differs from the base; {counts}: {' '.join(sentences)}"


def _new_state(repository: Repository, head: str, paths: Sequence[str]) -> Listing:
    if head == _WORKING_TREE:
        return listing.of_work_tree(repository, paths, paths)
    return listing.of_commit(repository, head, paths)


def _texts(repository: Repository, *entries: TreeEntry | None) -> Iterator[bytes | None]:
    """Yield the text of each entry; None for what is no file."""
    for entry in entries:
        if entry is None or entry.kind not in (EntryKind.FILE, EntryKind.LINK):
            yield None
        elif entry.on_disk:
            yield listing.read_on_disk(repository, entry.path)
        else:
            yield blobs.read(repository, [entry.id])[entry.id]

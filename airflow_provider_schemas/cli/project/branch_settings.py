"""How a branch changes what it is judged by: the project files above its files and the policy they name, beside those at the base.

The settings that count are those of the branch; that they are others than at the base is told, so that somebody looks.
"""

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from airflow_provider_schemas.cli.git import blobs, listing
from airflow_provider_schemas.cli.git.listing import EntryKind
from airflow_provider_schemas.cli.git.repository import Repository, short
from airflow_provider_schemas.cli.judging.verdicts import Verdicts
from airflow_provider_schemas.cli.project.changes import changed_settings
from airflow_provider_schemas.cli.project.document import OWN_FILE, SHARED_FILE

# More folders than a line names have one project file far above them.
_MAX_FOLDERS = 200


def noted(judged: Verdicts, line: Namespace) -> Verdicts:
    """Return the verdicts of a check against git, with a note for each setting that is another one than at the base."""
    if not judged.git or getattr(line, "no_project", False):
        return judged
    repository = Repository.around(os.getcwd())  # noqa: PTH109  # paths are texts here, as git prints them
    if repository is None:
        return judged
    base = str(judged.git["base"])
    return judged._replace(notes=[*judged.notes, *_notes(repository, base, line)])


def _notes(repository: Repository, base: str, line: Namespace) -> Iterator[str]:
    projects = [os.path.join(folder, name) for folder in _folders(repository, line.objects) for name in (OWN_FILE, SHARED_FILE)]  # noqa: PTH118
    policies = list(_from_top(repository, _policies(line)))
    before = _texts_at(repository, base, [*projects, *policies])
    for path in projects:
        old, new = before.get(path), _text_now(repository, path)
        if old != new:
            for sentence in changed_settings(old, new):
                yield f"{repository.label(path)} differs from {short(base)}: {sentence}"
    for path in policies:
        if before.get(path) != _text_now(repository, path):
            yield f"the policy {repository.label(path)} differs from {short(base)}: look at it"


def _policies(line: Namespace) -> Sequence[str]:
    """Return the files of policies that count for the line."""
    names = (getattr(line, name, None) for name in ("policy", "project_policy"))
    return [name for name in names if isinstance(name, str) and name]


def _folders(repository: Repository, objects: Sequence[str]) -> Sequence[str]:
    """Return the folders at and above what a line names, from the top of the repository."""
    above: dict[str, None] = {"": None}
    for path in _from_top(repository, objects):
        parts = path.split("/")
        above |= dict.fromkeys("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return list(above)[:_MAX_FOLDERS]


def _from_top(repository: Repository, names: Sequence[str]) -> Iterator[str]:
    """Yield paths from the top of a repository, without those outside."""
    top = os.path.realpath(repository.top)
    for name in names:
        path = os.path.relpath(os.path.realpath(name), top)
        if path != "." and not path.startswith(".."):
            yield path


def _texts_at(repository: Repository, base: str, paths: Sequence[str]) -> Mapping[str, bytes]:
    """Return the texts that files had at the base."""
    wanted = set(paths)
    entries = [entry for entry in listing.of_commit(repository, base, paths).values() if entry.path in wanted]
    files = {entry.path: entry.id for entry in entries if entry.kind is EntryKind.FILE}
    texts = blobs.read(repository, files.values())
    return {path: texts[blob] for path, blob in files.items()}


def _text_now(repository: Repository, path: str) -> bytes | None:
    """Return the text of a file of the work tree; what cannot be read was refused when the settings were taken."""
    try:
        return Path(repository.top, path).read_bytes()
    except (OSError, ValueError):
        return None

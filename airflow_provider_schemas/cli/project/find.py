"""Which project file a folder belongs to: the nearest upward, inside the work tree of git where there is one.

Nothing is read on the way but the name of our section in a pyproject.toml; no file means no cost but a few stats.
"""

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from airflow_provider_schemas.cli.arguments.table_name import STDIN, looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.project import document
from airflow_provider_schemas.cli.project.document import OWN_FILE, SHARED_FILE, ProjectDocument
from airflow_provider_schemas.errors import SchemaError, StorageError

if TYPE_CHECKING:
    from airflow_provider_schemas.cli.project.settings import ProjectSettings

_GIT: Final = ".git"
# So many folders are walked through to find the projects below one.
_MAX_FOLDERS: Final = 50_000


class Project(NamedTuple):
    """A project file that is there; it is read when its settings are needed."""

    path: str
    doubled: bool = False
    """Whether the pyproject.toml beside it has a section as well, which does not count."""

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return os.path.dirname(self.path)  # noqa: PTH120  # a text, and no file is asked for

    @property
    def label(self) -> str:
        """The file as messages show it."""
        return document.label(self.path)

    def read(self) -> "ProjectSettings":
        """Read the settings; raise an error with all faults of the file."""
        # What reads settings is needed where there is a file.
        from airflow_provider_schemas.cli.project.settings import read_settings

        whole: ProjectDocument = document.read_document(document.read_bytes(self.path), self.path)
        return read_settings(whole, self.path)


class Search:
    """The search of one line: each folder is looked at once."""

    def __init__(self) -> None:
        self._known: dict[str, Project | None] = {}

    def nearest(self, folder: str) -> Project | None:
        """Return the project file of the folder, or of the nearest one above it."""
        passed: list[str] = []
        answer: Project | None = None
        while folder not in self._known:
            passed.append(folder)
            answer = project_in(folder)
            above = os.path.dirname(folder)  # noqa: PTH120  # a text, and no file is asked for
            if answer is not None or above == folder or _is_there(os.path.join(folder, _GIT)):  # noqa: PTH118  # likewise
                break
            folder = above
        else:
            answer = self._known[folder]
        self._known.update(dict.fromkeys(passed, answer))
        return answer


def project_in(folder: str) -> Project | None:
    """Return the project file in a folder; schemas.toml counts before a section of pyproject.toml."""
    own, shared = (os.path.join(folder, name) for name in (OWN_FILE, SHARED_FILE))  # noqa: PTH118  # a Path costs more than the look
    if _is_there(own):
        return Project(own, _has_section(shared, broken=False))
    return Project(shared) if _has_section(shared, broken=True) else None


def _has_section(path: str, *, broken: bool) -> bool:
    """Return whether a pyproject.toml has our section; `broken` is the answer about one that cannot be read."""
    if not os.path.isfile(path):  # noqa: PTH113  # a Path costs more than the look
        return False
    try:
        return document.has_section(document.read_bytes(path))
    except StorageError:
        return broken


def _is_there(path: str) -> bool:
    """Return whether a name is taken; one that must not be looked at is, so that it is refused and not passed by."""
    try:
        os.lstat(path)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def folder_of(name: str) -> str | None:
    """Return the folder from which the project of an object is looked for; None for a table and for standard input."""
    if name == STDIN or not (looks_like_a_file(name) or local_io.exists(name)):
        return None
    try:
        path = os.path.abspath(name)  # noqa: PTH100  # a Path would lose what is wrong with it
    except (OSError, ValueError):
        return None
    return path if local_io.is_folder(path) else os.path.dirname(path)  # noqa: PTH120  # a text, and no file is asked for


# ---------------------------------------------------------------- below a folder


def projects_below(folder: str) -> list[Project]:
    """Return the projects in the folders below one, by path; hidden folders are passed by, as they are for table files."""
    projects: list[Project] = []
    for count, (path, folders, _) in enumerate(os.walk(folder)):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if count >= _MAX_FOLDERS:
            raise _too_many(folder)
        if path != folder and (project := project_in(os.path.abspath(path))):  # noqa: PTH100  # likewise
            projects.append(project)
    return projects


def _too_many(folder: str) -> SchemaError:
    message = f"there are more than {_MAX_FOLDERS:,} folders below it, too many to find the projects in."
    return SchemaError(message, code="project.too-many", path=folder, fix="Name the folders of table files, or pass --no-project.")

"""Which project files a line used, and what for: the first lines of an answer, and its key `projects` in JSON."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import is_secret, without_credentials

_MASK = "****"


class UsedProject(Struct, frozen=True):
    """A project file, the settings of it that count for the line, and why others do not."""

    file: str
    settings: tuple[tuple[str, str | bool | tuple[str, ...]], ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Write it on one line: project schemas.toml: store s3://lake, strict."""
        words = ", ".join(_words(key, value) for key, value in self.settings) or "nothing of it is used here"
        return "; ".join([f"project {self.file}: {words}", *self.notes])

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        settings = {key: list(value) if isinstance(value, tuple) else value for key, value in self.settings}
        return {"file": self.file, "settings": settings, "notes": list(self.notes)}


def _words(key: str, value: str | bool | tuple[str, ...]) -> str:
    if value is True:
        return key
    return f"{key} {value if isinstance(value, str) else ', '.join(map(str, value))}"  # type: ignore[arg-type]  # false is never used


def plain_option(key: str, text: str) -> str:
    """Return an option of a storage as it is shown."""
    return f"{key}={_MASK if is_secret(key) else without_credentials(text)}"


def projects_of(args: Namespace) -> Sequence[UsedProject]:
    """Return the projects of a line; none where no file was found, or --no-project says so."""
    return getattr(args, "projects", ())


def project_lines(args: Namespace) -> list[str]:
    """Return a line for each project file that was used."""
    return [str(project) for project in projects_of(args)]


def projects_json(args: Namespace) -> dict[str, Any]:
    """Return the key `projects` of an answer in JSON; nothing where there is no project file."""
    projects = projects_of(args)
    if not projects:
        return {}
    return {"projects": [project.as_json() for project in projects]}

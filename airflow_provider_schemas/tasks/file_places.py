"""Where the files may lie that arguments of a task name: the argument may be a template, which the person who starts a run fills."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from airflow.sdk import conf
from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, Fault
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.open_store import read_settings
from airflow_provider_schemas.store.layout.paths import DEFAULT_REGISTRY
from airflow_provider_schemas.tasks.address_prefixes import FileLocation, locate
from airflow_provider_schemas.tasks.task_run import Run

SECTION = "schemas"
OPTION = "contract_urls"
_SEPARATORS = re.compile(r"[,\n]")
_WHOLE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|/|~")
_CODE = "file.not-allowed"
_PLAIN = "Write a plain address, without '..', '%2e', '::', backslashes and blanks."


class FilePlaces(Struct, frozen=True):
    """The folders whose files a task may read: its bundle, that of the DAG file, the registry, and what the configuration allows."""

    folder: Path | None = None
    """Where the file of the DAG lies, from which relative paths are read."""
    bundle: Path | None = None
    conn_id: str = ""
    """The connection whose registry may be read."""

    @classmethod
    def of(cls, run: Run, conn_id: str) -> Self:
        """Return the folders that a run may read over a connection."""
        return cls(run.folder, run.bundle, conn_id)

    def allowed(self, address: str, label: str) -> FileLocation:
        """Return where a file lies; ContractError if no task may read there. Nothing of the file is looked at before."""
        place = locate(address)
        if place is None:
            raise _refusal(label, _PLAIN)
        if any(place.is_below(folder) for folder in self._folders()):
            return place
        raise _refusal(label, self._fix(place))

    def _folders(self) -> Iterator[FileLocation]:
        """Yield the folders that a task may read, the registry last: that one has to be looked up."""
        yield from filter(None, (locate(str(folder)) for folder in (self.bundle, self.folder) if folder is not None))
        yield from filter(None, map(_locate_entry, _configured()))
        if self.conn_id:
            yield from filter(None, [locate(self._registry())])

    def _registry(self) -> str:
        try:
            settings = read_settings(self.conn_id)
        except BadConnectionError:  # which is reported where the store is opened
            return ""
        return settings.registry or f"{settings.warehouse.rstrip('/')}/{DEFAULT_REGISTRY}"

    def _fix(self, place: FileLocation) -> str:
        entries = _configured()
        invalid = [shown(without_credentials(entry)) for entry in entries if _locate_entry(entry) is None]
        ignored = f" No folder, and so ignored: {', '.join(invalid)}." if invalid else ""
        line = ", ".join([*map(without_credentials, entries), place.folder]).replace("%", "%%")
        return (
            f"Move the file into the DAG bundle, or have this line put into the section [{SECTION}] of airflow.cfg: "
            f"{OPTION} = {line}{ignored}"
        )


def _configured() -> list[str]:
    """Return the folders that the configuration of this Airflow names."""
    value = conf.get(SECTION, OPTION, fallback="") or ""
    return [entry.strip() for entry in _SEPARATORS.split(str(value)) if entry.strip()]


def _locate_entry(entry: str) -> FileLocation | None:
    """Return the folder that an entry of the configuration names; None if it names none."""
    if not _WHOLE.match(entry):
        return None
    return locate(entry)


def _refusal(label: str, fix: str) -> ContractError:
    message = (
        f"a task may not read {shown(label)}: it lies neither in the DAG bundle nor in the registry of the connection, "
        f"and [{SECTION}] {OPTION} does not allow it."
    )
    return ContractError.of([Fault(_CODE, label, message, fix)])

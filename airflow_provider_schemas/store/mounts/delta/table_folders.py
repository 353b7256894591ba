"""Which folders below an address are Delta tables: the address itself, or the folders in it that have a log."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

from airflow_provider_schemas.store.mounts.delta.log_folder import LOG, LogFolder
from airflow_provider_schemas.store.storage.files import Files

_NO_NAMES: Final = frozenset({"", ".", ".."})


class TableFolders:
    """The tables below an address."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.is_table = False
        """Whether the address is known to be the folder of one table."""

    @property
    def own_name(self) -> str:
        """The name of the table, if the address is that of one."""
        return self.files.url.rstrip("/").rpartition("/")[2]

    def logs_of(self, table: str) -> tuple[LogFolder, ...]:
        """Return where the log of a table may be, in the order in which it is looked for."""
        if table in _NO_NAMES or "/" in table:
            return ()
        inside = LogFolder(self.files, f"{table}/{LOG}")
        if table != self.own_name:
            return () if self.is_table else (inside,)
        own = LogFolder(self.files, LOG)
        return (own,) if self.is_table else (own, inside)

    def names(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        folders = [entry.name for entry in self.files.list("") if entry.folder]
        if LOG in folders and self._has_log(LOG):
            return (self.own_name,)
        logs = [f"{name}/{LOG}" for name in folders if name != LOG]
        with ThreadPoolExecutor(max(1, min(self.files.at_once, len(logs))), "schemas-tables") as pool:
            found = list(pool.map(self._has_log, logs))
        return tuple(sorted(log.removesuffix(f"/{LOG}") for log, is_log in zip(logs, found, strict=True) if is_log))

    def _has_log(self, folder: str) -> bool:
        return LogFolder(self.files, folder).has_versions()

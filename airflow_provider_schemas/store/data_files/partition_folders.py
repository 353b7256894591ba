"""In which folder the files of a partition lie: looked up where it may have several names, once a folder."""

from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.errors import NotThereError, ProjectionError
from airflow_provider_schemas.store.data_files.partition_names import Spelling, is_blank
from airflow_provider_schemas.store.data_files.partition_values import Key
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.table_location import TablePlace

_DIRECTORY: Final = "data-file.path-directory"


class Folders:
    """The folders of a table's partitions."""

    def __init__(self, place: TablePlace, keys: tuple[Key, ...], options: Mapping[str, str], table: str) -> None:
        self._files, self._keys, self._table = place.files, keys, table
        self._spelling = Spelling(options)
        self._top = joined(place.folder, _directory(options.get(_DIRECTORY, ""), table))
        self._names: dict[str, frozenset[str]] = {}
        # Spark lists a folder with all that lies below it. So it is asked once how the folders are spelled.
        self._costly = isinstance(place.files, SparkFiles)
        self._known: dict[tuple[str, bool], int] = {}

    def of(self, values: tuple[Any, ...]) -> tuple[str, ...]:
        """The folders of a partition: one, or several where writers spelled it in several ways."""
        found: tuple[str, ...] = (self._top,)
        for key, value in zip(self._keys, values, strict=True):
            names = self._spelling.names(key, value)
            there = self._asked if self._costly else self._listed
            found = tuple(f"{parent}/{name}" for parent in found for name in there((key.name, is_blank(value)), parent, names))
            if not found:
                raise self._lost(key, value, names)
        return found

    def _listed(self, _about: tuple[str, bool], parent: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the names that are there."""
        return names if len(names) == 1 else tuple(name for name in names if name in self._inside(parent))

    def _asked(self, about: tuple[str, bool], parent: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """The first name that is there; for the partitions that follow, the one that is spelled alike: a wrong one fails to be read."""
        known = 0 if len(names) == 1 else self._known.get(about)
        if known is not None and known < len(names):
            return (names[known],)
        for place, name in enumerate(names):
            if self._files.exists(f"{parent}/{name}"):
                self._known[about] = place
                return (name,)
        return ()

    def path(self, folders: tuple[str, ...], bucket: int, name: str) -> str:
        """Where a file of a partition with these folders lies."""
        paths = [f"{folder}/bucket-{bucket}/{name}" for folder in folders]
        return paths[0] if len(paths) == 1 else next((one for one in paths if self._is_there(one)), paths[0])

    def _is_there(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return name in self._inside(folder)

    def _inside(self, folder: str) -> frozenset[str]:
        """The names in a folder."""
        if folder not in self._names:
            self._names[folder] = frozenset(one.name for one in self._files.list(folder))
        return self._names[folder]

    def _lost(self, key: Key, value: Any, names: tuple[str, ...]) -> NotThereError:
        message = f"{self._table} has files where {key.name} is {value}, and no folder of them: neither {' nor '.join(names)}."
        return NotThereError(message, code="live.no-folder", path=key.name, fix="Restore them, or expire the snapshots that name them.")


def _directory(said: str, table: str) -> str:
    """The folder in the table in which the data lie, if they have one of their own."""
    if said.startswith("/") or "://" in said or ".." in said.split("/"):
        message = f"the data of {table} lie outside of it, in {said}, as its option {_DIRECTORY} says."
        raise ProjectionError(message, code="live.outside", path=_DIRECTORY, fix="Read the table with Paimon's own connector.")
    return said

"""In which folder the files of a partition lie: looked up where it may have several names, once a folder."""

from collections.abc import Mapping
from typing import Final

from airflow_provider_schemas.errors import NotThereError, ProjectionError
from airflow_provider_schemas.store.data_files.partition_names import FolderNames, shares_null_folder
from airflow_provider_schemas.store.data_files.partition_values import Key, PartitionValue
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.table_location import TablePlace

_DIRECTORY: Final = "data-file.path-directory"

# A key, and whether its value shares the folder of NULL: such values have other names.
_NameKind = tuple[str, bool]


class Folders:
    """The folders of a table's partitions."""

    def __init__(self, place: TablePlace, keys: tuple[Key, ...], options: Mapping[str, str], table: str) -> None:
        self._files = place.files
        self._keys = keys
        self._table = table
        self._folder_names = FolderNames(options)
        self._top = joined(place.folder, _data_directory(options.get(_DIRECTORY, ""), table))
        self._listings: dict[str, frozenset[str]] = {}
        # Spark lists a folder with all that lies below it. So it is asked once how the folders are spelled.
        self._costly_listings = isinstance(place.files, SparkFiles)
        self._known_spellings: dict[_NameKind, int] = {}

    def find(self, values: tuple[PartitionValue, ...]) -> tuple[str, ...]:
        """Return the folders of a partition: one, or several where writers spelled it in several ways."""
        folders: tuple[str, ...] = (self._top,)
        for key, value in zip(self._keys, values, strict=True):
            names = self._folder_names.candidates(key, value)
            folders = self._step_down(folders, (key.name, shares_null_folder(value)), names)
            if not folders:
                raise self._no_folder(key, value, names)
        return folders

    def _step_down(self, parents: tuple[str, ...], kind: _NameKind, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the folders of these names that are in the parents."""
        folders: list[str] = []
        for parent in parents:
            there = self._probe_names(kind, parent, names) if self._costly_listings else self._list_names(parent, names)
            folders += [f"{parent}/{name}" for name in there]
        return tuple(folders)

    def _list_names(self, parent: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the names that are there, by a listing if there is a choice."""
        if len(names) == 1:
            return names
        return tuple(name for name in names if name in self._names_in(parent))

    def _probe_names(self, kind: _NameKind, parent: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the first name that is there.

        The partitions that follow are taken to be spelled alike: reading a file in a wrong folder fails.
        """
        known = 0 if len(names) == 1 else self._known_spellings.get(kind)
        if known is not None and known < len(names):
            return (names[known],)
        for position, name in enumerate(names):
            if self._files.exists(f"{parent}/{name}"):
                self._known_spellings[kind] = position
                return (name,)
        return ()

    def file_path(self, folders: tuple[str, ...], bucket: int, name: str) -> str:
        """Return where a file of a partition with these folders lies."""
        paths = [f"{folder}/bucket-{bucket}/{name}" for folder in folders]
        if len(paths) == 1:
            return paths[0]
        return next((path for path in paths if self._is_there(path)), paths[0])

    def _is_there(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return name in self._names_in(folder)

    def _names_in(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            self._listings[folder] = frozenset(entry.name for entry in self._files.list(folder))
        return self._listings[folder]

    def _no_folder(self, key: Key, value: PartitionValue, names: tuple[str, ...]) -> NotThereError:
        text = str(value)
        message = f"{self._table} has files where {key.name} is {text}, and no folder of them: neither {' nor '.join(names)}."
        return NotThereError(message, code="live.no-folder", path=key.name, fix="Restore them, or expire the snapshots that name them.")


def _data_directory(option: str, table: str) -> str:
    """Return the folder in the table in which the data lie, if the option names one; refuse one outside the table."""
    if option.startswith("/") or "://" in option or ".." in option.split("/"):
        message = f"the data of {table} lie outside of it, in {option}, as its option {_DIRECTORY} says."
        raise ProjectionError(message, code="live.outside", path=_DIRECTORY, fix="Read the table with Paimon's own connector.")
    return option

"""What folders and manifests say of the columns of a frame before a file is opened, as far as nothing in a file could change it.

The name of a folder counts if one column of the table was ever called so, and if that column had no types but such as hold the same
values. What does not count is not known: then the file is read, and it tells by itself.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.store.footers.folder_keys import keys_between
from airflow_provider_schemas.store.footers.folder_values import folder_value, names_folders
from airflow_provider_schemas.store.footers.known_fields import KnownFields

_WHOLE: Final = frozenset({Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT})
_HELD: Final = (str, bool, int, float, Decimal, date, datetime)


class KnownValues:
    """Tells the values of the columns that a frame gives."""

    def __init__(self, known: KnownFields, given: Iterable[Field]) -> None:
        self.known = known
        self._columns: dict[int, list[Field]] = {}
        columns = tuple(given)
        spelled = Counter(one.name.lower() for one in columns)
        for one in columns:
            if spelled[one.name.lower()] == 1 and self._is_one_type(one):
                self._columns.setdefault(one.id, []).append(one)

    def _is_one_type(self, column: Field) -> bool:
        """Whether every version held the values of the column as the frame gives them."""
        # A FLOAT is rounded once on its way from a text, and twice on the way that leads here.
        held = names_folders(column.type) and column.type.root is not Root.FLOAT
        return held and all(_same_values(there.type, column.type) for there in self.known.column(column.id))

    def of_folders(self, keys: Iterable[tuple[str, str]]) -> dict[str, Any]:
        """Return what folders say, by the columns of the frame."""
        texts: dict[int, set[str]] = {}
        for key, text in keys:
            for number in self._meant(key):
                texts.setdefault(number, set()).add(text)
        found: dict[str, Any] = {}
        for number, said in texts.items():
            for column in self._columns.get(number, ()) if len(said) == 1 else ():
                try:
                    found[column.name] = folder_value(next(iter(said)), column.type)
                except ValueError:
                    continue  # whoever reads the file tells what is wrong with its folder
        return found

    def named_by_folders(self, file: DataFile, base: str) -> set[int]:
        """Return the ids of the columns that the folders of a file are named for."""
        return {number for key, _ in keys_between(base, file.path) for number in self._meant(key)}

    def _meant(self, key: str) -> frozenset[int]:
        """The one column that the name of a folder can mean."""
        numbers = self.known.called(self.known.spelled(key)) if len(self.known.spellings(key)) == 1 else frozenset()
        return numbers if len(numbers) == 1 else frozenset()

    def of_file(self, file: DataFile, base: str) -> dict[str, Any]:
        """Return what is said of all rows of a file: by its manifest, or else by the folders below the base."""
        if file.version is None:
            return self.of_folders(keys_between(base, file.path))
        schema = self.known.schema(file.version)
        found: dict[str, Any] = {}
        for name, value in file.partition:
            field = None if schema is None else schema.field(name)
            if field is None:
                continue
            for column in self._columns.get(field.id, ()):
                if same_type(field.type, column.type) and _is_told(value):
                    found[column.name] = value
        return found


def _same_values(there: DataType, given: DataType) -> bool:
    return same_type(there, given) or {there.root, given.root} <= _WHOLE


def _is_told(value: Any) -> bool:
    """Whether a text tells the value: of an instant, the zone would have to be told, too."""
    return value is None or (isinstance(value, _HELD) and getattr(value, "tzinfo", None) is None)

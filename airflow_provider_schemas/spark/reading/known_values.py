"""What folders and manifests say of the columns of a frame before a file is opened, as far as nothing in a file could change it.

The name of a folder counts if one column of the table was ever called so, and if that column had no types but such as hold the same
values. What does not count is not known: then the file is read, and says by itself what it holds.
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
    """Tells the values of the columns of a frame."""

    def __init__(self, known: KnownFields, columns: Iterable[Field]) -> None:
        self._known = known
        self._columns: dict[int, list[Field]] = {}
        columns = tuple(columns)
        spelled = Counter(column.name.lower() for column in columns)
        for column in columns:
            if spelled[column.name.lower()] == 1 and self._held_same_values(column):
                self._columns.setdefault(column.id, []).append(column)

    def _held_same_values(self, column: Field) -> bool:
        """Return whether every version held the values of the column as the frame has them."""
        # A FLOAT is rounded once on its way from a text, and twice on the way that leads here.
        if not names_folders(column.type) or column.type.root is Root.FLOAT:
            return False
        return all(_same_values(field.type, column.type) for field in self._known.column(column.id))

    def of_folders(self, keys: Iterable[tuple[str, str]]) -> dict[str, Any]:
        """Return what folders say, by the columns of the frame."""
        texts: dict[int, set[str]] = {}
        for key, text in keys:
            for number in self._meant_columns(key):
                texts.setdefault(number, set()).add(text)
        values: dict[str, Any] = {}
        for number, column_texts in texts.items():
            if len(column_texts) > 1:
                continue
            (text,) = column_texts
            for column in self._columns.get(number, ()):
                try:
                    values[column.name] = folder_value(text, column.type)
                except ValueError:
                    continue  # a read of the file raises what is wrong with its folder
        return values

    def of_file(self, file: DataFile, base: str) -> dict[str, Any]:
        """Return what is said of all rows of a file: by its manifest, or else by the folders below the base."""
        if file.version is None:
            return self.of_folders(keys_between(base, file.path))
        schema = self._known.schema(file.version)
        values: dict[str, Any] = {}
        for name, value in file.partition:
            field = None if schema is None else schema.field(name)
            if field is None or not _has_text(value):
                continue
            for column in self._columns.get(field.id, ()):
                if same_type(field.type, column.type):
                    values[column.name] = value
        return values

    def named_by_folders(self, file: DataFile, base: str) -> set[int]:
        """Return the ids of the columns that the folders of a file are named for."""
        numbers: set[int] = set()
        for key, _ in keys_between(base, file.path):
            numbers |= self._meant_columns(key)
        return numbers

    def _meant_columns(self, key: str) -> frozenset[int]:
        """Return the id of the one column that the name of a folder can mean; none if it can mean several."""
        if len(self._known.spellings(key)) != 1:
            return frozenset()
        numbers = self._known.called(self._known.spelled(key))
        return numbers if len(numbers) == 1 else frozenset()


def _same_values(there: DataType, wanted: DataType) -> bool:
    return same_type(there, wanted) or {there.root, wanted.root} <= _WHOLE


def _has_text(value: Any) -> bool:
    """Return whether a text says the value: of an instant it would have to say the zone, too."""
    return value is None or (isinstance(value, _HELD) and getattr(value, "tzinfo", None) is None)

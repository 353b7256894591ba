"""Values of partitions, as the names of folders spell them: what a text means under a type, and how Spark may be left to read it."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.store.footers.folder_values import folder_value

_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_EPOCH: Final = date(1970, 1, 1)


class PartitionValue(Struct, frozen=True):
    """What a folder, or a manifest, says of all rows of a file: the field as it was when they were written, and its value."""

    field: Field
    value: Any
    text: str | None = None
    """As a folder on the way to the file spells it; None if none does."""


# ---------------------------------------------------------------- how Spark may read them

FOLDER: Final = "folder"
TEXT: Final = "text"
DAYS: Final = "days"
VALUE: Final = "value"
# Those that Spark reads from the names of folders as we do, at no cost a row.
_AS_THEY_ARE: Final = frozenset({Root.CHAR, Root.VARCHAR, Root.INTEGER, Root.BIGINT, Root.DATE})


class Route(Struct, frozen=True):
    """How the value comes into the rows: read from the folder, as a text from the folder or its number of days, or as it is."""

    way: str
    field: Field
    value: Any = None
    """The value itself, where no folder says it plainly."""

    @property
    def by_folder(self) -> bool:
        """Return whether Spark reads the value from the folder."""
        return self.way != VALUE


def route(partition: PartitionValue, *, seen: bool = True) -> Route:
    """Return the cheapest way that is sure to give the value; seen is whether Spark takes the folder for a partition."""
    field = partition.field
    if not partition.text or not seen:
        return Route(VALUE, field, partition.value)
    for way, read in _WAYS:
        try:
            value = read(partition.text, field.type)
        except (ValueError, OverflowError):
            continue
        if value == partition.value and type(value) is type(partition.value):
            is_plain = way == TEXT and field.type.root in _AS_THEY_ARE
            return Route(FOLDER if is_plain else way, field)
    return Route(VALUE, field, partition.value)


def _read_days(text: str, data_type: DataType) -> date:
    """Read a DATE as Paimon writes it into the name of a folder: the number of its day."""
    if data_type.root is not Root.DATE or not _WHOLE.fullmatch(text):
        raise ValueError
    return _EPOCH + timedelta(days=int(text))


_WAYS: Final[tuple[tuple[str, Callable[[str, DataType], Any]], ...]] = ((TEXT, folder_value), (DAYS, _read_days))

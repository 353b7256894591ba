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


class Given(Struct, frozen=True):
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
        return self.way != VALUE


def route(given: Given, *, seen: bool = True) -> Route:
    """The cheapest way that is sure to give the value; seen is whether Spark takes the folder for a partition."""
    if given.text and seen:
        for way, read in _WAYS:
            try:
                said = read(given.text, given.field.type)
            except (ValueError, OverflowError):
                continue
            if said == given.value and type(said) is type(given.value):
                plain = way == TEXT and given.field.type.root in _AS_THEY_ARE
                return Route(FOLDER if plain else way, given.field)
    return Route(VALUE, given.field, given.value)


def _days(text: str, kind: DataType) -> date:
    """Paimon writes a DATE into the name of a folder as the number of its day."""
    if kind.root is not Root.DATE or not _WHOLE.fullmatch(text):
        raise ValueError
    return _EPOCH + timedelta(days=int(text))


_WAYS: Final[tuple[tuple[str, Callable[[str, DataType], Any]], ...]] = ((TEXT, folder_value), (DAYS, _days))

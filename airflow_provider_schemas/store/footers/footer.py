"""The columns of a data file, as its footer has them."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from threading import Lock
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, row

# The type of a column whose writer saw no value: pandas and Arrow write such columns. No file has a group without parts.
NOTHING: Final = row(())
_MOST_FOOTERS: Final = 200_000


class Footer(Struct, frozen=True, dict=True):
    """The columns of a file. Files with the same columns share one footer."""

    columns: tuple[Field, ...]
    """A field without an id has a number below zero."""
    key: str
    """The text of the footer, to compare by."""
    stamped: bool = False
    """Whether every field of every level has an id."""
    partly: bool = False
    """Whether some fields have an id, and some have none."""

    @cached_property
    def nothing(self) -> frozenset[str]:
        """The columns for which the file has neither a value nor a type."""
        return frozenset(column.name for column in self.columns if column.type.with_nullable(True) == NOTHING)

    @cached_property
    def held(self) -> tuple[Field, ...]:
        """The other columns."""
        return tuple(column for column in self.columns if column.name not in self.nothing)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(column.name for column in self.columns)


_footers: dict[str, Footer] = {}
_lock = Lock()


def footer_of(key: str, make: Callable[[], tuple[Field, ...]]) -> Footer:
    """Return the footer with this key; it is made once, however many files have it."""
    footer = _footers.get(key)
    if footer is not None:
        return footer
    columns = make()
    have_ids = [number >= 0 for number in _field_ids(columns)]
    stamped = bool(have_ids) and all(have_ids)
    partly = any(have_ids) and not stamped
    with _lock:
        if len(_footers) > _MOST_FOOTERS:
            _footers.clear()
        return _footers.setdefault(key, Footer(columns, key, stamped, partly))


def _field_ids(columns: Iterable[Field]) -> Iterator[int]:
    for column in columns:
        yield column.id
        yield from _ids_inside(column.type)


def _ids_inside(kind: DataType) -> Iterator[int]:
    if isinstance(kind, RowType):
        yield from _field_ids(kind.fields)
        return
    for _, part in children(kind):
        yield from _ids_inside(part)

"""The columns of a data file, as its footer has them."""

from collections.abc import Callable, Iterable
from functools import cached_property
from threading import Lock
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.types.nested import Field, RowType, children, row

# A column of which its writer knew no type, for it saw no value: pandas and Arrow write such. No file has a group without parts.
NOTHING: Final = row(())
_MOST: Final = 200_000


class Footer(Struct, frozen=True, dict=True):
    """The columns of a file. Files that say the same share one."""

    columns: tuple[Field, ...]
    """A field that bears no id has a number below zero."""
    key: str
    """What the file says, to compare by."""
    stamped: bool = False
    """Whether every field of every level bears an id."""
    partly: bool = False
    """Whether some do, and some do not."""

    @cached_property
    def nothing(self) -> frozenset[str]:
        """The columns of which the file says that no value is there, and no type."""
        return frozenset(one.name for one in self.columns if one.type.with_nullable(True) == NOTHING)

    @cached_property
    def held(self) -> tuple[Field, ...]:
        """The other columns."""
        return tuple(one for one in self.columns if one.name not in self.nothing)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(one.name for one in self.columns)


_footers: dict[str, Footer] = {}
_lock = Lock()


def footer_of(key: str, make: Callable[[], tuple[Field, ...]]) -> Footer:
    """The footer that says this; made once, however many files say it."""
    found = _footers.get(key)
    if found is None:
        columns = make()
        marks = [number >= 0 for number in _numbers(columns)]
        stamped = bool(marks) and all(marks)
        found = Footer(columns, key, stamped, any(marks) and not stamped)
        with _lock:
            if len(_footers) > _MOST:
                _footers.clear()
            found = _footers.setdefault(key, found)
    return found


def _numbers(columns: Iterable[Field]) -> Iterable[int]:
    for one in columns:
        yield one.id
        yield from _inside(one.type)


def _inside(kind: Any) -> Iterable[int]:
    if isinstance(kind, RowType):
        yield from _numbers(kind.fields)
        return
    for _, part in children(kind):
        yield from _inside(part)

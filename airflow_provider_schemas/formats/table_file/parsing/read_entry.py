"""A part of a table file that has been read: a value that never changes, and which of its keys the file mentions."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from airflow_provider_schemas.errors import SchemaError


class NotPlainError(Exception):
    """A part has a fault, or may have one: reading it by the form reports which."""


class ReadEntry:
    """A part of a table file."""

    KEYS: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    """The function that reads the value of each key."""
    NEEDED: ClassVar[frozenset[str]] = frozenset()
    """The keys that must be there."""
    EMPTY: ClassVar[Mapping[str, Callable[[], Any]]] = {}
    """The value of a key that is not there, where that is not None."""

    mentioned: frozenset[str]
    """The keys that the file has, also those with null."""

    @classmethod
    def plain(cls, values: Mapping[str, Any]) -> Self:
        """Return the part; raise a NotPlainError for one that has a fault, or may have one."""
        part = cls.__new__(cls)
        part._take(values)
        return part

    def _take(self, values: Mapping[str, Any]) -> None:
        if not self.NEEDED <= values.keys() <= self.KEYS.keys():
            raise NotPlainError
        try:
            read = {key: self.KEYS[key](value) for key, value in values.items()}
        except (SchemaError, RecursionError):
            raise NotPlainError from None
        self._keep(read, frozenset(read))

    def _keep(self, read: Mapping[str, Any], mentioned: frozenset[str]) -> None:
        vars(self).update({key: read[key] if key in read else self.EMPTY.get(key, _nothing)() for key in self.KEYS})
        vars(self)["mentioned"] = mentioned

    def mentions(self, key: str) -> bool:
        """Return whether the file has this key, also with null."""
        return key in self.mentioned

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} never changes")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it holds mappings

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={getattr(self, key)!r}' for key in self.KEYS)})"


def _nothing() -> None:
    return None

"""A part of a table file that has been read: a value that never changes, and which of its keys the file mentions."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from airflow_provider_schemas.errors import SchemaError


class NotPlainError(Exception):
    """Something is the matter with a part, or may be: the form of the file tells what."""


class ReadEntry:
    """A part of a table file."""

    KEYS: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    """What reads the value of each key."""
    NEEDED: ClassVar[frozenset[str]] = frozenset()
    """The keys that must be there."""
    EMPTY: ClassVar[Mapping[str, Callable[[], Any]]] = {}
    """What a key is that is not there, where that is not None."""

    mentioned: frozenset[str]
    """The keys about which the file says something, null among it."""

    @classmethod
    def plain(cls, values: Mapping[str, Any]) -> Self:
        """The part, if nothing is the matter with it; else a NotPlainError."""
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
        """Whether the file says something about it, null among it."""
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

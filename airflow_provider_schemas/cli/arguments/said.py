"""Options that have to say something: an empty one comes of a variable that is not set, and a placeholder of a printed line."""

from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, ClassVar


class Said(Action):
    """A text that is not empty. A check of the type would refuse an empty default as well."""

    placeholders: ClassVar[frozenset[str]] = frozenset()
    """What printed lines have in its place."""
    wanted: ClassVar[str] = "give it a value, or leave it out"

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: str | Sequence[Any] | None, option: str | None = None) -> None:
        """Keep the text."""
        said = str(values)
        if not said.strip():
            raise ArgumentError(self, f"it is empty: {self.wanted}")
        if said.strip(" .").upper() in self.placeholders:
            raise ArgumentError(self, f"{said} stands for what you put in its place: {self.wanted}")
        setattr(namespace, self.dest, said)


class Reason(Said):
    """Why somebody goes past what was found."""

    placeholders = frozenset({"REASON", "WHY", "…", ""})
    wanted = "say in a few words why"


class Person(Said):
    """Who answers for it."""

    placeholders = frozenset({"NAME"})
    wanted = "give the name of whoever answers for it"

"""Options whose text is required: an empty text comes from a variable that is not set, and a placeholder from a printed line."""

from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, ClassVar


class RequiredText(Action):
    """A text that is not empty. A check of the type would refuse an empty default as well."""

    placeholders: ClassVar[frozenset[str]] = frozenset()
    """The words that stand in its place in printed lines."""
    wanted: ClassVar[str] = "give it a value, or leave it out"

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: str | Sequence[Any] | None, option: str | None = None) -> None:
        """Keep the text, or refuse it."""
        text = str(values)
        if not text.strip():
            raise ArgumentError(self, f"it is empty: {self.wanted}")
        if text.strip(" .").upper() in self.placeholders:
            raise ArgumentError(self, f"{text} stands for what you put in its place: {self.wanted}")
        setattr(namespace, self.dest, text)


class RequiredReason(RequiredText):
    """Why a person overrides a finding or a check."""

    placeholders = frozenset({"REASON", "WHY", "…", ""})
    wanted = "say in a few words why"


class RequiredName(RequiredText):
    """The name of the person who approves."""

    placeholders = frozenset({"NAME"})
    wanted = "give the name of whoever answers for it"

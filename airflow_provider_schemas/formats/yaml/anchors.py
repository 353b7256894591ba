"""The places of a document that have a name: the events of each, to be read again where the name stands."""

from typing import Any

import yaml

_OPENING = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_CLOSING = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


class Anchors:
    """The events of all named places. What is inside a place is kept once, with the names in it already replaced."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.named: dict[str, tuple[int, int]] = {}
        self.open: list[tuple[str, int, int]] = []
        self.depth = 0
        self.replaying = False

    def note(self, event: Any) -> None:
        """Take the next event of the document, none of which is an alias."""
        name = getattr(event, "anchor", None)
        if name is not None and not self.replaying:
            self.open.append((name, len(self.log), self.depth))
        if not self.open:
            return
        self.log.append(event)
        self.depth += isinstance(event, _OPENING) - isinstance(event, _CLOSING)
        while self.open and self.open[-1][2] == self.depth:
            name, begin, _ = self.open.pop()
            self.named[name] = (begin, len(self.log))

    def events(self, name: str) -> list[Any] | None:
        """The events of the place of this name, if it has been read to its end."""
        span = self.named.get(name)
        return None if span is None else self.log[slice(*span)]

"""What ends the demo early, in words for the person who started it."""

from pathlib import Path


class DemoError(Exception):
    """A step that did not do what the demo announced."""

    def __init__(self, reason: str, *, lines: list[str] | None = None, log: Path | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.lines = lines or []
        self.log = log

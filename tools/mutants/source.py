"""The text of a module and its syntax tree: which characters belong to which node."""

import ast
import functools
import itertools


class Source:
    """A module's text, parsed; nodes of `tree` are found again in `text`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.splitlines(keepends=True)
        self._starts = [0, *itertools.accumulate(len(line) for line in self._lines)]

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Return the position of the first character of a node."""
        return self._position(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Return the position behind the last character of a node."""
        return self._position(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def between(self, left: ast.expr, right: ast.expr) -> str:
        """Return the text between two nodes: an operator, perhaps with parentheses."""
        return self.text[self.end(left) : self.start(right)]

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> tuple[list[str], list[str]]:
        """Return the lines of a node as they are, and as they are with another text in its place."""
        first = self._starts[node.lineno - 1]
        last = self._starts[node.end_lineno or node.lineno]
        new = self.text[first : self.start(node)] + text + self.text[self.end(node) : last]
        return self.text[first:last].splitlines(), new.splitlines()

    def _position(self, line: int, column: int) -> int:
        return self._starts[line - 1] + self._characters(line, column)

    @functools.cache  # noqa: B019  # lives as long as the module that is asked
    def _characters(self, line: int, column: int) -> int:
        """Return how many characters the first `column` bytes of a line are, since a tree counts bytes."""
        return len(self._lines[line - 1].encode()[:column].decode())

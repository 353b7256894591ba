"""Plain values to YAML text, in blocks."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.yaml.reading import path_text
from airflow_provider_schemas.formats.yaml.styles import OWN, Style

# The parser finds no key that is longer.
_MAX_KEY = 1_000
_MAX_BITS = 1_300
_BREAKS = frozenset("\n\r\x85\u2028\u2029")
_LONG = ("? ", ": ")


def write(value: Any, style: Style = OWN) -> str:
    """The value as a YAML document that reads back as the same value."""
    writer = _Writer(style)
    writer.node("", value, 0)
    return "\n".join([*writer.lines, ""])


class _Writer:
    """Gathers lines. The path is that of the entry that is being written."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.lines: list[str] = []
        self.path: list[str | int] = []

    def node(self, head: str, value: Any, column: int) -> None:
        """A value, the first line of which begins with this head, and the others in this column."""
        if isinstance(value, dict) and value:
            self.mapping(head, value, column)
        elif isinstance(value, list | tuple) and value:
            self.sequence(head, value, column)
        else:
            self.lines.append(head + self.inline(value, column or 2))

    def mapping(self, first: str, value: Mapping[Any, Any], column: int) -> None:
        """The entries of a mapping."""
        self.check_depth()
        head, pad = first, " " * column
        for key, one in value.items():
            self.path.append(key)
            text = self.key(key)
            if text is None:
                self.long_entry(head, key, one, column)
            elif isinstance(one, dict) and one:
                self.lines.append(f"{head}{text}:")
                self.mapping(f"{pad}  ", one, column + 2)
            elif isinstance(one, list | tuple) and one:
                self.lines.append(f"{head}{text}:")
                indent = column + self.style.list_indent
                self.sequence(" " * indent, one, indent)
            else:
                self.lines.append(f"{head}{text}: {self.inline(one, column + 2)}")
            self.path.pop()
            head = pad

    def long_entry(self, head: str, key: str, one: Any, column: int) -> None:
        """An entry whose key has a line of its own."""
        for mark, part, lead in zip(_LONG, (key, one), (head, " " * column), strict=True):
            self.node(f"{lead}{mark}", part, column + 2)

    def sequence(self, first: str, value: Sequence[Any], column: int) -> None:
        """The items of a list."""
        self.check_depth()
        head, pad = first, " " * column
        for number, one in enumerate(value):
            self.path.append(number)
            if isinstance(one, dict) and one:
                self.mapping(f"{head}- ", one, column + 2)
            elif isinstance(one, list | tuple) and one:
                self.sequence(f"{head}- ", one, column + 2)
            else:
                self.lines.append(f"{head}- {self.inline(one, column + 2)}")
            self.path.pop()
            head = pad

    # ------------------------------------------------------------ scalars

    def key(self, key: Any) -> str | None:
        """A key on one line; None if it needs a line of its own."""
        if not isinstance(key, str):
            self.path.pop()
            raise self.refusal("yaml.key", f"the key {shown(key)} is no text.", "Use text as key.")
        longest = self.style.longest_key
        if longest is not None:
            return None if _BREAKS & set(key) or len(key.encode(errors="replace")) > longest else self.style.one_line(key)
        if len(key) > _MAX_KEY:
            self.path.pop()
            raise self.refusal("yaml.key", f"a key has {len(key)} characters.", f"Keep keys below {_MAX_KEY} characters.")
        return self.style.one_line(key)

    def inline(self, value: Any, column: int) -> str:
        """What stands behind the head, and, for a text of several lines, below it in this column."""
        if isinstance(value, str):
            head = self.style.block(value) if "\n" in value else None
            return self.style.one_line(value) if head is None else _block(head, value, " " * column)
        if value is None:
            return "null"
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int) and value.bit_length() <= _MAX_BITS:
            return str(value)
        if isinstance(value, float) and math.isfinite(value):
            return self.style.fraction(value)
        if isinstance(value, dict | list | tuple):
            return "{}" if isinstance(value, dict) else "[]"
        raise self.refusal(
            "yaml.value", f"{shown(value)} has no place in YAML.", "Use text, numbers, true, false, null, lists and mappings."
        )

    def check_depth(self) -> None:
        """Refuse what is nested without end."""
        if len(self.path) >= self.style.depth:
            raise self.refusal("yaml.too-deep", f"the value is deeper than {self.style.depth} levels.", "Flatten it.")

    def refusal(self, code: str, message: str, fix: str) -> FormatError:
        return FormatError(message, code=code, path=path_text(tuple(self.path)), fix=fix)


def _block(head: str, text: str, pad: str) -> str:
    lines = text.removesuffix("\n").split("\n")
    return "\n".join([head, *(f"{pad}{line}" if line else "" for line in lines)])

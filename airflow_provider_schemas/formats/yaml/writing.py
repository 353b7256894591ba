"""Plain values as YAML text, in blocks."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.yaml.reading import path_text
from airflow_provider_schemas.formats.yaml.styles import OWN, Style

# The parser does not recognize longer keys.
_MAX_KEY = 1_000
_MAX_BITS = 1_300
_BREAKS = frozenset("\n\r\x85\u2028\u2029")


def write(value: object, style: Style = OWN) -> str:
    """Return the value as a YAML document that reads back as the same value."""
    writer = _Writer(style)
    writer.write("", value, 0)
    return "\n".join([*writer.lines, ""])


class _Writer:
    """Collects lines. The path is that of the entry that is being written."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.lines: list[str] = []
        self.path: list[str | int] = []

    def write(self, head: str, value: object, column: int) -> None:
        """Write a value, whose first line begins with this head, and whose other lines begin in this column."""
        if isinstance(value, dict) and value:
            self.write_mapping(head, value, column)
        elif isinstance(value, list | tuple) and value:
            self.write_list(head, value, column)
        else:
            self.lines.append(head + self.inline(value, column or 2))

    def write_mapping(self, first: str, mapping: Mapping[Any, Any], column: int) -> None:
        self.check_depth()
        indent = " " * column
        head = first
        for key, value in mapping.items():
            self.path.append(key)
            key_text = self.key_text(key)
            if key_text is None:
                self.write_long_entry(head, key, value, column)
            elif isinstance(value, dict) and value:
                self.lines.append(f"{head}{key_text}:")
                self.write_mapping(f"{indent}  ", value, column + 2)
            elif isinstance(value, list | tuple) and value:
                self.lines.append(f"{head}{key_text}:")
                list_column = column + self.style.list_indent
                self.write_list(" " * list_column, value, list_column)
            else:
                self.lines.append(f"{head}{key_text}: {self.inline(value, column + 2)}")
            self.path.pop()
            head = indent

    def write_long_entry(self, head: str, key: str, value: object, column: int) -> None:
        """Write an entry whose key has a line of its own."""
        self.write(f"{head}? ", key, column + 2)
        self.write(f"{' ' * column}: ", value, column + 2)

    def write_list(self, first: str, values: Sequence[Any], column: int) -> None:
        self.check_depth()
        indent = " " * column
        head = first
        for number, value in enumerate(values):
            self.path.append(number)
            if isinstance(value, dict) and value:
                self.write_mapping(f"{head}- ", value, column + 2)
            elif isinstance(value, list | tuple) and value:
                self.write_list(f"{head}- ", value, column + 2)
            else:
                self.lines.append(f"{head}- {self.inline(value, column + 2)}")
            self.path.pop()
            head = indent

    # ------------------------------------------------------------ scalars

    def key_text(self, key: object) -> str | None:
        """Return a key on one line; None if it needs a line of its own."""
        if not isinstance(key, str):
            self.path.pop()
            raise self.refusal("yaml.key", f"the key {shown(key)} is no text.", "Use text as key.")
        longest = self.style.longest_key
        if longest is not None and self.is_long(key, longest):
            return None
        if longest is None and len(key) > _MAX_KEY:
            self.path.pop()
            raise self.refusal("yaml.key", f"a key has {len(key)} characters.", f"Keep keys below {_MAX_KEY} characters.")
        return self.style.one_line(key)

    @staticmethod
    def is_long(key: str, longest: int) -> bool:
        return bool(_BREAKS & set(key)) or len(key.encode(errors="replace")) > longest

    def inline(self, value: object, column: int) -> str:
        """Return the text behind a head, and, for a text of several lines, the lines below it in this column."""
        if isinstance(value, str):
            return self.text(value, column)
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

    def text(self, text: str, column: int) -> str:
        head = self.style.block(text) if "\n" in text else None
        if head is None:
            return self.style.one_line(text)
        return _block(head, text, " " * column)

    def check_depth(self) -> None:
        """Refuse values that are nested too deep."""
        if len(self.path) >= self.style.depth:
            raise self.refusal("yaml.too-deep", f"the value is deeper than {self.style.depth} levels.", "Flatten it.")

    def refusal(self, code: str, message: str, fix: str) -> FormatError:
        return FormatError(message, code=code, path=path_text(tuple(self.path)), fix=fix)


def _block(head: str, text: str, indent: str) -> str:
    lines = text.removesuffix("\n").split("\n")
    return "\n".join([head, *(f"{indent}{line}" if line else "" for line in lines)])

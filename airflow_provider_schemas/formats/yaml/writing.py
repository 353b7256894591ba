"""Plain values to YAML text: blocks, and quotes only where a reader of YAML 1.2 or 1.1 would take text for something else."""

import math
from collections.abc import Iterator
from typing import Any

import yaml

from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.yaml.reading import MAX_DEPTH, Path, path_text, plain_value

# The parser finds no key that is longer.
_MAX_KEY = 1_000
_MAX_BITS = 1_300
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_OLD_WORDS = yaml.SafeLoader.yaml_implicit_resolvers


def write(value: Any) -> str:
    """The value as a YAML document that reads back as the same value."""
    if _has_lines(value):
        return "".join(f"{line}\n" for line in _lines(value, 0, ()))
    return f"{_inline(value, 0, ())}\n"


def _has_lines(value: Any) -> bool:
    return isinstance(value, dict | list | tuple) and len(value) > 0


def _lines(value: Any, depth: int, path: Path) -> Iterator[str]:
    """The lines of a mapping or list that is not empty."""
    if depth >= MAX_DEPTH:
        raise _refusal("yaml.too-deep", path, f"the value is deeper than {MAX_DEPTH} levels.", "Flatten it.")
    pad = "  " * depth
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _entry(f"{pad}{_key(key, path)}:", one, depth, (*path, key))
        return
    for number, one in enumerate(value):
        lines = _lines(one, depth + 1, (*path, number)) if _has_lines(one) else iter([f"{pad}  {_inline(one, depth, (*path, number))}"])
        yield f"{pad}- {next(lines)[len(pad) + 2 :]}"
        yield from lines


def _entry(head: str, one: Any, depth: int, path: Path) -> Iterator[str]:
    if _has_lines(one):
        yield head
        yield from _lines(one, depth + 1, path)
    else:
        yield f"{head} {_inline(one, depth, path)}"


def _key(key: Any, path: Path) -> str:
    if not isinstance(key, str):
        raise _refusal("yaml.key", path, f"the key {shown(key)} is no text.", "Use text as key.")
    if len(key) > _MAX_KEY:
        raise _refusal("yaml.key", path, f"a key has {len(key)} characters.", f"Keep keys below {_MAX_KEY} characters.")
    return _scalar(key)


def _inline(value: Any, depth: int, path: Path) -> str:
    """What stands on the line of its key, and below it for a text of several lines."""
    if isinstance(value, str):
        return _block(value, depth) if _is_block(value) else _scalar(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() <= _MAX_BITS:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        text = repr(value)
        return text if "." in text else text.replace("e", ".0e")
    if isinstance(value, dict | list | tuple):
        return "{}" if isinstance(value, dict) else "[]"
    raise _refusal("yaml.value", path, f"{shown(value)} has no place in YAML.", "Use text, numbers, true, false, null, lists and mappings.")


def _refusal(code: str, path: Path, message: str, fix: str) -> FormatError:
    return FormatError(message, code=code, path=path_text(path), fix=fix)


def _scalar(text: str) -> str:
    if _is_bare(text):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_ESCAPES.get(char) or (char if char.isprintable() else _escape(char)) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    if 0xD800 <= code < 0xE000:
        raise FormatError("a text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _is_bare(text: str) -> bool:
    """Whether the text needs no quotes: nothing in it means anything, to readers of YAML 1.2 or of 1.1."""
    if not text or not text.isprintable() or not (text[0].isalnum() or text[0] in "_(/$+<") or text[-1] in " :":
        return False
    if ": " in text or " #" in text or _plain_or_bad(text) != text:
        return False
    return not any(pattern.match(text) for _, pattern in _OLD_WORDS.get(text[0], []))


def _plain_or_bad(text: str) -> Any:
    try:
        return plain_value(text)
    except ValueError:
        return None


def _is_block(text: str) -> bool:
    """Whether the text reads well, and safely, line by line."""
    lines = text.removesuffix("\n").split("\n")
    return len(lines) > 1 and lines[0] != "" and lines[-1] != "" and all(_is_block_line(line) for line in lines) and lines[0][0] != " "


def _is_block_line(line: str) -> bool:
    return line.isprintable() and not line.endswith(" ")


def _block(text: str, depth: int) -> str:
    pad = "  " * (depth + 1)
    head = "|" if text.endswith("\n") else "|-"
    return "\n".join([head, *(f"{pad}{line}" if line else "" for line in text.removesuffix("\n").split("\n"))])

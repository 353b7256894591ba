"""YAML text to plain values, through the events of PyYAML's parser, and without recursion."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import yaml
from msgspec import Struct

from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.shared import text_of

MAX_DEPTH = 200
# Every entry weighs as much as its path is long. A table file of 10,000 columns has a quarter of this.
MAX_WEIGHT = 2_000_000
_MAX_DIGITS = 400

Path = tuple[str | int, ...]


class Spot(NamedTuple):
    """Where an entry begins, and where its value does; lines and columns count from 1."""

    line: int
    column: int
    value_line: int
    value_column: int


class Document(Struct, frozen=True):
    """The value of a document, and where everything in it stands."""

    value: Any
    lines: Mapping[Path, Spot]

    def line(self, path: Path) -> int:
        """The line of this entry, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines[path].line


# ---------------------------------------------------------------- plain text and values

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGERS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"[-+]?[0-9]+"), 10),
    (re.compile(r"0o[0-7]+"), 8),
    (re.compile(r"0x[0-9a-fA-F]+"), 16),
)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMERIC = frozenset("+-.0123456789")


def plain_value(text: str) -> Any:
    """What a scalar without quotes stands for; ValueError for a number that cannot be kept."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    for pattern, base in _INTEGERS:
        if pattern.fullmatch(text):
            return int(_short(text).removeprefix("0o"), base)
    if _NO_NUMBER.fullmatch(text) or (_FLOAT.fullmatch(text) and math.isinf(float(_short(text)))):
        raise ValueError(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _short(text: str) -> str:
    if len(text) > _MAX_DIGITS:
        raise ValueError(text)
    return text


# ---------------------------------------------------------------- reading

# The parser in C is not part of every build of PyYAML.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(source: str | bytes) -> Document:
    """Read one document, or raise a FormatError that names every fault with its line."""
    text = text_of(source)
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.faults.append(_syntax_fault(error, text))
    except FormatError as error:
        builder.faults.extend(error.faults)
    if builder.faults:
        raise FormatError.of(builder.faults)
    return Document(builder.value, builder.lines)


class _Open:
    """A mapping or sequence that is being read."""

    __slots__ = ("key", "path", "spot", "value")

    def __init__(self, value: Any, path: Path) -> None:
        self.value = value
        self.path = path
        self.key: str | None = None
        self.spot = (1, 1)


class _Builder:
    """Makes the value out of the parser's events, without recursion."""

    def __init__(self) -> None:
        self.value: Any = None
        self.lines: dict[Path, Spot] = {(): Spot(1, 1, 1, 1)}
        self.faults: list[Fault] = []
        self.stack: list[_Open] = []
        self.weight = 0
        self.documents = 0

    def take(self, event: Any) -> None:
        handle = _EVENTS.get(type(event))
        if handle is not None:
            handle(self, event)

    def fault(self, event: Any, code: str, message: str, fix: str, *, last: bool = False) -> None:
        """Note a fault where the event stands; the last one ends the reading."""
        mark = event.start_mark
        path = path_text(self.path())
        fault = Fault(code, path, f"line {mark.line + 1}, column {mark.column + 1}: {message}", fix)
        if last or len(self.faults) >= MAX_FAULTS:
            raise FormatError.of([fault])
        self.faults.append(fault)

    def path(self) -> Path:
        """The path of the entry that comes next."""
        if not self.stack:
            return ()
        top = self.stack[-1]
        if type(top.value) is list:
            return (*top.path, len(top.value))
        return top.path if top.key is None else (*top.path, top.key)

    # ------------------------------------------------------------ events

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            self.fault(event, "yaml.documents", "a second document begins.", "Keep one document in a file.", last=True)
        if event.tags:
            self.fault(event, "yaml.tag", "the document declares tags.", "Take the %TAG lines out.")

    def alias(self, event: Any) -> None:
        self.fault(event, "yaml.alias", f"*{event.anchor} refers to another place.", "Write the value out.")
        if self.at_key():
            self.stack[-1].key = event.anchor
        else:
            self.done(None)

    def scalar(self, event: Any) -> None:
        self.count(event)
        if self.at_key():
            self.key(self.stack[-1], event)
            return
        self.place(event, self.path())
        value = event.value
        if event.implicit[0]:
            try:
                value = plain_value(value)
            except ValueError:
                self.fault(event, "yaml.number", f"{shown(value)} is no number that can be kept.", "Put it in quotes if it is text.")
        self.done(value)

    def key(self, top: _Open, event: Any) -> None:
        top.key = event.value
        top.spot = (event.start_mark.line + 1, event.start_mark.column + 1)
        if event.value in top.value:
            first = self.lines[(*top.path, event.value)].line
            self.fault(event, "yaml.duplicate-key", f"the key stands on line {first} already.", "Keep the one that is meant.")

    def open(self, event: Any) -> None:
        self.count(event)
        if self.at_key():
            self.fault(event, "yaml.key", "a key is a list or a mapping.", "Use text as key.", last=True)
        if len(self.stack) >= MAX_DEPTH:
            self.fault(event, "yaml.too-deep", f"the document is deeper than {MAX_DEPTH} levels.", "Flatten it.", last=True)
        path = self.path()
        self.place(event, path)
        self.stack.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], path))

    def close(self, event: Any) -> None:
        self.done(self.stack.pop().value)

    # ------------------------------------------------------------ helpers

    def at_key(self) -> bool:
        """Whether the next node is the key of a mapping."""
        return bool(self.stack) and self.stack[-1].key is None and type(self.stack[-1].value) is dict

    def count(self, event: Any) -> None:
        """One more entry; anchors and tags are noted."""
        self.weight += 1 + len(self.stack)
        if self.weight > MAX_WEIGHT:
            self.fault(event, "yaml.too-large", "the document has too many entries.", "Split it.", last=True)
        if event.anchor is not None:
            self.fault(event, "yaml.alias", f"&{event.anchor} names a place for reuse.", "Write the value out where it is used.")
        if event.tag is not None:
            self.fault(event, "yaml.tag", f"{shown(event.tag)} is a tag.", "Leave it out; put text that looks like a number in quotes.")

    def place(self, event: Any, path: Path) -> None:
        """Note where the entry of this path begins."""
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        top = self.stack[-1] if self.stack else None
        begin = top.spot if top is not None and top.key is not None else (line, column)
        self.lines[path] = Spot(begin[0], begin[1], line, column)

    def done(self, value: Any) -> None:
        """Put a finished value where it belongs."""
        if not self.stack:
            self.value = value
            return
        top = self.stack[-1]
        if type(top.value) is list:
            top.value.append(value)
        elif top.key is not None:
            top.value.setdefault(top.key, value)
            top.key = None


_EVENTS: dict[type[Any], Callable[[_Builder, Any], None]] = {
    yaml.DocumentStartEvent: _Builder.document,
    yaml.AliasEvent: _Builder.alias,
    yaml.ScalarEvent: _Builder.scalar,
    yaml.SequenceStartEvent: _Builder.open,
    yaml.MappingStartEvent: _Builder.open,
    yaml.SequenceEndEvent: _Builder.close,
    yaml.MappingEndEvent: _Builder.close,
}


_UNREADABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _syntax_fault(error: yaml.YAMLError, text: str) -> Fault:
    found = _UNREADABLE.search(text)
    if isinstance(error, yaml.reader.ReaderError) and found is not None:
        line = text.count("\n", 0, found.start()) + 1
        return Fault("yaml.syntax", "", f"line {line}: {shown(found[0])} cannot stand in YAML.", "Take it out, or escape it in quotes.")
    quoted = "quoted" in (getattr(error, "context", None) or "")
    mark = getattr(error, "context_mark" if quoted else "problem_mark", None)
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    tabs = mark and "\t" in "".join(text.split("\n")[mark.line : mark.line + 1])
    fix = "Indent with blanks instead of tabs." if tabs else "Check the indentation, the quotes and the colons around there."
    return Fault("yaml.syntax", "", f"{where}this is no YAML: {shown(getattr(error, 'problem', str(error)))[1:-1]}.", fix)


def path_text(path: Path) -> str:
    """A path as people write it: columns[3].type."""
    return "".join(f"[{word}]" if isinstance(word, int) else f".{word}" for word in path).removeprefix(".")[:200]

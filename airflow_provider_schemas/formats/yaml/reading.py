"""YAML text to plain values, through the events of PyYAML's parser, and without recursion."""

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import yaml
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.base import text_of
from airflow_provider_schemas.formats.yaml.anchors import Anchors
from airflow_provider_schemas.formats.yaml.dialect import STRICT, Dialect, Path

# Every entry weighs as much as its path is long. A table file of 10,000 columns has a quarter of this.
MAX_WEIGHT = 2_000_000


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
    texts: Mapping[Path, str] = {}
    """The text of scalars without quotes that stand for something else than text, if the dialect asks for it."""
    odd_keys: AbstractSet[Path] = frozenset()
    """The keys that would stand for something else than text if they were values, likewise."""

    def line(self, path: Path) -> int:
        """The line of this entry, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines[path].line


# ---------------------------------------------------------------- reading

# The parser in C is not part of every build of PyYAML.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(source: str | bytes, dialect: Dialect = STRICT) -> Document:
    """Read one document, or raise a FormatError that names every fault with its line."""
    found = _read(_Builder(dialect, 1), source)
    return found[0] if found else _NOTHING


def read_all(source: str | bytes, dialect: Dialect = STRICT) -> tuple[Document, ...]:
    """Read every document of a stream, likewise."""
    return tuple(_read(_Builder(dialect, None), source))


def _read(builder: "_Builder", source: str | bytes) -> list[Document]:
    text = text_of(source)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.faults.append(_syntax_fault(error, text))
    except FormatError as error:
        builder.faults.extend(error.faults)
    if builder.faults:
        raise FormatError.of(builder.faults)
    return builder.documents


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

    def __init__(self, dialect: Dialect, most: int | None) -> None:
        self.dialect = dialect
        self.most = most
        self.faults: list[Fault] = []
        self.documents: list[Document] = []
        self.weight = self.replayed = 0
        self.begin()

    def begin(self) -> None:
        """Make ready for the next document."""
        self.value: Any = None
        self.lines: dict[Path, Spot] = {(): Spot(1, 1, 1, 1)}
        self.texts: dict[Path, str] = {}
        self.odd_keys: set[Path] = set()
        self.stack: list[_Open] = []
        self.anchors = Anchors()

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
        if self.most is not None and len(self.documents) >= self.most:
            self.fault(event, "yaml.documents", "a second document begins.", "Keep one document in a file.", last=True)
        if event.tags:
            self.fault(event, "yaml.tag", "the document declares tags.", "Take the %TAG lines out.")

    def finish(self, event: Any) -> None:
        del event
        self.documents.append(Document(self.value, self.lines, self.texts, self.odd_keys))
        self.begin()

    def alias(self, event: Any) -> None:
        if self.dialect.anchors:
            self.again(event)
            return
        self.fault(event, "yaml.alias", f"*{event.anchor} refers to another place.", "Write the value out.")
        if self.at_key():
            self.stack[-1].key = event.anchor
        else:
            self.done(None)

    def again(self, event: Any) -> None:
        """Read once more what stands at a name."""
        events = self.anchors.events(event.anchor)
        if events is None:
            self.fault(event, "yaml.alias", f"*{event.anchor} has no place to refer to.", "Name one before it.", last=True)
        outer, self.anchors.replaying = self.anchors.replaying, True
        for one in events or ():
            self.take(one)
        self.anchors.replaying = outer

    def scalar(self, event: Any) -> None:
        self.count(event)
        if self.at_key():
            self.key(self.stack[-1], event)
            return
        path = self.path()
        self.place(event, path)
        value = self.scalar_value(event) if event.implicit[0] else event.value
        if self.dialect.texts and not isinstance(value, str):
            self.texts[path] = event.value
        self.done(value)

    def scalar_value(self, event: Any) -> Any:
        """What a scalar without quotes stands for."""
        try:
            return self.dialect.value_of(event.value)
        except ValueError:
            message = f"{shown(event.value)} is no number that can be kept."
            self.fault(event, "yaml.number", message, "Put it in quotes if it is text.")
            return event.value

    def key(self, top: _Open, event: Any) -> None:
        top.key = event.value
        top.spot = (event.start_mark.line + 1, event.start_mark.column + 1)
        if self.dialect.texts and event.implicit[0] and not isinstance(self.scalar_value(event), str):
            self.odd_keys.add((*top.path, event.value))
        if event.value in top.value and not self.dialect.repeats(top.path):
            first = self.lines.get((*top.path, event.value))
            message = "the key stands twice." if first is None else f"the key stands on line {first.line} already."
            self.fault(event, "yaml.duplicate-key", message, "Keep the one that is meant.")

    def open(self, event: Any) -> None:
        self.count(event)
        if self.at_key():
            self.fault(event, "yaml.key", "a key is a list or a mapping.", "Use text as key.", last=True)
        if len(self.stack) >= self.dialect.depth:
            self.fault(event, "yaml.too-deep", f"the document is deeper than {self.dialect.depth} levels.", "Flatten it.", last=True)
        path = self.path()
        self.place(event, path)
        self.stack.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], path))

    def close(self, event: Any) -> None:
        if self.dialect.anchors:
            self.anchors.note(event)
        self.done(self.stack.pop().value)

    # ------------------------------------------------------------ helpers

    def at_key(self) -> bool:
        """Whether the next node is the key of a mapping."""
        return bool(self.stack) and self.stack[-1].key is None and type(self.stack[-1].value) is dict

    def count(self, event: Any) -> None:
        """One more entry; anchors and tags are noted."""
        self.weight += 1 + len(self.stack)
        if self.dialect.anchors:
            self.anchors.note(event)
            # What is read again weighs what its text does: a name costs nothing to write.
            self.replayed += 1 + len(self.stack) + len(getattr(event, "value", "")) if self.anchors.replaying else 0
        if self.weight > (self.dialect.weight or MAX_WEIGHT) or self.replayed > MAX_WEIGHT:
            self.fault(event, "yaml.too-large", "the document has too many entries.", "Split it.", last=True)
        if event.anchor is not None and not self.dialect.anchors:
            self.fault(event, "yaml.alias", f"&{event.anchor} names a place for reuse.", "Write the value out where it is used.")
        if event.tag is not None:
            self.fault(event, "yaml.tag", f"{shown(event.tag)} is a tag.", "Leave it out; put text that looks like a number in quotes.")

    def place(self, event: Any, path: Path) -> None:
        """Note where the entry of this path begins."""
        if not self.dialect.lines:
            return
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
            top.value[top.key] = value
            top.key = None


_EVENTS: dict[type[Any], Callable[[_Builder, Any], None]] = {
    yaml.DocumentStartEvent: _Builder.document,
    yaml.DocumentEndEvent: _Builder.finish,
    yaml.AliasEvent: _Builder.alias,
    yaml.ScalarEvent: _Builder.scalar,
    yaml.SequenceStartEvent: _Builder.open,
    yaml.MappingStartEvent: _Builder.open,
    yaml.SequenceEndEvent: _Builder.close,
    yaml.MappingEndEvent: _Builder.close,
}


_NOTHING = Document(None, {(): Spot(1, 1, 1, 1)})
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

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
from airflow_provider_schemas.formats.yaml.dialect import STRICT, Dialect, Path
from airflow_provider_schemas.formats.yaml.scalars import Scalar, YamlValue

# Every entry weighs as much as its path is long. A table file of 10,000 columns has a quarter of this.
MAX_WEIGHT = 2_000_000

_Node = yaml.ScalarEvent | yaml.CollectionStartEvent


class TextPosition(NamedTuple):
    """Where an entry begins, and where its value does; lines and columns count from 1."""

    line: int
    column: int
    value_line: int
    value_column: int


class Document(Struct, frozen=True):
    """The value of a document, and the positions of everything in it."""

    value: Any
    lines: Mapping[Path, TextPosition]
    texts: Mapping[Path, str] = {}
    """The text of scalars without quotes whose value is no text, if the dialect keeps it."""
    odd_keys: AbstractSet[Path] = frozenset()
    """The keys without quotes that would be no text if they were values, if the dialect keeps texts."""

    def line(self, path: Path) -> int:
        """Return the line of this entry, or of the nearest one around it."""
        return self.position(path).line

    def position(self, path: Path) -> TextPosition:
        """Return the position of this entry, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines[path]


# ---------------------------------------------------------------- reading

# The parser in C is not part of every build of PyYAML.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(source: str | bytes, dialect: Dialect = STRICT) -> Document:
    """Read one document, or raise a FormatError that names every fault with its line."""
    documents = _read(_Builder(dialect, 1), source)
    return documents[0] if documents else _NOTHING


def read_all(source: str | bytes, dialect: Dialect = STRICT) -> tuple[Document, ...]:
    """Read every document of a stream, or raise a FormatError that names every fault with its line."""
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


# ---------------------------------------------------------------- anchors

_OPENING = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_CLOSING = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


class _AnchorLog:
    """The events of all named places, to be read again where an alias names one.

    Events inside several places are kept once, with the aliases in them already replaced.
    """

    def __init__(self) -> None:
        self.events: list[yaml.Event] = []
        self.spans: dict[str, tuple[int, int]] = {}
        self.open: list[tuple[str, int, int]] = []
        """The places that are being read: their names, their first events and the depth around them."""
        self.depth = 0
        self.replaying = False

    def note(self, event: yaml.Event) -> None:
        """Take the next event of the document, none of which is an alias."""
        name = getattr(event, "anchor", None)
        if name is not None and not self.replaying:
            self.open.append((name, len(self.events), self.depth))
        if not self.open:
            return
        self.events.append(event)
        self.depth += isinstance(event, _OPENING) - isinstance(event, _CLOSING)
        while self.open and self.open[-1][2] == self.depth:
            name, begin, _ = self.open.pop()
            self.spans[name] = (begin, len(self.events))

    def find(self, name: str) -> list[yaml.Event] | None:
        """Return the events of the place with this name; None if it was not read to its end."""
        span = self.spans.get(name)
        if span is None:
            return None
        return self.events[slice(*span)]


# ---------------------------------------------------------------- values


class _Container:
    """A mapping or a list that is being read."""

    __slots__ = ("key", "key_column", "key_line", "path", "value")

    def __init__(self, value: dict[str, Any] | list[Any], path: Path) -> None:
        self.value: Any = value
        self.path = path
        self.key: str | None = None
        self.key_line = 1
        self.key_column = 1


class _Builder:
    """Builds the values of documents from the events of the parser."""

    def __init__(self, dialect: Dialect, most: int | None) -> None:
        self.dialect = dialect
        self.most = most
        self.faults: list[Fault] = []
        self.documents: list[Document] = []
        self.weight = 0
        self.replayed = 0
        self.begin()

    def begin(self) -> None:
        """Begin the next document."""
        self.value: Any = None
        self.lines: dict[Path, TextPosition] = {(): TextPosition(1, 1, 1, 1)}
        self.texts: dict[Path, str] = {}
        self.odd_keys: set[Path] = set()
        self.stack: list[_Container] = []
        self.anchors = _AnchorLog()

    def take(self, event: yaml.Event) -> None:
        handle = _HANDLERS.get(type(event))
        if handle is not None:
            handle(self, event)

    def fault(self, event: yaml.Event, code: str, message: str, fix: str, *, last: bool = False) -> None:
        """Collect a fault at the position of the event; the last one ends the reading."""
        mark: Any = event.start_mark
        path = path_text(self.path())
        fault = Fault(code, path, f"line {mark.line + 1}, column {mark.column + 1}: {message}", fix)
        if last or len(self.faults) >= MAX_FAULTS:
            raise FormatError.of([fault])
        self.faults.append(fault)

    def path(self) -> Path:
        """Return the path of the entry that comes next."""
        if not self.stack:
            return ()
        container = self.stack[-1]
        if type(container.value) is list:
            return (*container.path, len(container.value))
        if container.key is None:
            return container.path
        return (*container.path, container.key)

    # ------------------------------------------------------------ events

    def begin_document(self, event: yaml.DocumentStartEvent) -> None:
        if self.most is not None and len(self.documents) >= self.most:
            self.fault(event, "yaml.documents", "a second document begins.", "Keep one document in a file.", last=True)
        if event.tags:
            self.fault(event, "yaml.tag", "the document declares tags.", "Take the %TAG lines out.")

    def end_document(self, _event: yaml.DocumentEndEvent) -> None:
        self.documents.append(Document(self.value, self.lines, self.texts, self.odd_keys))
        self.begin()

    def alias(self, event: yaml.AliasEvent) -> None:
        if self.dialect.anchors:
            self.replay(event)
            return
        self.fault(event, "yaml.alias", f"*{event.anchor} refers to another place.", "Write the value out.")
        if self.at_key():
            self.stack[-1].key = event.anchor
        else:
            self.put(None)

    def replay(self, event: yaml.AliasEvent) -> None:
        """Read the events of the place that an alias names once more."""
        events = self.anchors.find(str(event.anchor))
        if events is None:
            self.fault(event, "yaml.alias", f"*{event.anchor} has no place to refer to.", "Name one before it.", last=True)
        outer = self.anchors.replaying
        self.anchors.replaying = True
        for replayed in events or ():
            self.take(replayed)
        self.anchors.replaying = outer

    def scalar(self, event: yaml.ScalarEvent) -> None:
        self.check_node(event)
        if self.at_key():
            self.take_key(self.stack[-1], event)
            return
        path = self.path()
        self.note_position(event, path)
        value = self.plain_value(event) if event.implicit[0] else event.value
        if self.dialect.texts and not isinstance(value, str):
            self.texts[path] = event.value
        self.put(value)

    def plain_value(self, event: yaml.ScalarEvent) -> Scalar:
        """Return the value of a scalar without quotes."""
        try:
            return self.dialect.value_of(event.value)
        except ValueError:
            message = f"{shown(event.value)} is no number that can be kept."
            self.fault(event, "yaml.number", message, "Put it in quotes if it is text.")
            return event.value

    def take_key(self, mapping: _Container, event: yaml.ScalarEvent) -> None:
        mark: Any = event.start_mark
        mapping.key = event.value
        mapping.key_line = mark.line + 1
        mapping.key_column = mark.column + 1
        if self.dialect.texts and event.implicit[0] and not isinstance(self.plain_value(event), str):
            self.odd_keys.add((*mapping.path, event.value))
        if event.value in mapping.value and not self.dialect.repeats(mapping.path):
            first = self.lines.get((*mapping.path, event.value))
            message = "the key stands twice." if first is None else f"the key stands on line {first.line} already."
            self.fault(event, "yaml.duplicate-key", message, "Keep the one that is meant.")

    def open_container(self, event: yaml.CollectionStartEvent) -> None:
        self.check_node(event)
        if self.at_key():
            self.fault(event, "yaml.key", "a key is a list or a mapping.", "Use text as key.", last=True)
        if len(self.stack) >= self.dialect.depth:
            self.fault(event, "yaml.too-deep", f"the document is deeper than {self.dialect.depth} levels.", "Flatten it.", last=True)
        path = self.path()
        self.note_position(event, path)
        self.stack.append(_Container({} if isinstance(event, yaml.MappingStartEvent) else [], path))

    def close_container(self, event: yaml.CollectionEndEvent) -> None:
        if self.dialect.anchors:
            self.anchors.note(event)
        self.put(self.stack.pop().value)

    # ------------------------------------------------------------ helpers

    def at_key(self) -> bool:
        """Return whether the next node is the key of a mapping."""
        return bool(self.stack) and self.stack[-1].key is None and type(self.stack[-1].value) is dict

    def check_node(self, event: _Node) -> None:
        """Count one more entry, and collect the faults of its anchor and its tag."""
        self.weight += 1 + len(self.stack)
        if self.dialect.anchors:
            self.note_for_replay(event)
        if self.weight > (self.dialect.weight or MAX_WEIGHT) or self.replayed > MAX_WEIGHT:
            self.fault(event, "yaml.too-large", "the document has too many entries.", "Split it.", last=True)
        if event.anchor is not None and not self.dialect.anchors:
            self.fault(event, "yaml.alias", f"&{event.anchor} names a place for reuse.", "Write the value out where it is used.")
        if event.tag is not None:
            self.fault(event, "yaml.tag", f"{shown(event.tag)} is a tag.", "Leave it out; put text that looks like a number in quotes.")

    def note_for_replay(self, event: _Node) -> None:
        """Keep the event for aliases; while events are replayed, count how much, since an alias is short and its value may be long."""
        self.anchors.note(event)
        if self.anchors.replaying:
            self.replayed += 1 + len(self.stack) + len(getattr(event, "value", ""))

    def note_position(self, event: yaml.Event, path: Path) -> None:
        """Note where the entry of this path begins, and where its value does."""
        if not self.dialect.lines:
            return
        mark: Any = event.start_mark
        line = mark.line + 1
        column = mark.column + 1
        container = self.stack[-1] if self.stack else None
        if container is None or container.key is None:
            self.lines[path] = TextPosition(line, column, line, column)
        else:
            self.lines[path] = TextPosition(container.key_line, container.key_column, line, column)

    def put(self, value: YamlValue) -> None:
        """Put a finished value into the list or mapping around it."""
        if not self.stack:
            self.value = value
            return
        container = self.stack[-1]
        if type(container.value) is list:
            container.value.append(value)
        elif container.key is not None:
            container.value[container.key] = value
            container.key = None


_HANDLERS: dict[type[yaml.Event], Callable[[_Builder, Any], None]] = {
    yaml.DocumentStartEvent: _Builder.begin_document,
    yaml.DocumentEndEvent: _Builder.end_document,
    yaml.AliasEvent: _Builder.alias,
    yaml.ScalarEvent: _Builder.scalar,
    yaml.SequenceStartEvent: _Builder.open_container,
    yaml.MappingStartEvent: _Builder.open_container,
    yaml.SequenceEndEvent: _Builder.close_container,
    yaml.MappingEndEvent: _Builder.close_container,
}


# ---------------------------------------------------------------- errors and paths

_NOTHING = Document(None, {(): TextPosition(1, 1, 1, 1)})
_UNREADABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _syntax_fault(error: yaml.YAMLError, text: str) -> Fault:
    match = _UNREADABLE.search(text)
    if isinstance(error, yaml.reader.ReaderError) and match is not None:
        line = text.count("\n", 0, match.start()) + 1
        return Fault("yaml.syntax", "", f"line {line}: {shown(match[0])} cannot stand in YAML.", "Take it out, or escape it in quotes.")
    quoted = "quoted" in (getattr(error, "context", None) or "")
    mark = getattr(error, "context_mark" if quoted else "problem_mark", None)
    where = ""
    fix = "Check the indentation, the quotes and the colons around there."
    if mark:
        where = f"line {mark.line + 1}, column {mark.column + 1}: "
        if "\t" in "".join(text.split("\n")[mark.line : mark.line + 1]):
            fix = "Indent with blanks instead of tabs."
    return Fault("yaml.syntax", "", f"{where}this is no YAML: {shown(getattr(error, 'problem', str(error)))[1:-1]}.", fix)


def path_text(path: Path) -> str:
    """Return a path as users write it: columns[3].type."""
    return "".join(f"[{word}]" if isinstance(word, int) else f".{word}" for word in path).removeprefix(".")[:200]

"""Files that users write: each is YAML, and each of its faults names the file and the line.

The path of a fault begins with that place: `schemas/shop/orders.yaml:6 columns[2].type`, or `line 6 columns[2].type` for a
text without a file. The column stands in the fault, and in no sentence.

The place of an entry is that of its key; an item of a list has none, and the place of its value. Columns count characters
from 1 as editors do: a tab, a wide letter and an emoji are one each, and a byte order mark is none.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from airflow_provider_schemas.core.common.advice import path_text
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.errors import Fault, FormatError, SchemaError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.base import text_of

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

# Next line, line separator, paragraph separator: breaks of YAML 1.1, by which the parser goes.
_HIDDEN_BREAKS = re.compile("[\x85\u2028\u2029]")

Answer = TypeVar("Answer")

# The beginning of the messages of the YAML reader.
_LINE = re.compile(r"line ([0-9]+)(?:, column ([0-9]+))?: (.*)", re.DOTALL)
# The beginning of the path of a fault that has a place.
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]{1,9})(?:\s.*)?", re.DOTALL)


_BEGINNING = yaml.TextPosition(1, 1, 1, 1)


class WrittenFile(Struct, frozen=True, dict=True):
    """A document that was read, with the positions of everything in it."""

    document: yaml.Document
    file: str = ""

    @property
    def value(self) -> yaml.YamlValue:
        value: yaml.YamlValue = self.document.value
        return value

    def place(self, path: yaml.Path | str) -> Place:
        """Return the place of this entry, or of the nearest one around it."""
        position = self._position(path) if isinstance(path, str) else self.document.position(path)
        return Place(self.file, position.line, position.column)

    @cached_property
    def _positions(self) -> dict[str, yaml.TextPosition]:
        return {path_text(path): position for path, position in self.document.lines.items()}

    def line(self, path: str) -> int:
        """Return the line of an entry by the text of its path, or of the nearest one around it."""
        return self._position(path).line

    def _position(self, path: str) -> yaml.TextPosition:
        while path and path not in self._positions:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._positions.get(path, _BEGINNING)

    def placed(self, faults: Iterable[Fault]) -> list[Fault]:
        """Return the faults with their places, in the order of the file."""
        by_line = sorted(((self._position(fault.path), fault) for fault in faults), key=_line_of)
        return [_with_position(fault, self.file, position.line, position.column) for position, fault in by_line]

    def read(self, refusal: type[SchemaError], call: Callable[[Any], Answer]) -> Answer:
        """Return the answer of the call about the document; add places to its faults."""
        try:
            return call(self.value)
        except SchemaError as error:
            faults = error.faults
            if not isinstance(self.value, Mapping | list):
                message = "the file is empty." if self.value is None else "the file holds a single value."
                faults = (faults[0]._replace(message=message),)
            raise refusal.of(self.placed(faults)) from None


def opened(source: str | bytes, file: str, refusal: type[SchemaError]) -> WrittenFile:
    """Read the document in a text; raise the error of the caller's kind of file if the text is not YAML."""
    try:
        document = yaml.read(source)
    except FormatError as error:
        raise refusal.of(_with_file(fault, file) for fault in error.faults) from None
    hidden = next(_hidden_breaks(text_of(source), file), None)
    if hidden is not None:
        raise refusal.of([hidden])
    return WrittenFile(document, file)


def _hidden_breaks(text: str, file: str) -> Iterator[Fault]:
    """Yield a fault for each character that ends a line for YAML, and for no editor: a key could hide in what looks like a comment."""
    if text.isascii():
        return
    for match in _HIDDEN_BREAKS.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        message = f"{match[0]!a} ends a line here, which editors do not show."
        yield _with_position(Fault("yaml.line-break", "", message, "Take it out, or escape it in double quotes."), file, line, column)


def _with_file(fault: Fault, file: str) -> Fault:
    match = _LINE.fullmatch(fault.message)
    if match is None:
        return fault._replace(path=f"{_on_one_line(file)} {fault.path}".strip())
    return _with_position(fault, file, int(match[1]), int(match[2] or 0))._replace(message=match[3])


def _with_position(fault: Fault, file: str, line: int, column: int) -> Fault:
    return fault._replace(path=with_place(file, line, fault.path), column=column)


def _line_of(placed: tuple[yaml.TextPosition, Fault]) -> int:
    return placed[0].line


def with_place(file: str, line: int, path: str) -> str:
    """Return the path of a fault behind its file and line."""
    place = f"{_on_one_line(file)}:{line}" if file else f"line {line}"
    return f"{place} {path}" if path else place


def place_of(fault: Fault) -> Place | None:
    """Return the place with which the path of a fault begins; None for a fault that names no line of a file."""
    match = _PLACE.fullmatch(fault.path)
    if match is None:
        return None
    return Place(match["file"], int(match["line"]), fault.column)


def _on_one_line(file: str) -> str:
    """Return the name of a file with escapes for control characters: the author of a pull request chooses the name."""
    return file if file.isprintable() else repr(file)[1:-1]


def policy_keys(policy: "Policy") -> dict[str, Any]:
    """Return a policy as users write it: the keys that differ from the default."""
    keys = policy.model_dump(mode="json", exclude_defaults=True)
    return {key: value for key, value in keys.items() if value not in ({}, [])}

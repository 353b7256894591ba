"""Files that users write: each is YAML, and each of its faults names the file and the line.

The path of a fault begins with that place: `schemas/shop/orders.yaml:6 columns[2].type`, or `line 6 columns[2].type` for a
text without a file.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from airflow_provider_schemas.core.common.advice import path_text
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.errors import Fault, FormatError, SchemaError
from airflow_provider_schemas.formats import yaml

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

Answer = TypeVar("Answer")

# The beginning of the messages of the YAML reader.
_LINE = re.compile(r"line ([0-9]+)(?:, column [0-9]+)?: (.*)", re.DOTALL)


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
        if isinstance(path, str):
            return Place(self.file, self.line(path))
        return Place(self.file, self.document.line(path))

    @cached_property
    def _lines(self) -> dict[str, int]:
        return {path_text(path): position.line for path, position in self.document.lines.items()}

    def line(self, path: str) -> int:
        """Return the line of an entry by the text of its path, or of the nearest one around it."""
        while path and path not in self._lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._lines.get(path, 1)

    def placed(self, faults: Iterable[Fault]) -> list[Fault]:
        """Return the faults with their places, in the order of the file."""
        by_line = sorted(((self.line(fault.path), fault) for fault in faults), key=itemgetter(0))
        return [fault._replace(path=with_place(self.file, line, fault.path)) for line, fault in by_line]

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
        return WrittenFile(yaml.read(source), file)
    except FormatError as error:
        raise refusal.of(_with_file(fault, file) for fault in error.faults) from None


def _with_file(fault: Fault, file: str) -> Fault:
    match = _LINE.fullmatch(fault.message)
    if match is None:
        return fault._replace(path=f"{_on_one_line(file)} {fault.path}".strip())
    return fault._replace(path=with_place(file, int(match[1]), fault.path), message=match[2])


def with_place(file: str, line: int, path: str) -> str:
    """Return the path of a fault behind its file and line."""
    place = f"{_on_one_line(file)}:{line}" if file else f"line {line}"
    return f"{place} {path}" if path else place


def _on_one_line(file: str) -> str:
    """Return the name of a file with escapes for control characters: the author of a pull request chooses the name."""
    return file if file.isprintable() else repr(file)[1:-1]


def policy_keys(policy: "Policy") -> dict[str, Any]:
    """Return a policy as users write it: the keys that differ from the default."""
    keys = policy.model_dump(mode="json", exclude_defaults=True)
    return {key: value for key, value in keys.items() if value not in ({}, [])}

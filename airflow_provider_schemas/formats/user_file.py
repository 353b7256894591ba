"""What the files that people write have in common: each is YAML, and each fault says in which file and on which line it stands.

A fault's path begins with that place: `schemas/shop/orders.yaml:6 columns[2].type`, or `line 6 columns[2].type` for a
text without a file.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from airflow_provider_schemas.core.common.advice import path_text
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.errors import Fault, FormatError, SchemaError
from airflow_provider_schemas.formats import yaml

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

T = TypeVar("T")

# How the reader of YAML begins its messages.
_LINE = re.compile(r"line ([0-9]+)(?:, column [0-9]+)?: (.*)", re.DOTALL)


class WrittenFile(Struct, frozen=True, dict=True):
    """A document that was read, and where everything in it stands."""

    document: yaml.Document
    file: str = ""

    @property
    def value(self) -> Any:
        return self.document.value

    def place(self, path: yaml.Path | str) -> Place:
        """Where this entry stands, or the nearest one around it."""
        return Place(self.file, self.line(path) if isinstance(path, str) else self.document.line(path))

    @cached_property
    def _lines(self) -> dict[str, int]:
        return {path_text(path): spot.line for path, spot in self.document.lines.items()}

    def line(self, path: str) -> int:
        """The line of an entry whose path is written out, or of the nearest one around it."""
        while path and path not in self._lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._lines.get(path, 1)

    def placed(self, faults: Iterable[Fault]) -> list[Fault]:
        """The faults with their places, in the order in which a reader of the file meets them."""
        found = sorted(((self.line(fault.path), fault) for fault in faults), key=lambda one: one[0])
        return [fault._replace(path=with_place(self.file, line, fault.path)) for line, fault in found]

    def read(self, refusal: type[SchemaError], call: Callable[[Any], T]) -> T:
        """What the call makes of the document; its faults come with their places."""
        try:
            return call(self.value)
        except SchemaError as error:
            faults = error.faults
            if not isinstance(self.value, Mapping | list):
                faults = (faults[0]._replace(message="the file is empty." if self.value is None else "the file holds a single value."),)
            raise refusal.of(self.placed(faults)) from None


def opened(source: str | bytes, file: str, refusal: type[SchemaError]) -> WrittenFile:
    """The document in a text; what is no YAML raises the error of the file that was to be read."""
    try:
        return WrittenFile(yaml.read(source), file)
    except FormatError as error:
        raise refusal.of(_of_yaml(fault, file) for fault in error.faults) from None


def _of_yaml(fault: Fault, file: str) -> Fault:
    found = _LINE.fullmatch(fault.message)
    if found is None:
        return fault._replace(path=f"{_on_one_line(file)} {fault.path}".strip())
    return fault._replace(path=with_place(file, int(found[1]), fault.path), message=found[2])


def with_place(file: str, line: int, path: str) -> str:
    """The path of a fault, behind the place where it stands."""
    return " ".join(part for part in (f"{_on_one_line(file)}:{line}" if file else f"line {line}", path) if part)


def _on_one_line(file: str) -> str:
    """The name of a file, which whoever opens a pull request may choose, with escapes for what a terminal would obey."""
    return file if file.isprintable() else repr(file)[1:-1]


def policy_keys(policy: "Policy") -> dict[str, Any]:
    """A policy as people write it: what differs from the default."""
    keys = policy.model_dump(mode="json", exclude_defaults=True)
    return {key: value for key, value in keys.items() if value not in ({}, [])}

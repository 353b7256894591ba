"""What a command answers: parts for people to read, data for machines, and a verdict for the exit code. Nothing is written here."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from airflow_provider_schemas.errors import Fault


class Line(NamedTuple):
    """A line of words; typed is something that one can type."""

    text: str
    indent: int = 0
    typed: bool = False


class Rows(NamedTuple):
    """Cells that stand below each other. The heads are for Markdown, and for text if they are asked for."""

    cells: Sequence[Sequence[str]]
    heads: Sequence[str]
    indent: int = 0
    headed: bool = False


class Shown(NamedTuple):
    """What `render` shows: a report, several, a plan; the body alone where a line above says the rest."""

    value: Any
    versions: Mapping[str, Sequence[Any]] | Sequence[Any] = ()
    body: bool = False


Part: TypeAlias = Line | Rows | Shown

OK, WARN, BREAK, INVALID = "ok", "warn", "break", "invalid"


class Answer(NamedTuple):
    """The answer of a command."""

    parts: Sequence[Part] = ()
    data: Any = None
    """What is written with `--format json`; without it, what `render` makes of the one thing that is shown."""
    verdict: str = OK
    failed: bool = False
    """Whether something could not be read, which the parts tell."""
    faults: "tuple[Fault, ...]" = ()
    """What could not be judged beside that; standard error says why, and the exit code is that of a refusal."""
    text: str | None = None
    """What is for another program: printed as it is, in place of the parts, which go to standard error then."""


def worst(verdicts: Sequence[str]) -> str:
    """The worst of some verdicts."""
    order = (OK, WARN, BREAK, INVALID)
    return max(verdicts, key=order.index, default=OK)

"""The answer of a command: parts for people to read, data for machines, and a verdict for the exit code. Nothing is written here."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_provider_schemas.core.report import Report
    from airflow_provider_schemas.errors import Fault
    from airflow_provider_schemas.render.page import Sheet


class TextLine(NamedTuple):
    """A line of words; `typed` marks a command or a statement, to be pasted whole."""

    text: str
    indent: int = 0
    typed: bool = False
    hang: int = 4
    """How much further the later lines of a text that is broken begin."""


class Rows(NamedTuple):
    """Cells that stand below each other. The heads are for Markdown, and for text where `headed` is true."""

    cells: Sequence[Sequence[str]]
    heads: Sequence[str]
    indent: int = 0
    headed: bool = False


class OneLineRows(NamedTuple):
    """Rows below their heads that take one line each; where they are too wide, what stands at their right is cut or left out."""

    cells: Sequence[Sequence[str]]
    heads: Sequence[str]


class Drawn(NamedTuple):
    """Lines that are laid out for the sheet that they stand on. Text alone has them: Markdown and JSON tell the same otherwise."""

    draw: "Callable[[Sheet], Sequence[str]]"


class Shown(NamedTuple):
    """A value that `render` shows: a report, several, a plan; the body alone where a line above has the rest."""

    value: Any
    versions: Mapping[str, Sequence[Any]] | Sequence[Any] = ()
    body: bool = False


Part: TypeAlias = TextLine | Rows | OneLineRows | Drawn | Shown

OK = "ok"
WARN = "warn"
BREAK = "break"
INVALID = "invalid"


class Judged(NamedTuple):
    """The verdicts of an answer, for the formats of CI systems."""

    reports: "Sequence[Report]" = ()
    """All of them, those of tables that are fine as well."""
    compared: Sequence[str] = ()
    notes: Sequence[str] = ()
    has_parts: bool = False
    """Whether the parts of the answer tell more than the verdicts."""


class Answer(NamedTuple):
    """The answer of a command."""

    parts: Sequence[Part] = ()
    data: Any = None
    """The data for `--format json`; None where `render` makes it of the one value that the parts show."""
    verdict: str = OK
    failed: bool = False
    """Whether something could not be read; the parts name it."""
    faults: "tuple[Fault, ...]" = ()
    """Why other things could not be judged; standard error has them, and the exit code is that of a refusal."""
    text: str | None = None
    """A text for another program: printed unchanged in place of the parts, which go to standard error then."""
    judged: Judged | None = None
    """The verdicts, of a command that gives some."""
    page: "Callable[[], object] | None" = None
    """Make the value that HTML shows in place of the parts: one that `render.html.api` has a template for."""


def rows_or_line(rows: Sequence[Sequence[str]], heads: Sequence[str], nothing: str) -> Part:
    """Return rows below their heads; a line of words where there are none."""
    if rows:
        return Rows(rows, heads, headed=True)
    return TextLine(nothing)


def worst(verdicts: Sequence[str]) -> str:
    """Return the worst of some verdicts."""
    order = (OK, WARN, BREAK, INVALID)
    return max(verdicts, key=order.index, default=OK)

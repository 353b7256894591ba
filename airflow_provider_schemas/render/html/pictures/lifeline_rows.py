"""Columns through the versions as rows of cells: what each version did, as a sign and as words; where nothing happened, one long cell."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from msgspec import Struct

from airflow_provider_schemas.core.blame.lifelines import Cell, CellState, Lifeline, Lifelines
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.render.html.pictures.plain_text import depth_class, plain
from airflow_provider_schemas.render.wording import counted

SIGNS_OF_STATES: Mapping[CellState, str] = MappingProxyType({
    CellState.ADDED: "+",
    CellState.RENAMED: "~",
    CellState.RETYPED: "T",
    CellState.NULLABILITY: "N",
    CellState.COMMENT: '"',
    CellState.DEFAULT: "=",
    CellState.MOVED: ">",
    CellState.ATTRIBUTES: "*",
    CellState.DROPPED: "\u2212",
    CellState.RESTORED: "\u21ba",
    CellState.UNKNOWN: "?",
})  # fmt: skip
"""What stands in the cell of a version that did something to a column; the list above the table says what each sign means."""

# Cells in which nothing happens are one cell where they follow each other.
_QUIET = frozenset({CellState.SAME, CellState.ABSENT, CellState.UNKNOWN})
_WORDS: Mapping[CellState, str] = MappingProxyType({
    CellState.ABSENT: "not there",
    CellState.UNKNOWN: "not known",
    CellState.COMMENT: "comment changed",
    CellState.DEFAULT: "default changed",
    CellState.NULLABILITY: "nullability changed",
    CellState.ATTRIBUTES: "attributes changed",
})  # fmt: skip
# So many versions are wide enough for the type of the column.
_WIDE = 4


class LifelineCell(Struct, frozen=True):
    """A version of a column, or several that follow each other and in which it stays as it is."""

    span: int
    state: str
    """The class of the cell: the first of its states."""
    sign: str
    words: str
    title: str
    label: str = ""
    """The type of the column, where there is room."""


class LifelineRow(Struct, frozen=True):
    """A column that some version changed."""

    path: str
    id: str
    depth: str
    cells: tuple[LifelineCell, ...]


def states_text(states: Iterable[CellState]) -> str:
    """Return what a version did to a column: renamed, retyped."""
    return ", ".join(_WORDS.get(state, state.value) for state in states)


def lifeline_rows(lifelines: Lifelines) -> list[LifelineRow]:
    """Return a row for each column that some version changed."""
    return [_row(line, lifelines.versions) for line in lifelines.lines if line.has_changed]


def unchanged_lines(lifelines: Lifelines) -> str:
    """Return how many columns no known version changed, as a sentence; empty where there are none."""
    same = sum(1 for line in lifelines.lines if not line.has_changed)
    return f"{counted(same, 'column')} as in the first version that is known." if same else ""


def used_states(lifelines: Lifelines) -> list[tuple[str, str, str]]:
    """Return the class, the sign and the words of each state that some cell has, for the list above the table."""
    used = {state for line in lifelines.lines if line.has_changed for cell in line.cells for state in cell.states}
    return [(state.value, sign, states_text([state])) for state, sign in SIGNS_OF_STATES.items() if state in used]


def _row(line: Lifeline, versions: Sequence[Origin]) -> LifelineRow:
    cells: list[LifelineCell] = []
    place = 0
    for _, group in groupby(enumerate(line.cells), key=_run):
        run = [cell for _, cell in group]
        cells.append(_cell(run, versions[place : place + len(run)]))
        place += len(run)
    return LifelineRow(plain(line.path), "" if line.id is None else str(line.id), depth_class(line.depth), tuple(cells))


def _run(numbered: tuple[int, Cell]) -> tuple[int, Cell]:
    """Return the same for cells that become one."""
    number, cell = numbered
    is_quiet = len(cell.states) == 1 and cell.states[0] in _QUIET
    return (-1 if is_quiet else number, cell)


def _cell(run: Sequence[Cell], versions: Sequence[Origin]) -> LifelineCell:
    cell = run[0]
    words = states_text(cell.states)
    column = " ".join(part for part in (plain(cell.name), plain(cell.type)) if part)
    when = " to ".join(dict.fromkeys((plain(versions[0].title), plain(versions[-1].title)))) if versions else ""
    return LifelineCell(
        span=len(run),
        state=cell.states[0].value if cell.states else CellState.UNKNOWN.value,
        sign="".join(SIGNS_OF_STATES.get(state, "") for state in cell.states),
        words=words,
        title=f"{when}: {words}" + (f", {column}" if column else ""),
        label=plain(cell.type) if cell.states == (CellState.SAME,) and len(run) >= _WIDE else "",
    )

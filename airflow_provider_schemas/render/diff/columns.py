"""Rows as lines: both versions beside each other on a wide terminal, one under the other on any other."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.render.diff.rows import DiffRow, RowKind, Side
from airflow_provider_schemas.render.layout import ELLIPSIS, GAP, STACKED, display_width, padded, pieces_of, shortened
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted

SIDE_BY_SIDE = 120
"""From this width on, two versions stand side by side."""
MARKS: Mapping[RowKind, str] = MappingProxyType({
    RowKind.ADDED: "+",
    RowKind.DROPPED: "-",
    RowKind.RENAMED: "~",
    RowKind.RETYPED: "T",
    RowKind.MOVED: ">",
    RowKind.NULLABILITY: "N",
    RowKind.COMMENT: '"',
    RowKind.DEFAULT: "=",
    RowKind.OPTION: "=",
    RowKind.KEY: "=",
})  # fmt: skip
_STYLED = (RowKind.ADDED, RowKind.DROPPED, RowKind.RENAMED, RowKind.RETYPED, RowKind.MOVED)
_OF_NAME = frozenset({RowKind.ADDED, RowKind.DROPPED, RowKind.RENAMED, RowKind.MOVED})
_OF_TYPE = frozenset(
    {RowKind.ADDED, RowKind.DROPPED, RowKind.RETYPED, RowKind.NULLABILITY, RowKind.OPTION, RowKind.KEY, RowKind.COMMENT, RowKind.DEFAULT}
)
# On a second line, which shows what the first one became.
_BECAME = "->"
_MARK_WIDTH = 3
_NESTED = 2
# Of the width of one side, so much is for names, if types need the rest; and the least that a cell gets.
_NAME_SHARE = 0.5
_LEAST = 4
# As wide as the longest word for what differs.
_WORD = 16


class Widths(Struct, frozen=True):
    """How wide the columns of the lines are."""

    id: int
    name: int
    type: int
    words: int

    @property
    def before(self) -> int:
        """How much stands in front of the first cell: the marks and the id."""
        return GAP + _MARK_WIDTH + 1 + (self.id + GAP if self.id else 0)


def side_by_side(rows: Sequence[DiffRow], titles: tuple[str, str], sheet: Sheet) -> list[str]:
    """Return lines with the old version at the left, the new one at the right, and a word for what differs behind them."""
    widths = _widths(rows, sheet, sides=2)
    side = widths.name + GAP + widths.type
    heads = [padded(shortened(clean(title), side), side) for title in titles]
    lines = [sheet.ink(f"{' ' * widths.before}{heads[0]}{' ' * GAP}{heads[1]}".rstrip(), "strong")]
    for row in rows:
        lines += _folded(row, widths, sheet) if row.hidden else _beside(row, widths, sheet)
    return lines


def one_under_the_other(rows: Sequence[DiffRow], sheet: Sheet) -> list[str]:
    """Return lines with a column each; where its name or its type differ, the new one stands under the old one."""
    widths = _widths(rows, sheet, sides=1)
    lines: list[str] = []
    for row in rows:
        lines += _folded(row, widths, sheet) if row.hidden else _below(row, widths, sheet)
    return lines


# ---------------------------------------------------------------- widths


def _widths(rows: Sequence[DiffRow], sheet: Sheet, *, sides: int) -> Widths:
    """Return widths with which a line fits. On a narrow terminal there are neither ids nor words: the marks tell what differs."""
    shown = [(row, side) for row in rows for side in (row.old, row.new) if side is not None]
    is_narrow = sheet.width < STACKED
    id_ = 0 if is_narrow else max((len(str(row.id)) for row in rows if row.id is not None), default=0)
    name = max((_NESTED * row.depth + display_width(clean(side.name)) for row, side in shown), default=0)
    type_ = max((display_width(_value(side)) for _, side in shown), default=0)
    words = 0 if is_narrow else max((len(_words(row)) for row in rows), default=0)
    words = min(words, max(sheet.width // 5, _WORD))
    room = (sheet.width - Widths(id_, 0, 0, words).before - words - GAP) // sides - GAP
    if sides > 1:
        room -= GAP
    room = max(room, 2 * _LEAST)
    name = max(min(name, max(round(room * _NAME_SHARE), room - type_)), 1)
    return Widths(id_, name, max(min(type_, room - name), 1), words)


# ---------------------------------------------------------------- rows


def _beside(row: DiffRow, widths: Widths, sheet: Sheet) -> Iterator[str]:
    cells = [_side_cells(side, row, widths, sheet) for side in (row.old, row.new)]
    return _laid_out(row, widths, sheet, [*cells[0], *cells[1]])


def _below(row: DiffRow, widths: Widths, sheet: Sheet) -> Iterator[str]:
    """Yield the line of the old version, and one below it for the new version if that reads otherwise."""
    first = row.old or row.new
    yield from _laid_out(row, widths, sheet, _side_cells(first, row, widths, sheet))
    if row.new is not None and row.old is not None and row.new != row.old:
        yield from _laid_out(row, widths, sheet, _side_cells(row.new, row, widths, sheet), became=True)


class _Cell(Struct, frozen=True):
    """The lines of a cell, how wide it is, and its colour."""

    lines: tuple[str, ...]
    width: int
    style: str = ""


def _side_cells(side: Side | None, row: DiffRow, widths: Widths, sheet: Sheet) -> list[_Cell]:
    if side is None:
        return [_Cell(("",), widths.name), _Cell(("",), widths.type)]
    name = _fitted(" " * (_NESTED * row.depth) + clean(side.name), widths.name, sheet, hang=_NESTED * row.depth)
    type_ = _fitted(_value(side), widths.type, sheet)
    return [_Cell(name, widths.name, _style(row, _OF_NAME)), _Cell(type_, widths.type, _style(row, _OF_TYPE))]


def _laid_out(row: DiffRow, widths: Widths, sheet: Sheet, cells: Sequence[_Cell], *, became: bool = False) -> Iterator[str]:
    """Yield the lines of a row: marks, id, cells, words; on the line of what it became, an arrow and the cells."""
    marks = _BECAME if became else "".join(MARKS[kind] for kind in _told(row))[:_MARK_WIDTH]
    number = "" if became or row.id is None else row.id
    words = "" if became or not widths.words else _words(row)
    style = _main_style(row.kinds)
    row_cells = [_Cell((f"{marks:<{_MARK_WIDTH}}",), _MARK_WIDTH + 1 - GAP, style)]
    if widths.id:
        row_cells.append(_Cell((f"{number:>{widths.id}}",), widths.id))
    row_cells += [*cells, _Cell(_fitted(words, widths.words, sheet), widths.words, style)]
    for texts in zip_longest(*(cell.lines for cell in row_cells), fillvalue=""):
        yield _line(texts, row_cells, sheet)


def _line(texts: Sequence[str], cells: Sequence[_Cell], sheet: Sheet) -> str:
    """Return one line; blanks at its end are left out before colours come to it."""
    last = max((number for number, text in enumerate(texts) if text.strip()), default=0)
    parts: list[str] = []
    for number, (text, cell) in enumerate(zip(texts, cells, strict=True)):
        if number > last:
            break
        blanks = "" if number == last else " " * (cell.width - display_width(text) + GAP)
        parts.append((sheet.ink(text, cell.style) if cell.style and text.strip() else text) + blanks)
    return " " * GAP + "".join(parts)


def _folded(row: DiffRow, widths: Widths, sheet: Sheet) -> list[str]:
    start = widths.before + _NESTED * row.depth
    things = counted(row.hidden, "field" if row.depth else "column")
    return [" " * start + sheet.ink(shortened(f"{ELLIPSIS} {things} unchanged", sheet.width - start), "quiet")]


def _fitted(text: str, width: int, sheet: Sheet, *, hang: int = 0) -> tuple[str, ...]:
    """Return the lines of a cell: cut for somebody who looks at it, else as many as it takes."""
    if display_width(text) <= width:
        return (text,)
    if sheet.shortens:
        return (shortened(text, width),)
    return tuple(pieces_of(text, width, hang=min(hang, width // 2)))


# ---------------------------------------------------------------- words and colours


def _value(side: Side) -> str:
    return clean(without_credentials(side.type))


def _told(row: DiffRow) -> tuple[RowKind, ...]:
    """Return the kinds of a row that its line names."""
    return row.kinds[:1] if row.kinds[:1] in ((RowKind.ADDED,), (RowKind.DROPPED,)) else row.kinds


def _words(row: DiffRow) -> str:
    words: list[str] = []
    for kind in _told(row):
        if kind is RowKind.MOVED and row.places is not None:
            words.append(f"moved {row.places[0]:,} -> {row.places[1]:,}")
        else:
            words.append(kind.value)
    return ", ".join(words)


def _style(row: DiffRow, kinds: frozenset[RowKind]) -> str:
    """Return the colour of a cell, by what of it differs."""
    return _main_style([kind for kind in row.kinds if kind in kinds])


def _main_style(kinds: Sequence[RowKind]) -> str:
    if not kinds:
        return ""
    return next((kind.value for kind in kinds if kind in _STYLED), "changed")

"""Rows of one line each, however wide the terminal is: what does not fit is cut or left out, from the right."""

from collections.abc import Sequence

from airflow_provider_schemas.render.layout import GAP, display_width, padded, shortened

_LEAST = 6
"""A column that would be narrower than this, and than its cells, is left out."""
_FIRST = 3
"""So much of a line the first column has in any case: one third."""


def one_line_rows(rows: Sequence[Sequence[str]], width: int | None, *, indent: int = 0) -> list[str]:
    """Return a line for each row, its cells below those of the other rows; without a width nothing is cut.

    Columns stand in the order of their importance. A last cell before empty ones may take their place.
    """
    starts = _starts(rows, width, indent)
    return [_line(cells, starts, width) for cells in rows]


def _starts(rows: Sequence[Sequence[str]], width: int | None, indent: int) -> list[int]:
    """Return where each column begins, without those for which there is no room."""
    starts: list[int] = []
    at = indent
    for number, size in enumerate(_widths(rows, width)):
        if number and width is not None and at + min(_LEAST, size) > width:
            break
        starts.append(at)
        at += size + GAP
    return starts


def _widths(rows: Sequence[Sequence[str]], width: int | None) -> list[int]:
    """Return the widths of the columns. A few long names in the first one are cut before the columns behind it are left out."""
    widths = [max(sizes, default=0) for sizes in _sizes(rows)]
    between = sum(widths[1:-1]) + GAP * (len(widths) - 1)
    if width is not None and len(widths) > 1:
        widths[0] = min(widths[0], max(width - between - min(_LEAST, widths[-1]), width // _FIRST))
    return widths


def _sizes(rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the widths of the cells of each column, without those that may take the place of empty ones."""
    columns: list[list[int]] = [[] for _ in rows[0]] if rows else []
    for cells in rows:
        end = _last(cells)
        for number, cell in enumerate(cells):
            if number < end or number in (0, len(cells) - 1):
                columns[number].append(display_width(cell))
    return columns


def _last(cells: Sequence[str]) -> int:
    """Return the number of the last cell that is not empty."""
    return max((number for number, cell in enumerate(cells) if cell), default=0)


def _line(cells: Sequence[str], starts: Sequence[int], width: int | None) -> str:
    end = min(_last(cells), len(starts) - 1)
    line = ""
    for number, start in enumerate(starts[: end + 1]):
        text = cells[number]
        if width is not None:
            limit = width if number == end else starts[number + 1] - GAP
            text = shortened(text, max(limit - start, 1))
        line = padded(line, start) + text
    return line.rstrip()

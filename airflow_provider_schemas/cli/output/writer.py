"""The parts of an answer as text or as Markdown. Every text from outside is made harmless here, and loses its secrets."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from msgspec.structs import replace

from airflow_provider_schemas.cli.arguments.options import COLORS
from airflow_provider_schemas.cli.output.result import Drawn, OneLineRows, Part, Rows, Shown, TextLine
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.render.api import markdown, text
from airflow_provider_schemas.render.layout import grid, paragraph
from airflow_provider_schemas.render.one_line import one_line_rows
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.terminal import is_terminal


def make_sheet(args: Namespace, now: datetime) -> Sheet:
    """Return the sheet that a text is written on: its width and colors."""
    sheet = Sheet.of(width=args.width, color=COLORS[args.color], stream=None, verbose=args.verbose, limit=LIMIT, now=now)
    is_looked_at = args.width is not None or is_terminal(sys.stdout)
    return replace(sheet, shortens=is_looked_at and not args.verbose)


def harmless(words: str) -> str:
    """Return a text on one line, without control characters of a terminal, and without passwords."""
    return without_credentials(clean(words))


# ---------------------------------------------------------------- text


def write_text(parts: Sequence[Part], sheet: Sheet) -> str:
    """Write the parts below each other."""
    lines = chain.from_iterable(_lines(part, sheet) for part in parts)
    return "\n".join(line.rstrip() for line in lines).replace(JOINED, " ")


def _lines(part: Part, sheet: Sheet) -> Sequence[str]:
    match part:
        case TextLine():
            return _wrapped(part, sheet)
        case Rows():
            return [*chain.from_iterable(grid(_cells(part), sheet.width, indent=part.indent))]
        case OneLineRows(cells, heads):
            return one_line_rows([list(map(harmless, row)) for row in (heads, *cells)], sheet.width if sheet.shortens else None)
        case Drawn(draw):
            return draw(sheet)
        case Shown():
            return _shown_lines(part, sheet)


def _wrapped(line: TextLine, sheet: Sheet) -> list[str]:
    words = harmless(line.text)
    if line.typed:  # to be pasted: a break could fall inside quotes
        return [" " * line.indent + words]
    if not line.text:
        return [""]
    return paragraph(words, sheet.width, indent=line.indent, hang=line.indent + line.hang)


def _shown_lines(part: Shown, sheet: Sheet) -> Sequence[str]:
    if part.body and isinstance(part.value, Plan):
        from airflow_provider_schemas.render.plan.text import body

        return body(part.value, sheet)
    whole = text(
        part.value,
        width=sheet.width,
        color=sheet.color,
        verbose=sheet.verbose,
        limit=sheet.limit,
        versions=part.versions,
        now=sheet.now,
    )
    return whole.splitlines()


def _cells(part: Rows) -> list[list[str]]:
    rows = [part.heads, *part.cells] if part.headed else part.cells
    return [list(map(harmless, row)) for row in rows]


# ---------------------------------------------------------------- Markdown


def write_markdown(parts: Sequence[Part], verbose: bool, now: datetime) -> str:
    """Write the parts as blocks; lines that follow each other are a list."""
    blocks: list[str] = []
    previous: Part | None = None
    for part in (part for part in parts if not isinstance(part, Drawn)):
        continues_list = isinstance(part, TextLine) and isinstance(previous, TextLine)
        block = _block(part, verbose, now)
        if block and blocks and not continues_list:
            blocks.append("")
        if block:
            blocks.append(block)
        previous = part
    return "\n".join(blocks) + "\n" if blocks else ""


def _block(part: Part, verbose: bool, now: datetime) -> str:
    match part:
        case TextLine():
            return _list_item(part)
        case Rows(cells, heads) | OneLineRows(cells, heads):
            return "\n".join(_table_lines(heads, cells))
        case Drawn():
            return ""
        case Shown(value, versions, _):
            return markdown(value, verbose=verbose, versions=versions, now=now).rstrip("\n")


def _list_item(line: TextLine) -> str:
    from airflow_provider_schemas.render.escaping import inline

    words = harmless(line.text)
    if not words:
        return ""
    return f"- {inline(words, typed=line.typed)}"


def _table_lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    from airflow_provider_schemas.render.escaping import prose

    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join(['---'] * len(heads))} |"
    for row in rows:
        yield f"| {' | '.join(prose(harmless(cell)) for cell in row)} |"

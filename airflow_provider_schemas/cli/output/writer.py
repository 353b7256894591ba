"""The parts of an answer as text or as Markdown. Every text from outside is made harmless here, and loses its secrets."""

from argparse import Namespace
from collections.abc import Sequence
from datetime import datetime

from airflow_provider_schemas.cli.output.result import Line, Part, Rows, Shown
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.render.api import markdown, text
from airflow_provider_schemas.render.layout import grid, paragraph
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.sanitize import JOINED, clean

_HANG = 4


def sheet_of(args: Namespace, now: datetime) -> Sheet:
    """What the text is written on."""
    color = False if args.no_color else None
    return Sheet.of(width=args.width, color=color, stream=None, verbose=args.verbose, limit=LIMIT, now=now)


def harmless(said: str) -> str:
    """The text on one line, without what a terminal would obey, and without passwords."""
    return without_credentials(clean(said))


# ---------------------------------------------------------------- text


def text_of(parts: Sequence[Part], sheet: Sheet) -> str:
    """The parts below each other."""
    lines = [line.rstrip() for part in parts for line in _lines(part, sheet)]
    return "\n".join(lines).replace(JOINED, " ")


def _lines(part: Part, sheet: Sheet) -> list[str]:
    match part:
        case Line(said, indent, typed):
            if typed:  # to be pasted: a break could fall inside quotes
                return [" " * indent + harmless(said)]
            return paragraph(harmless(said), sheet.width, indent=indent, hang=indent + _HANG) if said else [""]
        case Rows():
            return [line for row in grid(_cells(part), sheet.width, indent=part.indent) for line in row]
        case Shown(value, versions, only_body):
            if only_body and isinstance(value, Plan):
                from airflow_provider_schemas.render.plan.text import body

                return body(value, sheet)
            shown = text(
                value, width=sheet.width, color=sheet.color, verbose=sheet.verbose, limit=sheet.limit, versions=versions, now=sheet.now
            )
            return shown.splitlines()


def _cells(part: Rows) -> list[list[str]]:
    rows = [part.heads, *part.cells] if part.headed else part.cells
    return [[harmless(cell) for cell in row] for row in rows]


# ---------------------------------------------------------------- Markdown


def markdown_of(parts: Sequence[Part], verbose: bool, now: datetime) -> str:
    """The parts as blocks; lines that follow each other are a list."""
    blocks: list[str] = []
    for number, part in enumerate(parts):
        goes_on = bool(number) and isinstance(part, Line) and isinstance(parts[number - 1], Line)
        block = _block(part, verbose, now)
        if block:
            blocks += [block] if goes_on or not blocks else ["", block]
    return "\n".join(blocks) + "\n"


def _block(part: Part, verbose: bool, now: datetime) -> str:
    from airflow_provider_schemas.render.escaping import code, prose

    match part:
        case Line(said, _, typed):
            said = harmless(said)
            return f"- {code(said) if typed else prose(said)}" if said else ""
        case Rows(cells, heads):
            rows = [heads, ["---"] * len(heads), *([prose(harmless(cell)) for cell in row] for row in cells)]
            return "\n".join(f"| {' | '.join(row)} |" for row in rows)
        case Shown(value, versions, _):
            return markdown(value, verbose=verbose, versions=versions, now=now).rstrip("\n")

"""The parts of an answer as one HTML file; a value that has a template of its own is shown by that."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from datetime import datetime

from msgspec import Struct

from airflow_provider_schemas.cli.output.result import Answer, Drawn, OneLineRows, Part, Rows, Shown, TextLine
from airflow_provider_schemas.cli.output.writer import harmless
from airflow_provider_schemas.render.findings.text import PROGRAM
from airflow_provider_schemas.render.html.api import document, links_to, piece, rendered_document
from airflow_provider_schemas.render.version_entries import NOTHING, Versions

_INDENT = 2
_DEEPEST = 3


class HtmlPart(Struct, frozen=True, kw_only=True):
    """One part of an answer as its template takes it: one of a value, rows, lines and a text."""

    template: str = ""
    value: object = None
    versions: Versions = NOTHING
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[str] = ()
    text: str = ""
    level: int = 0
    typed: bool = False

    @property
    def is_command(self) -> bool:
        """Return whether the text is a command of ours, to be copied whole."""
        return self.typed and self.text.startswith(PROGRAM)


def write_html(answer: Answer, parts: Sequence[Part], args: Namespace, now: datetime, completed: Callable[[str], str]) -> str:
    """Write an answer as one file: the value that it gives for HTML, else its parts, and the text that it has for a program."""
    docs = args.docs or ""
    if answer.page is not None:
        return document(answer.page(), docs=docs, now=now)
    title, rest = _title(answer, parts, args)
    shown = [*map(_html_part, (part for part in rest if not isinstance(part, Drawn | TextLine) or _says_something(part)))]
    if answer.text:
        shown.append(HtmlPart(lines=answer.text.splitlines()))
    return rendered_document(
        "parts.html", {"title": title, "parts": shown, "links": links_to(docs), "completed": completed, "now": now, "table": ""}
    )


def _says_something(part: Drawn | TextLine) -> bool:
    return isinstance(part, TextLine) and bool(part.text)


def _title(answer: Answer, parts: Sequence[Part], args: Namespace) -> tuple[str, Sequence[Part]]:
    """Return the first line of an answer as the title, and the other parts; the command of verdicts, and without such a line."""
    first = parts[0] if parts and answer.judged is None else None
    if isinstance(first, TextLine) and first.text and not first.typed and not first.indent:
        return harmless(first.text), parts[1:]
    return f"{PROGRAM}{args.command}", parts


def _html_part(part: Part) -> HtmlPart:
    match part:
        case TextLine(text, indent, typed):
            return HtmlPart(text=harmless(text), level=min(indent // _INDENT, _DEEPEST), typed=typed)
        case Rows(cells, heads) | OneLineRows(cells, heads):
            return HtmlPart(heads=heads, rows=[list(map(harmless, row)) for row in cells])
        case Shown(value, versions):
            shown = piece(value, versions=versions)
            return HtmlPart(template=shown.template, value=shown.value, versions=shown.versions)
        case Drawn():
            raise AssertionError("what is drawn for a terminal is left out before")

"""The style sheet and the script of all pages, under names that change with their contents."""

import hashlib
from functools import cache
from pathlib import Path

from msgspec import Struct

from airflow_provider_schemas.render.html import stylesheet

PAGES = Path(__file__).parents[1] / "templates"
"""The templates of the pages, and what they add to style sheet and script."""


class PageFile(Struct, frozen=True):
    """A file that pages refer to."""

    name: str
    media_type: str
    text: str


@cache
def style_sheet() -> PageFile:
    """Return the style of all pages: that of the pieces, then that of the frame around them."""
    return _page_file("css", "text/css", [stylesheet.stylesheet(), *_texts("*.css")])


@cache
def script() -> PageFile:
    """Return the script of all pages: that of the pieces, then what pages add."""
    return _page_file("js", "text/javascript", [stylesheet.script(), *_texts("*.js")])


def _texts(pattern: str) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(PAGES.glob(pattern))]


def _page_file(ending: str, media_type: str, texts: list[str]) -> PageFile:
    text = "\n".join(texts)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return PageFile(f"page.{digest}.{ending}", media_type, text)

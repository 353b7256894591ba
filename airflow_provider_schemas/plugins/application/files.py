"""The style sheet and the script of all pages, under names that change with their contents."""

import hashlib
from functools import cache
from pathlib import Path

from msgspec import Struct

from airflow_provider_schemas.render.html.environment import TEMPLATES

PAGES = Path(__file__).parents[1] / "templates"
"""The templates of the pages, and what they add to style sheet and script."""
# The order counts: later rules win.
_STYLES = ("theme.css", "page.css", "pictures.css")
_SCRIPTS = ("page.js",)


class PageFile(Struct, frozen=True):
    """A file that pages refer to."""

    name: str
    media_type: str
    content: bytes


@cache
def style_sheet() -> PageFile:
    """Return the style sheet: that of the pieces, then that of the pages."""
    paths = [*(TEMPLATES / name for name in _STYLES), *sorted(PAGES.glob("*.css"))]
    return _page_file("css", "text/css", paths)


@cache
def script() -> PageFile:
    """Return the script: that of the pieces, then that of the pages."""
    paths = [*(TEMPLATES / name for name in _SCRIPTS), *sorted(PAGES.glob("*.js"))]
    return _page_file("js", "text/javascript", paths)


def _page_file(ending: str, media_type: str, paths: list[Path]) -> PageFile:
    content = b"\n".join(path.read_bytes() for path in paths if path.exists())
    digest = hashlib.sha256(content).hexdigest()[:16]
    return PageFile(f"page.{digest}.{ending}", media_type, content)

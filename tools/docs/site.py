"""The pages as HTML: one folder that any browser reads, without scripts and without anything from elsewhere."""

import html
import posixpath
import shutil
from pathlib import Path, PurePosixPath

from tools.docs.links import FRONT, Pages, is_outside, resolve
from tools.docs.page import MARKDOWN, Page

SECTIONS = {"start": "Start", "how-to": "How to", "rules": "Rules", "reference": "Reference", "why": "Why"}
STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
nav a:first-child { font-weight: 600; margin-right: auto; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 0.75rem; }
h1 { font-size: 1.9rem; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; background: var(--soft); border-radius: 4px; }
code { padding: 0.1em 0.3em; }
pre { padding: 0.75rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; font-size: 1em; }
pre:has(.language-output), pre:has(.language-text) { background: none; border: 1px solid var(--line); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.7rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
"""


def place(path: PurePosixPath, pages: Pages) -> PurePosixPath:
    """Where a file of the repository lies in the site: pages by their section, everything else as it is under files/."""
    if path not in pages:
        return "files" / path
    inside = path.relative_to("docs") if path.parts[0] == "docs" else "project" / path
    return inside.with_suffix(".html")


def write(root: Path, out: Path, pages: Pages) -> None:
    shutil.rmtree(out, ignore_errors=True)
    for page in pages.values():
        for path in _point(page, pages):
            _copy(root / path, out / place(path, pages))
        target = out / place(page.path, pages)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_document(page, pages), "utf-8")


def _point(page: Page, pages: Pages) -> list[PurePosixPath]:
    """Turn the links of a page into links of the site; the files among them, to be copied."""
    files = []
    for link in page.links:
        if not is_outside(link.target):
            path, anchor = resolve(page, link.target)
            link.token.attrSet("src" if link.token.type == "image" else "href", _way(page, path, pages) + (anchor and f"#{anchor}"))
            files += [path] if path not in pages else []
    return files


def _way(page: Page, path: PurePosixPath, pages: Pages) -> str:
    return posixpath.relpath(place(path, pages), place(page.path, pages).parent)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _document(page: Page, pages: Pages) -> str:
    body = MARKDOWN.renderer.render(page.tokens, MARKDOWN.options, {})
    doors = {FRONT: "airflow-provider-schemas", **{PurePosixPath("docs", name, "index.md"): text for name, text in SECTIONS.items()}}
    links = "\n".join(f'<a href="{_way(page, path, pages)}">{text}</a>' for path, text in doors.items() if path in pages)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(page.titles[0])}</title>
<style>{STYLE}</style>
</head>
<body>
<nav>
{links}
</nav>
<main>
{body}</main>
</body>
</html>
"""

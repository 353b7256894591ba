"""What a reader can follow: every link leads somewhere, every image is there, and every page can be reached."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from tools.docs.page import Link, Page, Problem

FRONT = PurePosixPath("docs/index.md")
Pages = Mapping[PurePosixPath, Page]


def is_outside(target: str) -> bool:
    """A link that leaves the repository."""
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def resolve(page: Page, target: str) -> tuple[PurePosixPath, str]:
    """The file that a link names, from the top of the repository, and the anchor in it."""
    name, _, anchor = target.partition("#")
    path = posixpath.normpath(page.path.parent / unquote(name)) if name else page.path
    return PurePosixPath(path), unquote(anchor)


def problems(root: Path, pages: Pages) -> Iterator[Problem]:
    for page in pages.values():
        for link in page.links:
            message = _image(root, page, link) if link.token.type == "image" else _link(root, pages, page, link)
            if message:
                yield Problem(page.path, link.line, message)
    for path in sorted(pages.keys() - _reachable(pages)):
        yield Problem(path, 1, f"no link leads here from {FRONT}.")


def _image(root: Path, page: Page, link: Link) -> str:
    if is_outside(link.target):
        return f"the image {link.target} would be loaded from elsewhere: keep it beside the page."
    if not _is_ours(root, resolve(page, link.target)[0]):
        return f"there is no image {link.target}."
    return "" if link.token.content else f"the image {link.target} has no text for those who cannot see it."


def _link(root: Path, pages: Pages, page: Page, link: Link) -> str:
    if is_outside(link.target):
        return ""
    path, anchor = resolve(page, link.target)
    if not _is_ours(root, path):
        return f"the link {link.target} leads to no file."
    if anchor and (path not in pages or anchor not in pages[path].anchors):
        return f"the link {link.target} names no heading of {path}."
    return ""


def _is_ours(root: Path, path: PurePosixPath) -> bool:
    return not path.is_absolute() and ".." not in path.parts and (root / path).is_file()


def _reachable(pages: Pages) -> set[PurePosixPath]:
    reached: set[PurePosixPath] = set()
    waiting = [FRONT]
    while waiting:
        path = waiting.pop()
        if path in pages and path not in reached:
            reached.add(path)
            waiting += [resolve(pages[path], link.target)[0] for link in pages[path].links if not is_outside(link.target)]
    return reached

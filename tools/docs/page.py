"""One Markdown page as markdown-it reads it: title, anchors, links and code blocks, each with its line."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Raw HTML is switched off, so that no page can carry markup that the builder has not escaped.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


class Problem(NamedTuple):
    """Something that stops the build, and where."""

    page: PurePosixPath
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.message}"


class Link(NamedTuple):
    """A link or an image."""

    token: Token
    target: str
    line: int


class Block(NamedTuple):
    """A code block. `file` is the name it is kept under; `follows` says that no prose stands between it and the block before."""

    language: str
    file: str
    text: str
    line: int
    follows: bool


class Page(NamedTuple):
    """A page, with its path from the top of the repository."""

    path: PurePosixPath
    tokens: list[Token]
    titles: tuple[str, ...]
    anchors: frozenset[str]
    links: tuple[Link, ...]
    blocks: tuple[Block, ...]


def read(root: Path, path: PurePosixPath) -> Page:
    """Read one page and give its headings the ids that links name."""
    tokens = MARKDOWN.parse((root / path).read_text("utf-8"))
    headings = [(token, inline) for token, inline in pairwise(tokens) if token.type == "heading_open"]
    titles = tuple(_words(inline) for token, inline in headings if token.tag == "h1")
    return Page(path, tokens, titles, frozenset(_name(headings)), tuple(_links(tokens)), tuple(_blocks(tokens)))


def _words(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})


def _name(headings: Iterable[tuple[Token, Token]]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for token, inline in headings:
        anchor = re.sub(r"[^\w\- ]", "", _words(inline).lower()).replace(" ", "-")
        seen[anchor] += 1
        # Code hosts count a repeated heading in this way, and the pages are read there too.
        name = anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor] - 1}"
        token.attrSet("id", name)
        yield name


def _links(tokens: Iterable[Token]) -> Iterator[Link]:
    for token in tokens:
        line = token.map[0] + 1 if token.map else 0
        for child in token.children or ():
            if child.type in {"link_open", "image"}:
                yield Link(child, str(child.attrGet("href") or child.attrGet("src") or ""), line)


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type in {"fence", "code_block"}:
            language, _, rest = token.info.strip().partition(" ")
            file = rest.strip().removeprefix("file=")
            line = token.map[0] + 1 if token.map else 0
            yield Block(language, file, token.content, line, before is not None and before.type == "fence")

"""Look at the HTML of a cell: what a notebook must not get from us."""

from html.parser import HTMLParser

_FORBIDDEN = frozenset({"script", "iframe", "object", "embed", "link", "meta", "base", "form", "img"})
_VOID = frozenset({"br", "hr", "input", "wbr", "col"})
_ADDRESSES = frozenset({"href", "src", "srcset", "action", "formaction", "poster", "background"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _FORBIDDEN:
            self.problems.append(f"<{tag}>")
        self.problems += [f"{tag} {key}={value}" for key, value in attrs if key in _ADDRESSES or key.startswith("on") or key == "style"]
        if tag == "th" and "scope" not in dict(attrs):
            self.problems.append("th without scope")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style" and ("url(" in data or "@import" in data):
            self.problems.append("a resource in the style")


def problems(html: str) -> list[str]:
    """Return what is wrong with a cell: scripts, handlers, styles of elements, addresses, tags that do not match."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [*reader.problems, *(f"<{tag}> is not closed" for tag in reader.open)]

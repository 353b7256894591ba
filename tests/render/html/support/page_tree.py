"""What a browser finds in a page: elements with their attributes, addresses and texts."""

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser

Element = tuple[str, tuple[str, ...]]
_WITHOUT_END = frozenset({"meta", "link", "br", "hr", "img", "input", "rect"})
_ADDRESSES = frozenset({"href", "src", "action", "formaction", "srcset", "poster", "data", "xlink:href"})


class PageTree(HTMLParser):
    """A page that was read."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.unclosed: list[str] = []
        self.odd_ends: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _WITHOUT_END:
            self.unclosed.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if self.unclosed and self.unclosed[-1] == tag:
            self.unclosed.pop()
        else:
            self.odd_ends.append(tag)

    def handle_data(self, data: str) -> None:
        if not self.unclosed or self.unclosed[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def shape(self) -> Counter[Element]:
        """How many elements there are of each name, with the names of their attributes."""
        return Counter((tag, tuple(sorted(attributes))) for tag, attributes in self.elements)

    @property
    def text(self) -> str:
        """The words of the page, blanks as one."""
        return " ".join(" ".join(self.texts).split())

    def values(self, attribute: str) -> list[str]:
        """The values of an attribute, in the order of the page."""
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]

    def addresses(self) -> Iterator[str]:
        """Yield everything that a browser would go to or load."""
        for _, attributes in self.elements:
            yield from (value for name, value in attributes.items() if name in _ADDRESSES)

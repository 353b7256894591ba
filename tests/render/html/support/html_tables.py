"""HTML as a test reads it: its elements, whether they are nested rightly, and the cells of its tables."""

from html.parser import HTMLParser
from typing import NamedTuple

# Elements without an end.
_VOID = frozenset({"meta", "br", "hr", "img", "input", "link", "wbr", "base"})


class TableCell(NamedTuple):
    """A cell: its text, its class, and how many columns it takes."""

    text: str
    classes: str
    span: int


class TableRow(NamedTuple):
    """A row of the body of a table."""

    table: str
    """The class of the table."""
    classes: str
    cells: tuple[TableCell, ...]


class ReadHtml(HTMLParser):
    """The elements of a page or a piece."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.rows: list[TableRow] = []
        self.heads: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self._table = ""
        self._in_head = False
        self._row = ""
        self._cells: list[TableCell] = []
        self._cell: list[str] | None = None
        self._attributes: dict[str, str] = {}
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag not in _VOID:
            self._open.append(tag)
        match tag:
            case "table":
                self._table = attributes.get("class", "")
            case "thead":
                self._in_head = True
            case "tr":
                self._row = attributes.get("class", "")
                self._cells = []
            case "td" | "th":
                self._cell = []
                self._attributes = attributes

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"closed, but not open: {tag}"
        assert self._open[-1] == tag, f"{tag} is closed inside of {self._open[-1]}"
        self._open.pop()
        match tag:
            case "thead":
                self._in_head = False
            case "td" | "th":
                self._close_cell()
            case "tr" if not self._in_head:
                self.rows.append(TableRow(self._table, self._row, tuple(self._cells)))

    def _close_cell(self) -> None:
        text = " ".join("".join(self._cell or ()).split())
        self._cell = None
        if self._in_head:
            self.heads.append(text)
            return
        self._cells.append(TableCell(text, self._attributes.get("class", ""), int(self._attributes.get("colspan", "1"))))

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._cell is not None:
            self._cell.append(data)

    def rows_of(self, table: str) -> list[TableRow]:
        """Return the rows of the tables of a class."""
        return [row for row in self.rows if row.table == table]

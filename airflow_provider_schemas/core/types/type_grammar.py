"""SQL text of data types, read: the words, and the grammar over them.

Two dialects share one parser. The strict one is what Paimon accepts in a schema file, where text
never describes ARRAY<..>, MAP<..>, MULTISET<..> or ROW<..>. The one for people (`nested`) takes those
too, and lists of columns with comments and defaults.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types import atomic
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import KINDS, MAX_LENGTH, Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, array, field, map_of, multiset, row, vector
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, TypeTextError

# Schemas of 10,000 columns are a third of a megabyte.
MAX_TEXT = 16_000_000
_SHOWN = 200  # of the name of a broken column


class Token(NamedTuple):
    """A word of the text. Kinds: int, string, name (in back-quotes), mark, word, key (a keyword), open (a quote), end."""

    kind: str
    text: str
    start: int
    stop: int


_TOKEN = re.compile(
    r"""\s*(?:(?P<int>[0-9]+) | '(?P<string>(?:[^']|'')*)' | `(?P<name>(?:[^`]|``)*)` | (?P<mark>[<>(),.])
        | (?P<word>[^\s<>(),.'`0-9][^\s<>(),.]*) | (?P<open>['`]))""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(
    "CHAR VARCHAR STRING BOOLEAN BINARY VARBINARY BYTES DECIMAL NUMERIC DEC TINYINT SMALLINT INT INTEGER BIGINT FLOAT DOUBLE"
    " PRECISION DATE TIME WITH WITHOUT LOCAL ZONE TIMESTAMP TIMESTAMP_LTZ INTERVAL YEAR MONTH DAY HOUR MINUTE SECOND TO ARRAY"
    " VECTOR MULTISET MAP ROW NULL RAW LEGACY VARIANT BLOB GEOMETRY GEOGRAPHY NOT".split()
)
_DOUBLED = {"string": "'", "name": "`"}


def tokens(text: str) -> Iterator[Token]:
    """The words of the text, one by one, then an end that repeats."""
    position = 0
    while found := _TOKEN.match(text, position):
        kind = str(found.lastgroup)
        word = found[kind]
        start, position = found.start(kind), found.end()
        if kind in _DOUBLED:
            start -= 1
            word = word.replace(_DOUBLED[kind] * 2, _DOUBLED[kind])
        if kind == "word" and word.upper() in _KEYWORDS:
            kind, word = "key", word.upper()
        yield Token(kind, word, start, position)
    while True:
        yield Token("end", "", len(text), len(text))


class Parser:
    """Reads one text. Positions go into messages, so that a long text shows where it breaks."""

    help = "See docs/reference/types.md for the names and their parameters."

    def __init__(self, text: str, *, nested: bool) -> None:
        self.text = text
        self.nested = nested
        self.source = tokens(text)
        self.token = next(self.source)
        self.ahead = next(self.source)
        self.last_id = -1

    # ------------------------------------------------------------ words

    def take(self) -> Token:
        """The current word; the next one becomes current."""
        taken, self.token, self.ahead = self.token, self.ahead, next(self.source)
        return taken

    def at(self, *words: str) -> bool:
        """Whether the next one or two words are these keywords or marks."""
        seen = (self.token, self.ahead)[: len(words)]
        return all(one.kind in ("key", "mark") and one.text == word for one, word in zip(seen, words, strict=True))

    def skip(self, *words: str) -> bool:
        """Take these keywords or marks if they come next."""
        here = self.at(*words)
        for _ in words if here else ():
            self.take()
        return here

    def expect(self, word: str) -> Token:
        """Take this keyword or mark, which must come next."""
        if not self.at(word):
            self.refuse("syntax", f"expected {word!r}")
        return self.take()

    def refuse(self, code: str, wanted: str) -> NoReturn:
        """Say what stands here and what should."""
        if self.token.kind in ("end", "open"):
            code = "unexpected-end"
        here = f"{shown(self.token.text)} at character {self.token.start + 1}" if self.token.kind != "end" else "the end of the text"
        message = f"cannot read {shown(self.text)}: {wanted}, found {here}."
        raise TypeTextError(message, code=f"type.parse.{code}", fix=self.help)

    def number(self) -> int:
        """An unsigned integer of at most 31 bits."""
        if self.token.kind != "int":
            self.refuse("int-expected", "expected a whole number")
        if len(self.token.text) > 10 or int(self.token.text) > 2**31 - 1:
            self.refuse("int-overflow", "expected a number up to 2147483647")
        return int(self.take().text)

    # ------------------------------------------------------------ types

    def whole_type(self) -> DataType:
        """A type, and nothing after it."""
        kind = self.type(0)
        if self.token.kind != "end":
            self.refuse("trailing-token", f"expected nothing after {shown(str(kind))}")
        return kind

    def type(self, depth: int) -> DataType:
        """A type with its nullability and at most one suffix ARRAY or MULTISET."""
        if depth > MAX_DEPTH:
            raise TypeTextError(f"types are nested deeper than {MAX_DEPTH} levels.", code="type.too-deep", fix="Flatten the schema.")
        if self.token.kind != "key":
            self.refuse("unknown-name", "expected the name of a data type")
        kind = self.base(depth).with_nullable(self.nullable())
        for word, wrap in (("ARRAY", array), ("MULTISET", multiset)):
            if self.skip(word):
                return wrap(kind).with_nullable(self.nullable())
        return kind

    def nullable(self) -> bool:
        """The nullability that stands here; nothing means nullable."""
        if self.skip("NOT", "NULL"):
            return False
        self.skip("NULL")
        return True

    def base(self, depth: int) -> DataType:
        """A type without its nullability."""
        read = (_NESTED if self.nested else _STRICT).get(self.token.text)
        if read is None:
            self.refuse("unsupported-keyword", "this word names no type here")
        self.take()
        return read(self, depth + 1)

    # ------------------------------------------------------------ columns

    def columns(self, close: str | None, depth: int) -> tuple[Field, ...]:
        """Columns up to the closing mark, or to the end. A broken column is reported and the next one read."""
        faults: list[Fault] = []
        fields: list[Field] = []
        while close is None or fields or faults or not self.at(close):
            label = self.token.text[:_SHOWN]
            try:
                fields.append(self.column(depth))
            except TypeTextError as error:
                faults.extend(fault.at(label) for fault in error.faults)
                if len(faults) >= MAX_FAULTS:
                    break
                self.recover(close)
            if not self.skip(","):
                break
        if not faults and not self.closed(close):
            self.refuse("syntax", "expected ',' and the next column")
        if faults:
            raise TypeTextError.of(faults)
        return tuple(fields)

    def closed(self, close: str | None) -> bool:
        return self.token.kind == "end" if close is None else self.at(close)

    def column(self, depth: int) -> Field:
        """Name, type, comment, default: `a` INT NOT NULL COMMENT 'x' DEFAULT 5."""
        name = self.name()
        self.last_id += 1
        number = self.last_id
        if self.token.kind == "end" or self.at(","):
            self.refuse("syntax", f"expected the type of column {shown(name)}")
        kind = self.type(depth)
        description = default = None
        while word := self.clause():
            if (description if word == "COMMENT" else default) is not None:
                self.refuse("syntax", f"{word} may stand once")
            if word == "COMMENT":
                description = self.string()
            else:
                default = self.expression()
        return field(number, name, kind, description, default)

    def name(self) -> str:
        """The name of a column, which may be a keyword."""
        if self.token.kind not in ("name", "word", "key"):
            self.refuse("syntax", "expected the name of a column")
        token = self.take()
        name = self.text[token.start : token.stop] if token.kind == "key" else token.text
        if len(name) > MAX_NAME:
            fix = f"Keep names below {MAX_NAME}."
            raise TypeTextError(f"a name has {len(name)} characters.", code="fields.name-too-long", fix=fix)
        return name

    def clause(self) -> str | None:
        """COMMENT or DEFAULT, if one of them comes next."""
        word = self.token.text.upper() if self.token.kind == "word" else ""
        return self.take().text.upper() if word in ("COMMENT", "DEFAULT") else None

    def string(self) -> str:
        if self.token.kind != "string":
            self.refuse("syntax", "expected text in single quotes")
        return self.take().text

    def expression(self) -> str:
        """The raw text of a default value, up to the next clause, comma or closing mark outside brackets."""
        start, stop, depth = self.token.start, self.token.start, 0
        while self.token.kind != "end" and not (depth == 0 and (self.at(",") or self.at(">") or self.at(")") or self.comment_next())):
            depth += {"(": 1, ")": -1}.get(self.token.text, 0) if self.token.kind == "mark" else 0
            stop = self.take().stop
        if start == stop:
            self.refuse("syntax", "expected a default value")
        return self.text[start:stop]

    def comment_next(self) -> bool:
        return self.token.kind == "word" and self.token.text.upper() == "COMMENT" and self.ahead.kind == "string"

    def recover(self, close: str | None) -> None:
        """Go to the next comma outside brackets, or to the end of the list, so that the columns after a broken one are read too."""
        depth = 0
        while self.token.kind != "end" and not (depth <= 0 and (self.at(",") or (close is not None and self.at(close)))):
            depth += {"(": 1, "<": 1, ")": -1, ">": -1}.get(self.token.text, 0) if self.token.kind == "mark" else 0
            self.take()


# ---------------------------------------------------------------- the names of types

_Reader = Callable[[Parser, int], DataType]


def _plain(root: Root) -> _Reader:
    return lambda parser, depth: atomic.atomic(root)


def _with(root: Root, name: str) -> _Reader:
    return lambda parser, depth: atomic.atomic(root, **_parameter(parser, name))


def _parameter(parser: Parser, name: str) -> dict[str, Any]:
    if not parser.skip("("):
        return {}
    value = {name: parser.number()}
    parser.expect(")")
    return value


def _longest(root: Root) -> _Reader:
    return lambda parser, depth: atomic.atomic(root, length=MAX_LENGTH)


def _decimal(parser: Parser, depth: int) -> DataType:
    values: dict[str, Any] = {}
    if parser.skip("("):
        values["precision"] = parser.number()
        if parser.skip(","):
            values["scale"] = parser.number()
        parser.expect(")")
    return atomic.atomic(Root.DECIMAL, **values)


def _double(parser: Parser, depth: int) -> DataType:
    parser.skip("PRECISION")
    return atomic.atomic(Root.DOUBLE)


def _time(parser: Parser, depth: int) -> DataType:
    values = _parameter(parser, "precision")
    if parser.skip("WITHOUT"):
        parser.expect("TIME")
        parser.expect("ZONE")
    return atomic.atomic(Root.TIME, **values)


def _timestamp(parser: Parser, depth: int) -> DataType:
    values = _parameter(parser, "precision")
    if parser.skip("WITHOUT"):
        parser.expect("TIME")
        parser.expect("ZONE")
    elif parser.skip("WITH") and parser.skip("LOCAL"):  # a bare WITH is let through, as Java does
        parser.expect("TIME")
        parser.expect("ZONE")
        return atomic.atomic(Root.TIMESTAMP_LTZ, **values)
    return atomic.atomic(Root.TIMESTAMP, **values)


def _geo(root: Root) -> _Reader:
    names = list(KINDS[root].defaults)

    def read(parser: Parser, depth: int) -> DataType:
        values: dict[str, Any] = {}
        while parser.skip("(" if not values else ",") if len(values) < len(names) else False:
            values[names[len(values)]] = _geo_text(parser)
        if values:
            parser.expect(")")
        if "algorithm" in values:
            values["algorithm"] = values["algorithm"].lower()
        return atomic.atomic(root, **values)

    return read


def _geo_text(parser: Parser) -> str:
    if parser.token.kind not in ("word", "name", "string", "key"):
        parser.refuse("geo-parameter", "expected a name or text in single quotes")
    token = parser.take()
    return parser.text[token.start : token.stop] if token.kind == "key" else token.text


def _vector(parser: Parser, depth: int) -> DataType:
    parser.expect("<")
    element = parser.type(depth)
    parser.expect(",")
    length = parser.number()
    parser.expect(">")
    return vector(element, length)


def _array(parser: Parser, depth: int) -> DataType:
    parser.expect("<")
    element = parser.type(depth)
    parser.expect(">")
    return array(element)


def _multiset(parser: Parser, depth: int) -> DataType:
    parser.expect("<")
    element = parser.type(depth)
    parser.expect(">")
    return multiset(element)


def _map(parser: Parser, depth: int) -> DataType:
    parser.expect("<")
    key = parser.type(depth)
    parser.expect(",")
    value = parser.type(depth)
    parser.expect(">")
    return map_of(key, value)


def _row(parser: Parser, depth: int) -> DataType:
    close = ")" if parser.skip("(") else ">"
    if close == ">":
        parser.expect("<")
    fields = parser.columns(close, depth)
    parser.expect(close)
    return row(fields)


_STRICT: dict[str, _Reader] = {
    "CHAR": _with(Root.CHAR, "length"),
    "VARCHAR": _with(Root.VARCHAR, "length"),
    "STRING": _longest(Root.VARCHAR),
    "BOOLEAN": _plain(Root.BOOLEAN),
    "BINARY": _with(Root.BINARY, "length"),
    "VARBINARY": _with(Root.VARBINARY, "length"),
    "BYTES": _longest(Root.VARBINARY),
    "DECIMAL": _decimal,
    "DEC": _decimal,
    "NUMERIC": _decimal,
    "TINYINT": _plain(Root.TINYINT),
    "SMALLINT": _plain(Root.SMALLINT),
    "INT": _plain(Root.INTEGER),
    "INTEGER": _plain(Root.INTEGER),
    "BIGINT": _plain(Root.BIGINT),
    "FLOAT": _plain(Root.FLOAT),
    "DOUBLE": _double,
    "DATE": _plain(Root.DATE),
    "TIME": _time,
    "TIMESTAMP": _timestamp,
    "TIMESTAMP_LTZ": _with(Root.TIMESTAMP_LTZ, "precision"),
    "VARIANT": _plain(Root.VARIANT),
    "BLOB": _plain(Root.BLOB),
    "GEOMETRY": _geo(Root.GEOMETRY),
    "GEOGRAPHY": _geo(Root.GEOGRAPHY),
    "VECTOR": _vector,
}
_NESTED = _STRICT | {"ARRAY": _array, "MULTISET": _multiset, "MAP": _map, "ROW": _row}

"""The grammar of SQL text for data types.

Two dialects share one parser. The strict one is what Paimon accepts in a schema file, where text
never describes ARRAY<..>, MAP<..>, MULTISET<..> or ROW<..>; and OPAQUE(..), a type of another format,
which Paimon does not know: no table that Paimon or we write may have it. The one for people (`nested`)
takes containers too, and lists of columns with comments and defaults.
"""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types import atomic
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import KINDS, MAX_LENGTH, Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, array, field, map_of, multiset, row, vector
from airflow_provider_schemas.core.types.type_tokens import TypeToken, tokens
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, TypeTextError

# Schemas of 10,000 columns are a third of a megabyte.
MAX_TEXT = 16_000_000
# What other systems call a type.
_OTHER_NAMES = {"LONG": "BIGINT", "SHORT": "SMALLINT", "TEXT": "STRING", "DATETIME": "TIMESTAMP", "STRUCT": "ROW"}
_SHOWN = 200  # of the name of a broken column
_ROUND = {"(": 1, ")": -1}
_ROUND_AND_ANGLE = {"(": 1, "<": 1, ")": -1, ">": -1}


class TypeParser:
    """Reads one text. Positions go into messages, so that a long text shows where it breaks."""

    help = "See docs/reference/types.md for the names and their parameters."

    def __init__(self, text: str, *, nested: bool) -> None:
        self.text = text
        self.nested = nested
        self.source = tokens(text)
        self.token = next(self.source)
        self.ahead = next(self.source)
        self.last_id = -1

    # ------------------------------------------------------------ tokens

    def take(self) -> TypeToken:
        """Return the current token, and go on to the next one."""
        taken = self.token
        self.token = self.ahead
        self.ahead = next(self.source)
        return taken

    def at(self, *words: str) -> bool:
        """Return whether the next one or two tokens are these keywords or marks."""
        for token, word in zip((self.token, self.ahead), words, strict=False):
            if token.text != word or token.kind not in ("key", "mark"):
                return False
        return True

    def at_word(self, *words: str) -> bool:
        """Return whether the next one or two tokens are these words, in any case."""
        for token, word in zip((self.token, self.ahead), words, strict=False):
            if token.kind not in ("word", "key") or token.text.upper() != word:
                return False
        return True

    def skip(self, *words: str) -> bool:
        """Take these keywords or marks if they come next."""
        if not self.at(*words):
            return False
        for _ in words:
            self.take()
        return True

    def expect(self, word: str) -> TypeToken:
        """Take this keyword or mark, which must come next."""
        if not self.at(word):
            self.refuse("syntax", f"expected {word!r}")
        return self.take()

    def refuse(self, code: str, wanted: str, near: str = "") -> NoReturn:
        """Raise the error that says what stands here and what should; `near` is the word that was probably meant."""
        token = self.token
        if token.kind in ("end", "open"):
            code = "unexpected-end"
        here = "the end of the text" if token.kind == "end" else f"{shown(token.text)} at character {token.start + 1}"
        message = f"cannot read {shown(self.text)}: {wanted}, found {here}."
        fix = f"Did you mean {near}? {self.help}" if near else self.help
        raise TypeTextError(message, code=f"type.parse.{code}", fix=fix)

    def read_number(self) -> int:
        """Read an unsigned integer of at most 31 bits."""
        if self.token.kind != "int":
            self.refuse("int-expected", "expected a whole number")
        if len(self.token.text) > 10 or int(self.token.text) > 2**31 - 1:
            self.refuse("int-overflow", "expected a number up to 2147483647")
        return int(self.take().text)

    # ------------------------------------------------------------ types

    def read_whole_type(self) -> DataType:
        """Read a type, and refuse anything after it."""
        kind = self.read_type(0)
        if self.token.kind != "end":
            self.refuse("trailing-token", f"expected nothing after {shown(str(kind))}")
        return kind

    def read_type(self, depth: int) -> DataType:
        """Read a type with its nullability and at most one suffix ARRAY or MULTISET."""
        if depth > MAX_DEPTH:
            raise TypeTextError(f"types are nested deeper than {MAX_DEPTH} levels.", code="type.too-deep", fix="Flatten the schema.")
        if self.token.kind != "key":
            self.refuse("unknown-name", "expected the name of a data type", self.nearest_type())
        kind = self.read_base(depth).with_nullable(self.read_nullable())
        for word, wrap in (("ARRAY", array), ("MULTISET", multiset)):
            if self.skip(word):
                return wrap(kind).with_nullable(self.read_nullable())
        return kind

    def nearest_type(self) -> str:
        """Return the type that is written nearly as the word that stands here; empty where none is."""
        from difflib import get_close_matches  # which only a mistake needs

        if self.token.kind != "word":
            return ""
        word = self.token.text[:_SHOWN].upper()
        known = _NESTED if self.nested else _STRICT
        other = _OTHER_NAMES.get(word, "")
        if other in known:
            return other
        return next(iter(get_close_matches(word, sorted(known), n=1, cutoff=0.7)), "")

    def read_nullable(self) -> bool:
        """Read the nullability, if it is written; without it a type is nullable."""
        if self.skip("NOT", "NULL"):
            return False
        self.skip("NULL")
        return True

    def read_base(self, depth: int) -> DataType:
        """Read a type without its nullability."""
        readers = _NESTED if self.nested else _STRICT
        read = readers.get(self.token.text)
        if read is None:
            self.refuse("unsupported-keyword", "this word names no type here")
        self.take()
        return read(self, depth + 1)

    # ------------------------------------------------------------ columns

    def read_columns(self, close: str | None, depth: int) -> tuple[Field, ...]:
        """Read columns up to the closing mark, or to the end. A broken column is reported and the next one read."""
        faults: list[Fault] = []
        fields: list[Field] = []
        while close is None or fields or faults or not self.at(close):
            label = self.token.text[:_SHOWN]
            try:
                fields.append(self.read_column(depth))
            except TypeTextError as error:
                faults.extend(fault.at(label) for fault in error.faults)
                if len(faults) >= MAX_FAULTS:
                    break
                self.skip_broken_column(close)
            if not self.skip(","):
                break
        if not faults and not self.at_end_of_columns(close):
            self.refuse("syntax", "expected ',' and the next column")
        if faults:
            raise TypeTextError.of(faults)
        return tuple(fields)

    def at_end_of_columns(self, close: str | None) -> bool:
        if close is None:
            return self.token.kind == "end"
        return self.at(close)

    def read_column(self, depth: int) -> Field:
        """Read name, type, comment and default: `a` INT NOT NULL COMMENT 'x' DEFAULT 5."""
        name = self.read_name()
        self.last_id += 1
        number = self.last_id
        if self.token.kind == "end" or self.at(","):
            self.refuse("syntax", f"expected the type of column {shown(name)}")
        kind = self.read_type(depth)
        clauses: dict[str, str] = {}
        while word := self.read_clause():
            if word in clauses:
                self.refuse("syntax", f"{word} may stand once")
            clauses[word] = self.read_string() if word == "COMMENT" else self.read_expression()
        return field(number, name, kind, clauses.get("COMMENT"), clauses.get("DEFAULT"))

    def read_name(self) -> str:
        """Read the name of a column, which may be a keyword."""
        if self.token.kind not in ("name", "word", "key"):
            self.refuse("syntax", "expected the name of a column")
        name = self.written(self.take())
        if len(name) > MAX_NAME:
            fix = f"Keep names below {MAX_NAME}."
            raise TypeTextError(f"a name has {len(name)} characters.", code="fields.name-too-long", fix=fix)
        return name

    def written(self, token: TypeToken) -> str:
        """Return the text of a token as it was written: a keyword in its own case."""
        if token.kind == "key":
            return self.text[token.start : token.stop]
        return token.text

    def read_clause(self) -> str | None:
        """Read COMMENT or DEFAULT, if one of them comes next."""
        if self.token.kind != "word" or self.token.text.upper() not in ("COMMENT", "DEFAULT"):
            return None
        return self.take().text.upper()

    def read_string(self) -> str:
        if self.token.kind != "string":
            self.refuse("syntax", "expected text in single quotes")
        return self.take().text

    def read_expression(self) -> str:
        """Read the raw text of a default value, up to the next clause, comma or closing mark outside brackets."""
        start = stop = self.token.start
        depth = 0
        while self.token.kind != "end" and not (depth == 0 and self.at_end_of_expression()):
            depth += self.bracket(_ROUND)
            stop = self.take().stop
        if start == stop:
            self.refuse("syntax", "expected a default value")
        return self.text[start:stop]

    def at_end_of_expression(self) -> bool:
        if self.token.kind == "mark":
            return self.token.text in (",", ">", ")")
        return self.token.kind == "word" and self.token.text.upper() == "COMMENT" and self.ahead.kind == "string"

    def bracket(self, steps: Mapping[str, int]) -> int:
        """Return how much deeper in brackets the current token leads."""
        return steps.get(self.token.text, 0) if self.token.kind == "mark" else 0

    def skip_broken_column(self, close: str | None) -> None:
        """Go to the next comma outside brackets, or to the end of the list, so that the columns after a broken one are read too."""
        depth = 0
        while self.token.kind != "end":
            if depth <= 0 and (self.at(",") or (close is not None and self.at(close))):
                return
            depth += self.bracket(_ROUND_AND_ANGLE)
            self.take()


# ---------------------------------------------------------------- the names of types

_ReadType = Callable[[TypeParser, int], DataType]


def _plain(root: Root) -> _ReadType:
    return lambda parser, depth: atomic.atomic(root)


def _with(root: Root, name: str) -> _ReadType:
    return lambda parser, depth: atomic.atomic(root, **_parameter(parser, name))


def _parameter(parser: TypeParser, name: str) -> dict[str, Any]:
    if not parser.skip("("):
        return {}
    value = {name: parser.read_number()}
    parser.expect(")")
    return value


def _longest(root: Root) -> _ReadType:
    return lambda parser, depth: atomic.atomic(root, length=MAX_LENGTH)


def _decimal(parser: TypeParser, depth: int) -> DataType:
    values: dict[str, Any] = {}
    if parser.skip("("):
        values["precision"] = parser.read_number()
        if parser.skip(","):
            values["scale"] = parser.read_number()
        parser.expect(")")
    return atomic.atomic(Root.DECIMAL, **values)


def _double(parser: TypeParser, depth: int) -> DataType:
    parser.skip("PRECISION")
    return atomic.atomic(Root.DOUBLE)


def _time(parser: TypeParser, depth: int) -> DataType:
    values = _parameter(parser, "precision")
    if parser.skip("WITHOUT"):
        parser.expect("TIME")
        parser.expect("ZONE")
    return atomic.atomic(Root.TIME, **values)


def _timestamp(parser: TypeParser, depth: int) -> DataType:
    values = _parameter(parser, "precision")
    if parser.skip("WITHOUT"):
        parser.expect("TIME")
        parser.expect("ZONE")
    elif parser.skip("WITH") and parser.skip("LOCAL"):  # a bare WITH is let through, as Java does
        parser.expect("TIME")
        parser.expect("ZONE")
        return atomic.atomic(Root.TIMESTAMP_LTZ, **values)
    return atomic.atomic(Root.TIMESTAMP, **values)


def _geo(root: Root) -> _ReadType:
    names = list(KINDS[root].defaults)

    def read(parser: TypeParser, depth: int) -> DataType:
        values: dict[str, Any] = {}
        opening = "("
        for name in names:
            if not parser.skip(opening):
                break
            values[name] = _geo_text(parser)
            opening = ","
        if values:
            parser.expect(")")
        if "algorithm" in values:
            values["algorithm"] = values["algorithm"].lower()
        return atomic.atomic(root, **values)

    return read


def _geo_text(parser: TypeParser) -> str:
    if parser.token.kind not in ("word", "name", "string", "key"):
        parser.refuse("geo-parameter", "expected a name or text in single quotes")
    return parser.written(parser.take())


def _opaque(parser: TypeParser, depth: int) -> DataType:
    parser.expect("(")
    if parser.token.kind != "string":
        parser.refuse("opaque-parameter", "expected the type in single quotes, as its own format writes it")
    text = parser.take().text
    parser.expect(")")
    return atomic.atomic(Root.OPAQUE, text=text)


def _vector(parser: TypeParser, depth: int) -> DataType:
    parser.expect("<")
    element = parser.read_type(depth)
    parser.expect(",")
    length = parser.read_number()
    parser.expect(">")
    return vector(element, length)


def _array(parser: TypeParser, depth: int) -> DataType:
    parser.expect("<")
    element = parser.read_type(depth)
    parser.expect(">")
    return array(element)


def _multiset(parser: TypeParser, depth: int) -> DataType:
    parser.expect("<")
    element = parser.read_type(depth)
    parser.expect(">")
    return multiset(element)


def _map(parser: TypeParser, depth: int) -> DataType:
    parser.expect("<")
    key = parser.read_type(depth)
    parser.expect(",")
    value = parser.read_type(depth)
    parser.expect(">")
    return map_of(key, value)


def _row(parser: TypeParser, depth: int) -> DataType:
    if parser.skip("("):
        close = ")"
    else:
        close = ">"
        parser.expect("<")
    fields = parser.read_columns(close, depth)
    parser.expect(close)
    return row(fields)


_STRICT: dict[str, _ReadType] = {
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
    "OPAQUE": _opaque,
}
_NESTED = _STRICT | {"ARRAY": _array, "MULTISET": _multiset, "MAP": _map, "ROW": _row}

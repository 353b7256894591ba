"""The reader of Spark's DDL: the grammar of columns and types, over the tokens of `words` and the names of `leaves`."""

from collections.abc import Callable
from typing import NoReturn

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, RowType
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError, SchemaError, collect
from airflow_provider_schemas.formats.base import check_count
from airflow_provider_schemas.formats.spark.words import SparkToken, string_value, tokens
from airflow_provider_schemas.formats.spark_types import leaves

_UNITS = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TO"})
_COLLATED = ("string", "char", "character", "varchar")
_BRACKETS = {"(": 1, "<": 1, ")": -1, ">": -1}
_EXPRESSION_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}


class DdlReader:
    """Reads one text. The faults of a column are collected, and the next column is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.source = tokens(text)
        self.token = next(self.source)
        self.ahead = next(self.source)
        self.faults: list[Fault] = []
        self.last_id = -1

    def read_columns(self) -> tuple[Field, ...] | None:
        """Return the columns of the text; None if there are faults."""
        if self.at("STRUCT", "<"):
            kind = self.read_type()
        else:
            columns = self.columns()
            kind = None if self.faults else collect(self.faults, lambda: nested.row(columns))
        if not isinstance(kind, RowType):
            return None
        return kind.fields

    def read_type(self) -> DataType | None:
        """Return the type that is the whole text; None if there are faults."""
        kind: DataType | None = collect(self.faults, self.only_type)
        return None if self.faults else kind

    def only_type(self) -> DataType:
        kind = self.type("", 0)
        if self.token.kind != "end":
            self.refuse("nothing after the type")
        return kind

    # ------------------------------------------------------------ tokens

    def take(self) -> SparkToken:
        """Return the current token, and make the next one current."""
        taken = self.token
        self.token = self.ahead
        self.ahead = next(self.source)
        return taken

    def at(self, *words: str) -> bool:
        """Return whether the next one or two tokens are these words."""
        following = (self.token, self.ahead)[: len(words)]
        return all(token.kind in ("word", "mark") and token.text.upper() == word for token, word in zip(following, words, strict=True))

    def skip(self, *words: str) -> bool:
        """Take these words if they come next, and return whether they did."""
        if not self.at(*words):
            return False
        for _ in words:
            self.take()
        return True

    def expect(self, *words: str) -> None:
        """Take these words, which must come next."""
        for word in words:
            if not self.skip(word):
                self.refuse(repr(word))

    def refuse(self, wanted: str, fix: str = "Compare with Spark's CREATE TABLE.") -> NoReturn:
        """Raise an error that names what is here and what should be."""
        here = f"{shown(self.token.text)} at character {self.token.start + 1}"
        if self.token.kind == "end":
            here = "the end of the text"
        raise FormatError(f"expected {wanted}, found {here}.", code="format.syntax", fix=fix)

    # ------------------------------------------------------------ columns

    def columns(self) -> list[Field]:
        """Return the columns up to the end of the text."""
        fields: list[Field] = []
        while True:
            label = self.token.text[:200] if self.token.kind in ("name", "word") else ""
            try:
                fields.append(self.column("", 0))
                if self.token.kind != "end" and not self.at(","):
                    self.refuse("NOT NULL, COMMENT, DEFAULT or ','")
            except SchemaError as error:
                self.faults += [fault if fault.path else fault.at(label) for fault in error.faults]
                self.recover()
            if not self.skip(",") or len(self.faults) > MAX_FAULTS:
                return fields

    def recover(self) -> None:
        """Go to the next comma outside brackets."""
        depth = 0
        while self.token.kind != "end" and not (depth <= 0 and self.at(",")):
            depth += self.bracket(_BRACKETS)
            self.take()

    def bracket(self, steps: dict[str, int]) -> int:
        """Return 1 for a bracket that opens, -1 for one that closes, 0 for any other token."""
        if self.token.kind != "mark":
            return 0
        return steps.get(self.token.text, 0)

    def column(self, path: str, depth: int) -> Field:
        """Return a column with its clauses: a INT NOT NULL COMMENT 'x' DEFAULT 5."""
        name = self.name()
        here = f"{path}.{name}" if path else name
        self.last_id += 1
        number = self.last_id
        check_count(number)
        self.skip(":")
        kind = self.type(here, depth)
        clauses = self.clauses(nested=depth > 0)
        return nested.field(number, name, kind.with_nullable("NOT" not in clauses), clauses.get("COMMENT"), clauses.get("DEFAULT"))

    def clauses(self, *, nested: bool) -> dict[str, str]:
        """Return the clauses behind a type by their first words, each with its text."""
        words = ("NOT", "COMMENT") if nested else ("NOT", "COMMENT", "DEFAULT")
        clauses: dict[str, str] = {}
        while word := next((word for word in words if self.skip(word)), None):
            if word in clauses:
                self.refuse(f"{word} once")
            clauses[word] = self.clause_text(word)
        return clauses

    def clause_text(self, word: str) -> str:
        if word == "COMMENT":
            return self.string()
        if word == "DEFAULT":
            return self.expression()
        self.expect("NULL")
        return ""

    def name(self) -> str:
        """Return the name of a column."""
        token = self.token
        if token.kind == "name" and len(token.text) <= MAX_NAME:
            return self.take().text
        if token.kind != "word" or not token.text.isascii() or token.text.isdecimal() or len(token.text) > MAX_NAME:
            self.refuse("the name of a column", f"Put names that are not plain words in back-quotes, up to {MAX_NAME} characters.")
        return self.take().text

    def string(self) -> str:
        """Return text in quotes; strings side by side are one."""
        if self.token.kind != "string":
            self.refuse("text in quotes")
        parts: list[str] = []
        while self.token.kind == "string":
            parts.append(string_value(self.take().text))
        return "".join(parts)

    def expression(self) -> str:
        """Return the raw text of a default value: up to a comma, COMMENT or NOT NULL outside brackets."""
        start = self.token.start
        stop = start
        depth = 0
        last = ""
        while self.token.kind not in ("end", "open") and not (depth == 0 and self.expression_ends(last)):
            depth += self.bracket(_EXPRESSION_BRACKETS)
            if depth < 0:
                break
            token = self.take()
            last = token.text.upper()
            stop = token.stop
        if start == stop or depth:
            self.refuse("a default value with its brackets closed")
        return self.text[start:stop]

    def expression_ends(self, last: str) -> bool:
        comment = self.at("COMMENT") and self.ahead.kind == "string"
        return self.at(",") or comment or (self.at("NOT", "NULL") and last != "IS")

    # ------------------------------------------------------------ types

    def type(self, path: str, depth: int) -> DataType:
        """Return a type; for a name of none, collect the fault and return a STRING."""
        if depth > MAX_DEPTH:
            raise FormatError(f"types are nested deeper than {MAX_DEPTH} levels.", code="type.too-deep", fix="Flatten the schema.")
        if self.token.kind != "word":
            self.refuse("the name of a data type")
        name = self.take().text.lower()
        container = _CONTAINERS.get(name)
        if container is None:
            return self.leaf(name, path)
        return container(self, path, depth + 1)

    def leaf(self, name: str, path: str) -> DataType:
        while name.startswith("interval") and self.token.text.upper() in _UNITS:
            name += f" {self.take().text.lower()}"
        arguments = self.arguments()
        for suffix in (("WITHOUT", "TIME", "ZONE"), ("WITH", "LOCAL", "TIME", "ZONE")):
            if self.at(*suffix[:2]):
                self.expect(*suffix)
                name = f"{name} {' '.join(suffix).lower()}"
        if name in _COLLATED and self.skip("COLLATE"):
            collation = self.name()
            collect(self.faults, lambda: leaves.check_collation(collation), path)
        kind: DataType | None = collect(self.faults, lambda: leaves.named_type(leaves.DDL_NAMES, name, arguments), path)
        return kind or atomic.STRING

    def arguments(self) -> list[str]:
        """Return the words in brackets after the name of a type."""
        arguments: list[str] = []
        while self.skip("," if arguments else "("):
            if self.token.kind != "word":
                self.refuse("a number")
            arguments.append(self.take().text)
        if arguments:
            self.expect(")")
        return arguments

    def array(self, path: str, depth: int) -> DataType:
        self.expect("<")
        element = self.type(f"{path}.element", depth)
        self.expect(">")
        return nested.array(element)

    def map(self, path: str, depth: int) -> DataType:
        self.expect("<")
        key = self.type(f"{path}.key", depth)
        self.expect(",")
        value = self.type(f"{path}.value", depth)
        self.expect(">")
        return nested.map_of(key.with_nullable(False), value)

    def struct(self, path: str, depth: int) -> DataType:
        self.expect("<")
        fields: list[Field] = []
        while fields or not self.at(">"):
            fields.append(self.column(path, depth))
            if not self.skip(","):
                break
        self.expect(">")
        kind: DataType | None = collect(self.faults, lambda: nested.row(fields), path)
        return kind or nested.row(())


_CONTAINERS: dict[str, Callable[[DdlReader, str, int], DataType]] = {
    "array": DdlReader.array,
    "map": DdlReader.map,
    "struct": DdlReader.struct,
}

"""The reader of Spark's DDL: the grammar of columns and types, over the words of `words` and the names of `leaves`."""

from collections.abc import Callable
from typing import NoReturn

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, RowType
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError, SchemaError, collect
from airflow_provider_schemas.formats.base import check_count
from airflow_provider_schemas.formats.spark.words import Token, string_value, tokens
from airflow_provider_schemas.formats.spark_types import leaves

_UNITS = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TO"})
_COLLATED = ("string", "char", "character", "varchar")


class Reader:
    """Reads one text. A column that makes no sense is noted, and the next one read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.source = tokens(text)
        self.token = next(self.source)
        self.ahead = next(self.source)
        self.faults: list[Fault] = []
        self.last_id = -1

    def whole(self) -> tuple[Field, ...] | None:
        """The columns of the text, or None with what is wrong noted."""
        if self.at("STRUCT", "<"):
            kind = self.whole_type()
            return kind.fields if isinstance(kind, RowType) else None
        fields = self.columns()
        kind = collect(self.faults, lambda: nested.row(fields)) if not self.faults else None
        return None if kind is None else kind.fields

    def whole_type(self) -> DataType | None:
        """The type that is the whole text, or None with what is wrong noted."""

        def read() -> DataType:
            kind = self.type("", 0)
            return kind if self.token.kind == "end" else self.refuse("nothing after the type")

        kind: DataType | None = collect(self.faults, read)
        return None if self.faults else kind

    # ------------------------------------------------------------ words

    def take(self) -> Token:
        """The current word; the next one becomes current."""
        taken, self.token, self.ahead = self.token, self.ahead, next(self.source)
        return taken

    def at(self, *words: str) -> bool:
        """Whether the next one or two words are these."""
        seen = (self.token, self.ahead)[: len(words)]
        return all(one.kind in ("word", "mark") and one.text.upper() == word for one, word in zip(seen, words, strict=True))

    def skip(self, *words: str) -> bool:
        """Take these words if they come next."""
        here = self.at(*words)
        for _ in words if here else ():
            self.take()
        return here

    def expect(self, *words: str) -> None:
        """Take these words, which must come next."""
        for word in words:
            if not self.skip(word):
                self.refuse(repr(word))

    def refuse(self, wanted: str, fix: str = "Compare with Spark's CREATE TABLE.") -> NoReturn:
        """Say what stands here and what should."""
        here = "the end of the text" if self.token.kind == "end" else f"{shown(self.token.text)} at character {self.token.start + 1}"
        raise FormatError(f"expected {wanted}, found {here}.", code="format.syntax", fix=fix)

    # ------------------------------------------------------------ columns

    def columns(self) -> list[Field]:
        """The columns up to the end of the text."""
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
            depth += {"(": 1, "<": 1, ")": -1, ">": -1}.get(self.token.text, 0) if self.token.kind == "mark" else 0
            self.take()

    def column(self, path: str, depth: int) -> Field:
        """Name, type, and what is said about them: a INT NOT NULL COMMENT 'x' DEFAULT 5."""
        name = self.name()
        here = f"{path}.{name}" if path else name
        self.last_id += 1
        number = self.last_id
        check_count(number)
        self.skip(":")
        kind = self.type(here, depth)
        said: dict[str, str] = {}
        while clause := self.clause(nested=depth > 0):
            if clause in said:
                self.refuse(f"{clause} once")
            said[clause] = self.said(clause)
        return nested.field(number, name, kind.with_nullable("NOT" not in said), said.get("COMMENT"), said.get("DEFAULT"))

    def name(self) -> str:
        """The name of a column."""
        token = self.token
        if token.kind == "name" and len(token.text) <= MAX_NAME:
            return self.take().text
        if token.kind != "word" or not token.text.isascii() or token.text.isdecimal() or len(token.text) > MAX_NAME:
            self.refuse("the name of a column", f"Put names that are not plain words in back-quotes, up to {MAX_NAME} characters.")
        return self.take().text

    def clause(self, *, nested: bool) -> str | None:
        """NOT, COMMENT or DEFAULT, if one of them comes next."""
        words = ("NOT", "COMMENT") if nested else ("NOT", "COMMENT", "DEFAULT")
        return next((word for word in words if self.skip(word)), None)

    def said(self, clause: str) -> str:
        if clause == "NOT":
            self.expect("NULL")
            return ""
        return self.string() if clause == "COMMENT" else self.expression()

    def string(self) -> str:
        """Text in quotes; pieces side by side are one."""
        if self.token.kind != "string":
            self.refuse("text in quotes")
        parts = []
        while self.token.kind == "string":
            parts.append(string_value(self.take().text))
        return "".join(parts)

    def expression(self) -> str:
        """The raw text of a default value: up to a comma, COMMENT or NOT NULL outside brackets."""
        start, stop, depth, last = self.token.start, self.token.start, 0, ""
        while self.token.kind not in ("end", "open") and not (depth == 0 and self.expression_ends(last)):
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(self.token.text, 0) if self.token.kind == "mark" else 0
            if depth < 0:
                break
            last, stop = self.token.text.upper(), self.token.stop
            self.take()
        if start == stop or depth:
            self.refuse("a default value with its brackets closed")
        return self.text[start:stop]

    def expression_ends(self, last: str) -> bool:
        comment = self.at("COMMENT") and self.ahead.kind == "string"
        return self.at(",") or comment or (self.at("NOT", "NULL") and last != "IS")

    # ------------------------------------------------------------ types

    def type(self, path: str, depth: int) -> DataType:
        """A type; of a name that stands for none, the fault is noted and a STRING handed out."""
        if depth > MAX_DEPTH:
            raise FormatError(f"types are nested deeper than {MAX_DEPTH} levels.", code="type.too-deep", fix="Flatten the schema.")
        if self.token.kind != "word":
            self.refuse("the name of a data type")
        name = self.take().text.lower()
        container = _CONTAINERS.get(name)
        return self.leaf(name, path) if container is None else container(self, path, depth + 1)

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
        kind: DataType | None = collect(self.faults, lambda: leaves.kind_of(leaves.DDL_NAMES, name, arguments), path)
        return kind or atomic.STRING

    def arguments(self) -> list[str]:
        """What stands in brackets after the name of a type."""
        found: list[str] = []
        while self.skip("," if found else "("):
            if self.token.kind != "word":
                self.refuse("a number")
            found.append(self.take().text)
        if found:
            self.expect(")")
        return found

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


_CONTAINERS: dict[str, Callable[[Reader, str, int], DataType]] = {"array": Reader.array, "map": Reader.map, "struct": Reader.struct}

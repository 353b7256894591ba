"""The DDL of ODF's older sources and of GraphQL: a list of columns, `id BIGINT NOT NULL, tags ARRAY<STRING>`, read as an ODF schema.

Columns are optional unless they have NOT NULL, the only option that a column may have. Names keep their case, and
may be given twice, as anywhere in ODF. Types that the table of types does not have are refused, with what to write
instead.
"""

from collections.abc import Iterable
from typing import Final, NoReturn

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.base import check_count, text_of
from airflow_provider_schemas.formats.odf.ddl import types
from airflow_provider_schemas.formats.odf.ddl.tokens import DdlToken, tokens
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH, PLAIN, DataField, DataType, Decimal, List, Option, without_option

# The text of 10,000 columns has an eighth of this.
MAX_DDL: Final = 4_000_000
_RANGES: Final = {parameter.name: parameter.form.value for parameter in PARAMETERS[Kind.DECIMAL]}
_SYNTAX: Final = "Write name TYPE, or name TYPE NOT NULL, with commas between."
_BRACKETS: Final = {"(": 1, "<": 1, ")": -1, ">": -1}


def load_ddl(source: str | bytes | Iterable[str], *, optional_scalars: bool = False, reference_compatible: bool = False) -> DataSchema:
    """Return the schema of a list of columns, in one text or one text each; raise a FormatError that names every fault.

    DATE and DECIMAL are required even without NOT NULL, as in the reference; optional scalars makes them optional
    like other types. Reference compatible refuses columns called `key` and the like unless quoted, and ignores
    the statements that follow a closing bracket.
    """
    text = text_of(_join_columns(source), MAX_DDL)
    reader = _ColumnListReader(text, optional_scalars=optional_scalars, reference_compatible=reference_compatible)
    fields = reader.columns()
    if reader.faults:
        raise FormatError.of(reader.faults)
    return DataSchema(tuple(fields))


def _join_columns(source: str | bytes | Iterable[str]) -> str | bytes:
    """Return the columns as one text."""
    if isinstance(source, str | bytes):
        return source
    columns = list(source) if isinstance(source, list | tuple) else [source]
    wrong = [place for place, column in enumerate(columns) if not isinstance(column, str)]
    if wrong:
        raise FormatError.of(Fault("format.wrong-type", f"[{place}]", "this is no text.", "Write one column a text.") for place in wrong)
    return ", ".join(map(str, columns))


class _ColumnListReader:
    """Reads the text between the brackets of a CREATE TABLE. After a column with a fault it goes on with the next one."""

    def __init__(self, text: str, *, optional_scalars: bool, reference_compatible: bool) -> None:
        # A comment on the last line swallows the bracket of the reference's statement, and not ours.
        bracket = ")" if reference_compatible else "\n)"
        self.source = tokens(f"{text}{bracket}")
        self.length = len(text)
        self.token = next(self.source)
        self.ahead = next(self.source)
        self.optional_scalars = optional_scalars
        self.reference_compatible = reference_compatible
        self.faults: list[Fault] = []

    # ------------------------------------------------------------ words

    def take(self) -> DdlToken:
        """Return the current word, and go to the next one."""
        taken = self.token
        self.token = self.ahead
        self.ahead = next(self.source)
        return taken

    def skip(self, *words: str) -> bool:
        """Take these words if the first two of them come next, and return whether they did."""
        comes_next = all(token.upper == word for token, word in zip((self.token, self.ahead), words, strict=False))
        if comes_next:
            for word in words:
                self.expect(word)
        return comes_next

    def expect(self, word: str) -> None:
        """Take this word, which must come next."""
        if self.token.upper != word:
            self.refuse(repr(word))
        self.take()

    def refuse(self, wanted: str, fix: str = _SYNTAX) -> NoReturn:
        """Raise a FormatError with the word that is here, and what is wanted instead."""
        here = f"{shown(self.token.text)} at character {self.token.start + 1}"
        if self.token.kind == "end" or self.token.start >= self.length:
            here = "the end of the text"
        raise FormatError(f"expected {wanted}, found {here}.", code="odf.ddl-syntax", fix=fix)

    def ends(self) -> bool:
        """Return whether the list is closed: by the end of the text, or for the reference by a bracket before another statement."""
        if self.token.upper != ")":
            return False
        return self.ahead.kind == "end" or (self.reference_compatible and self.ahead.upper == ";")

    # ------------------------------------------------------------ columns

    def columns(self) -> list[DataField]:
        """Read the columns up to the end."""
        fields: list[DataField] = []
        if self.ends():
            return fields
        while len(self.faults) < MAX_FAULTS:
            label = self.token.text[:200] if self.token.kind in ("name", "word") else ""
            try:
                fields.append(self.column())
                check_count(len(fields))
                if self.token.upper != "," and not self.ends():
                    self.refuse_option()
            except FormatError as error:
                self.faults += [fault.at(label) for fault in error.faults]
                self.recover()
            if not self.skip(","):
                break
        return fields

    def recover(self) -> None:
        """Go to the next comma outside brackets."""
        depth = 0
        while self.token.kind != "end" and not (depth <= 0 and self.token.upper == ","):
            depth += _BRACKETS.get(self.token.upper, 0)
            self.take()

    def column(self) -> DataField:
        """Read a name, a type, and NOT NULL if it is there."""
        name = self.name()
        kind = self.type(0)
        required = False
        while self.skip("NOT", "NULL"):
            required = True
        if required:
            kind = without_option(kind)
        return DataField(name, kind)

    def name(self) -> str:
        # A word that may begin a constraint is the name of a column if a type comes next, though not to the reference.
        if self.token.upper in types.RESERVED and (self.reference_compatible or not types.is_type(self.ahead.upper)):
            quoted = f'"{self.token.text}"'
            self.refuse("the name of a column", f"Quote it if it is one: {quoted}. Constraints of a table have no place in a schema.")
        if self.token.kind not in ("word", "name"):
            self.refuse("the name of a column")
        return self.take().text

    def refuse_option(self) -> NoReturn:
        if self.token.kind == "word":
            fix = "Leave it out."
            if self.token.upper == "NULL":
                fix = "NULL is what a column may hold without it."
            self.refuse("',' or NOT NULL, which is all that a column may say", fix)
        if self.token.upper == "[":
            self.refuse("','", "Write ARRAY<T> for a list.")
        self.refuse("',' and the next column")

    # ------------------------------------------------------------ types

    def type(self, depth: int) -> DataType:
        """Read a type, as optional as a column without NOT NULL."""
        if depth + 2 > MAX_DEPTH:
            raise FormatError(f"types are nested deeper than {MAX_DEPTH} levels.", code="odf.too-deep", fix="Flatten the schema.")
        if self.token.kind != "word":
            self.refuse("the name of a data type")
        name = self.token.upper
        if name == types.ARRAY:
            return Option(self.array(depth))
        if name not in (types.DATE, types.DECIMAL):
            return Option(self.plain())
        scalar = self.date() if name == types.DATE else self.decimal()
        if not self.optional_scalars:
            return scalar
        return Option(scalar)

    def array(self, depth: int) -> DataType:
        self.take()
        self.expect("<")
        item = self.type(depth + 2)
        if self.token.upper == "NOT":
            self.refuse("'>'", "Items of an ARRAY are always optional here; write the whole schema as ODF if they are not.")
        self.expect(">")
        return List(item)

    def date(self) -> DataType:
        self.take()
        return PLAIN[Kind.DATE]

    def decimal(self) -> DataType:
        token = self.take()
        if self.token.upper != "(":
            self.unsupported(token, "DECIMAL(p, s)")
        self.take()
        precision = self.number("precision")
        if self.token.upper != ",":
            self.unsupported(token, f"DECIMAL({precision}, 0)")
        self.take()
        sign = -1 if self.skip("-") else 1
        scale = sign * self.number("scale")
        self.expect(")")
        return Decimal(precision, scale)

    def plain(self) -> DataType:
        token = self.take()
        sql = types.TYPES.get(token.upper)
        if sql is None:
            self.unsupported(token, types.INSTEAD.get(token.upper, ""))
        if (token.upper, self.token.upper) == ("DOUBLE", "PRECISION"):
            self.unsupported(token, "DOUBLE")
        if token.upper in types.PAIRS:
            self.skip(types.PAIRS[token.upper])
        self.skip_parameters(sql.max_parameters)
        if sql.unsigned is not None and self.skip("UNSIGNED"):
            return sql.unsigned
        if token.upper in types.ZONED:
            any(self.skip(*words) for words in types.ZONES)
        return sql.kind

    def skip_parameters(self, most: int) -> None:
        """Skip parameters, which no type keeps."""
        if not most or not self.skip("("):
            return
        for left in range(most, 0, -1):
            if not self.skip("MAX"):
                self.number("")
            if left == 1 or not self.skip(","):
                break
        self.expect(")")

    def number(self, what: str) -> int:
        low, high = _RANGES.get(what, (0, 2**64 - 1))
        if self.token.kind != "number":
            self.refuse("a whole number")
        if len(self.token.text) > 20 or not low <= int(self.token.text) <= high:
            self.refuse(f"a number up to {high}")
        return int(self.take().text)

    def unsupported(self, token: DdlToken, instead: str) -> NoReturn:
        fix = f"There are {', '.join(types.KNOWN)}."
        if instead:
            fix = f"Write {instead}."
        lacks = "is no type of this DDL"
        if token.upper == types.DECIMAL:
            lacks = "needs a precision and a scale"
        raise FormatError(f"{shown(token.text)} {lacks}.", code="odf.ddl-type", fix=fix)

"""The short text of a schema change, as people type and read it.

    ADD COLUMN address.city STRING COMMENT 'where' AFTER street     RENAME COLUMN cust_id TO customer_id
    ALTER COLUMN amount TYPE DECIMAL(12, 2)                          DROP COLUMN legacy
    ALTER COLUMN amount SET NOT NULL | DROP NOT NULL                 SET OPTION bucket = 4
    ALTER COLUMN amount COMMENT 'gross' | DROP COMMENT               UNSET OPTION bucket
    ALTER COLUMN amount SET DEFAULT 0 | DROP DEFAULT                 SET COMMENT 'orders' | DROP COMMENT
    ALTER COLUMN amount FIRST | LAST | AFTER id | BEFORE id          DROP PRIMARY KEY

A type without NULL or NOT NULL keeps the column's nullability. What the text cannot say (a default that
begins with a blank, say) is printed as the REST object, which parse_changes reads as well.
"""

import json
import re
from collections.abc import Callable

from airflow_provider_schemas.core.changes.schema_change import (
    AddColumn,
    DropColumn,
    DropPrimaryKey,
    Move,
    MoveType,
    RemoveOption,
    RenameColumn,
    SchemaChange,
    SetOption,
    UpdateColumnComment,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
    UpdateColumnPosition,
    UpdateColumnType,
    UpdateComment,
)
from airflow_provider_schemas.core.common.text import MAX_NAME, half_pair, shown
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT, TypeParser
from airflow_provider_schemas.errors import ChangeError, TypeTextError

_HELP = "Write it like ADD COLUMN coupon STRING; docs/reference/changes.md lists all forms."
_OPTION = re.compile(
    r"""(SET|UNSET)\s+OPTION\s+(?:'((?:[^']|'')*)'|([^\s=']+))(?:\s*=\s*(?:'((?:[^']|'')*)'|([^\s'][^']*)))?\s*""",
    re.IGNORECASE | re.DOTALL,
)


def parse_text(text: str) -> list[SchemaChange]:
    """Return the changes that a short text says: one, or two for a column that comes with a default."""
    if len(text) > MAX_TEXT or half_pair(text):
        raise ChangeError("the text is too long or no valid Unicode.", code="change.text", fix=_HELP)
    if _OPTION.match(text):
        return [_read_option(text)]
    parser = _ChangeParser(text)
    try:
        changes = parser.read_change()
        parser.expect_end()
        return changes
    except TypeTextError as error:
        raise ChangeError.of(error.faults) from None


def _read_option(text: str) -> SchemaChange:
    match = _OPTION.fullmatch(text)
    if match is None:
        raise ChangeError(f"cannot read {shown(text)}.", code="change.text", fix="Write SET OPTION 'key' = 'value'.")
    verb, quoted_key, bare_key, quoted_value, bare_value = match.groups()
    key = _unquote(quoted_key) or bare_key
    value = _unquote(quoted_value) if bare_value is None else bare_value.rstrip()
    if (verb.upper() == "SET") is (value is None):
        raise ChangeError(f"cannot read {shown(text)}.", code="change.text", fix="Write SET OPTION key = value, or UNSET OPTION key.")
    return RemoveOption(key) if value is None else SetOption(key, value)


def _unquote(text: str | None) -> str | None:
    return text and text.replace("''", "'")


class _ChangeParser(TypeParser):
    """Reads one short text; the tokens and the types are those of the grammar of types."""

    help = _HELP

    def __init__(self, text: str) -> None:
        super().__init__(text, nested=True)

    def skip_word(self, *words: str) -> bool:
        """Take these words, in any case, if they come next."""
        if not self.at_word(*words):
            return False
        for _ in words:
            self.take()
        return True

    def expect_end(self) -> None:
        if self.token.kind != "end":
            self.refuse("trailing-token", "the change is complete before this")

    def read_change(self) -> list[SchemaChange]:
        for words, read in _FORMS.items():
            if self.skip_word(*words):
                return read(self)
        raise ChangeError(f"cannot read {shown(self.text)}: no change begins so.", code="change.text", fix=_HELP)

    def read_name(self) -> str:
        if self.token.kind not in ("word", "key", "name"):
            self.refuse("syntax", "expected the name of a column")
        name = self.written(self.take())
        if not name or len(name) > MAX_NAME:
            raise ChangeError(f"{shown(name)} is no name of a column.", code="change.text", fix=f"Use 1 to {MAX_NAME} characters.")
        return name

    def read_path(self) -> tuple[str, ...]:
        names = [self.read_name()]
        while self.skip("."):
            names.append(self.read_name())
        return tuple(names)

    def read_move(self, column: str) -> Move | None:
        for kind in MoveType:
            if self.skip_word(kind.value):
                reference = self.read_name() if kind in (MoveType.AFTER, MoveType.BEFORE) else None
                return Move(column, kind, reference)
        return None

    def read_rest(self) -> str:
        """Read everything up to the end, as it was written."""
        text = self.text[self.token.start :].strip()
        while self.token.kind not in ("end", "open"):
            self.take()
        if not text:
            self.refuse("syntax", "expected a value")
        return text


def _read_add(parser: _ChangeParser) -> list[SchemaChange]:
    names = parser.read_path()
    kind = parser.read_type(0)
    comment = default = move = None
    while parser.token.kind != "end" and default is None:
        if comment is None and parser.skip_word("COMMENT"):
            comment = parser.read_string()
        elif parser.skip_word("DEFAULT"):
            default = parser.read_rest()
        elif move or (move := parser.read_move(names[-1])) is None:
            parser.refuse("syntax", "expected COMMENT, one place (FIRST, AFTER, BEFORE, LAST), or DEFAULT and its value at the end")
    changes: list[SchemaChange] = [AddColumn(names, kind, comment, move)]
    if default is not None:
        changes.append(UpdateColumnDefaultValue(names, default))
    return changes


def _read_rename(parser: _ChangeParser) -> list[SchemaChange]:
    names = parser.read_path()
    if not parser.skip_word("TO"):
        parser.refuse("syntax", "expected TO and the new name")
    return [RenameColumn(names, parser.read_name())]


def _read_alter(parser: _ChangeParser) -> list[SchemaChange]:
    names = parser.read_path()
    for word, read in _ALTER.items():
        if parser.skip_word(word):
            return [read(parser, names)]
    move = parser.read_move(names[0]) if len(names) == 1 else None
    if move is None:
        parser.refuse("syntax", "expected TYPE, SET, DROP, COMMENT or a place")
    return [UpdateColumnPosition(move)]


def _read_type(parser: _ChangeParser, names: tuple[str, ...]) -> SchemaChange:
    start = parser.token.start
    kind = parser.read_type(0)
    written = parser.text[start : parser.token.start].upper().split()
    return UpdateColumnType(names, kind, keep_nullability=written[-1] != "NULL")


def _read_set(parser: _ChangeParser, names: tuple[str, ...]) -> SchemaChange:
    if parser.skip_word("NOT", "NULL"):
        return UpdateColumnNullability(names, False)
    if not parser.skip_word("DEFAULT"):
        parser.refuse("syntax", "expected NOT NULL or DEFAULT")
    return UpdateColumnDefaultValue(names, parser.read_rest())


def _read_drop(parser: _ChangeParser, names: tuple[str, ...]) -> SchemaChange:
    if parser.skip_word("NOT", "NULL"):
        return UpdateColumnNullability(names, True)
    if parser.skip_word("COMMENT"):
        return UpdateColumnComment(names, None)
    if not parser.skip_word("DEFAULT"):
        parser.refuse("syntax", "expected NOT NULL, COMMENT or DEFAULT")
    return UpdateColumnDefaultValue(names, None)


def _read_drop_key(parser: _ChangeParser) -> list[SchemaChange]:
    if not parser.skip_word("KEY"):
        parser.refuse("syntax", "expected KEY")
    return [DropPrimaryKey()]


# Longer forms first, where one begins like another.
_FORMS: dict[tuple[str, ...], Callable[[_ChangeParser], list[SchemaChange]]] = {
    ("ADD", "COLUMN"): _read_add,
    ("RENAME", "COLUMN"): _read_rename,
    ("DROP", "COLUMN"): lambda parser: [DropColumn(parser.read_path())],
    ("ALTER", "COLUMN"): _read_alter,
    ("SET", "COMMENT"): lambda parser: [UpdateComment(parser.read_string())],
    ("DROP", "COMMENT"): lambda parser: [UpdateComment(None)],
    ("DROP", "PRIMARY"): _read_drop_key,
}
_ALTER: dict[str, Callable[[_ChangeParser, tuple[str, ...]], SchemaChange]] = {
    "TYPE": _read_type,
    "SET": _read_set,
    "DROP": _read_drop,
    "COMMENT": lambda parser, names: UpdateColumnComment(names, parser.read_string()),
}


# ---------------------------------------------------------------- writing

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BARE_OPTION = re.compile(r"[A-Za-z0-9_.\-]+")


def short_text(change: SchemaChange) -> str:
    """Return the short text of the change, or its REST object where no short text says the same."""
    if type(change) not in _WRITERS:
        raise ChangeError(f"{shown(change)} is no change.", code="change.shape", fix="Pass a change, as parse_changes gives.")
    text = _WRITERS[type(change)](change)
    try:
        if parse_text(text) == [change]:
            return text
    except ChangeError:
        pass  # a name or text outside the grammar
    return json.dumps(change.to_json(), ensure_ascii=False)


def _path(names: tuple[str, ...]) -> str:
    return ".".join(map(_name, names))


def _name(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    return "`" + name.replace("`", "``") + "`"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _option_word(text: str) -> str:
    return text if _BARE_OPTION.fullmatch(text) else _quote(text)


def _write_move(move: Move | None) -> str:
    if move is None:
        return ""
    text = f" {move.type.value}"
    if move.reference is not None:
        text += f" {_name(move.reference)}"
    return text


def _write_add(change: AddColumn) -> str:
    text = f"ADD COLUMN {_path(change.names)} {change.type}"
    if change.comment is not None:
        text += f" COMMENT {_quote(change.comment)}"
    return text + _write_move(change.move)


def _write_type(change: UpdateColumnType) -> str:
    text = f"ALTER COLUMN {_path(change.names)} TYPE {change.type}"
    if change.type.nullable and not change.keep_nullability:
        text += " NULL"
    return text


def _write_nullability(change: UpdateColumnNullability) -> str:
    verb = "DROP" if change.nullable else "SET"
    return f"ALTER COLUMN {_path(change.names)} {verb} NOT NULL"


def _write_comment(change: UpdateColumnComment) -> str:
    column = f"ALTER COLUMN {_path(change.names)}"
    if change.comment is None:
        return f"{column} DROP COMMENT"
    return f"{column} COMMENT {_quote(change.comment)}"


def _write_default(change: UpdateColumnDefaultValue) -> str:
    column = f"ALTER COLUMN {_path(change.names)}"
    if change.default is None:
        return f"{column} DROP DEFAULT"
    return f"{column} SET DEFAULT {change.default}"


def _write_table_comment(change: UpdateComment) -> str:
    if change.comment is None:
        return "DROP COMMENT"
    return f"SET COMMENT {_quote(change.comment)}"


_WRITERS: dict[type[SchemaChange], Callable[..., str]] = {
    SetOption: lambda change: f"SET OPTION {_option_word(change.key)} = {_option_word(change.value)}",
    RemoveOption: lambda change: f"UNSET OPTION {_option_word(change.key)}",
    UpdateComment: _write_table_comment,
    AddColumn: _write_add,
    RenameColumn: lambda change: f"RENAME COLUMN {_path(change.names)} TO {_name(change.new_name)}",
    DropColumn: lambda change: f"DROP COLUMN {_path(change.names)}",
    UpdateColumnType: _write_type,
    UpdateColumnNullability: _write_nullability,
    UpdateColumnComment: _write_comment,
    UpdateColumnDefaultValue: _write_default,
    UpdateColumnPosition: lambda change: f"ALTER COLUMN {_name(change.move.field)}{_write_move(change.move)}",
    DropPrimaryKey: lambda change: "DROP PRIMARY KEY",
}

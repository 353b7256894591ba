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
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT, Parser
from airflow_provider_schemas.errors import ChangeError, TypeTextError

_HELP = "Write it like ADD COLUMN coupon STRING; docs/reference/changes.md lists all forms."
_OPTION = re.compile(
    r"""(SET|UNSET)\s+OPTION\s+(?:'((?:[^']|'')*)'|([^\s=']+))(?:\s*=\s*(?:'((?:[^']|'')*)'|([^\s'][^']*)))?\s*""",
    re.IGNORECASE | re.DOTALL,
)


def parse_text(text: str) -> list[SchemaChange]:
    """The changes that a short text says: one, or two for a column that comes with a default."""
    if len(text) > MAX_TEXT or half_pair(text):
        raise ChangeError("the text is too long or no valid Unicode.", code="change.text", fix=_HELP)
    if _OPTION.match(text):
        return [_option(text)]
    sentence = _Sentence(text)
    try:
        found = sentence.change()
        sentence.finish()
        return found
    except TypeTextError as error:
        raise ChangeError.of(error.faults) from None


def _option(text: str) -> SchemaChange:
    found = _OPTION.fullmatch(text)
    if found is None:
        raise ChangeError(f"cannot read {shown(text)}.", code="change.text", fix="Write SET OPTION 'key' = 'value'.")
    verb, quoted, bare, quoted_value, bare_value = found.groups()
    key = _undoubled(quoted) or bare
    value = bare_value.rstrip() if bare_value is not None else _undoubled(quoted_value)
    if (verb.upper() == "SET") is (value is None):
        raise ChangeError(f"cannot read {shown(text)}.", code="change.text", fix="Write SET OPTION key = value, or UNSET OPTION key.")
    return RemoveOption(key) if value is None else SetOption(key, value)


def _undoubled(text: str | None) -> str | None:
    return None if text is None else text.replace("''", "'")


class _Sentence(Parser):
    """Reads one short text; the words and the types are those of the grammar."""

    help = _HELP

    def __init__(self, text: str) -> None:
        super().__init__(text, nested=True)

    def says(self, *words: str) -> bool:
        """Take these words, in any case, if they come next."""
        seen = [one.text.upper() for one in (self.token, self.ahead)[: len(words)] if one.kind in ("word", "key")]
        here = seen == list(words)
        for _ in words if here else ():
            self.take()
        return here

    def finish(self) -> None:
        if self.token.kind != "end":
            self.refuse("trailing-token", "the change is complete before this")

    def change(self) -> list[SchemaChange]:
        for words, read in _FORMS.items():
            if self.says(*words):
                return read(self)
        raise ChangeError(f"cannot read {shown(self.text)}: no change begins so.", code="change.text", fix=_HELP)

    def name(self) -> str:
        if self.token.kind not in ("word", "key", "name"):
            self.refuse("syntax", "expected the name of a column")
        token = self.take()
        name = self.text[token.start : token.stop] if token.kind == "key" else token.text
        if not name or len(name) > MAX_NAME:
            raise ChangeError(f"{shown(name)} is no name of a column.", code="change.text", fix=f"Use 1 to {MAX_NAME} characters.")
        return name

    def path(self) -> tuple[str, ...]:
        names = [self.name()]
        while self.skip("."):
            names.append(self.name())
        return tuple(names)

    def place(self, column: str) -> Move | None:
        for kind in MoveType:
            if self.says(kind.value):
                reference = self.name() if kind in (MoveType.AFTER, MoveType.BEFORE) else None
                return Move(column, kind, reference)
        return None

    def rest(self) -> str:
        """Everything up to the end, as it stands."""
        text = self.text[self.token.start :].strip()
        while self.token.kind not in ("end", "open"):
            self.take()
        if not text:
            self.refuse("syntax", "expected a value")
        return text


def _add(sentence: _Sentence) -> list[SchemaChange]:
    names = sentence.path()
    kind = sentence.type(0)
    comment = default = move = None
    while sentence.token.kind != "end" and default is None:
        if comment is None and sentence.says("COMMENT"):
            comment = sentence.string()
        elif sentence.says("DEFAULT"):
            default = sentence.rest()
        elif move or (move := sentence.place(names[-1])) is None:
            sentence.refuse("syntax", "expected COMMENT, one place (FIRST, AFTER, BEFORE, LAST), or DEFAULT and its value at the end")
    added = AddColumn(names, kind, comment, move)
    return [added] if default is None else [added, UpdateColumnDefaultValue(names, default)]


def _rename(sentence: _Sentence) -> list[SchemaChange]:
    names = sentence.path()
    if not sentence.says("TO"):
        sentence.refuse("syntax", "expected TO and the new name")
    return [RenameColumn(names, sentence.name())]


def _alter(sentence: _Sentence) -> list[SchemaChange]:
    names = sentence.path()
    for words, read in _ALTER.items():
        if sentence.says(*words):
            return [read(sentence, names)]
    move = sentence.place(".".join(names)) if len(names) == 1 else None
    if move is None:
        sentence.refuse("syntax", "expected TYPE, SET, DROP, COMMENT or a place")
    return [UpdateColumnPosition(move)]


def _type(sentence: _Sentence, names: tuple[str, ...]) -> SchemaChange:
    start = sentence.token.start
    kind = sentence.type(0)
    written = sentence.text[start : sentence.token.start].upper().split()
    return UpdateColumnType(names, kind, keep_nullability=written[-1] != "NULL")


def _set(sentence: _Sentence, names: tuple[str, ...]) -> SchemaChange:
    if sentence.says("NOT", "NULL"):
        return UpdateColumnNullability(names, False)
    if not sentence.says("DEFAULT"):
        sentence.refuse("syntax", "expected NOT NULL or DEFAULT")
    return UpdateColumnDefaultValue(names, sentence.rest())


def _drop_part(sentence: _Sentence, names: tuple[str, ...]) -> SchemaChange:
    if sentence.says("NOT", "NULL"):
        return UpdateColumnNullability(names, True)
    if sentence.says("COMMENT"):
        return UpdateColumnComment(names, None)
    if not sentence.says("DEFAULT"):
        sentence.refuse("syntax", "expected NOT NULL, COMMENT or DEFAULT")
    return UpdateColumnDefaultValue(names, None)


def _drop_key(sentence: _Sentence) -> list[SchemaChange]:
    if not sentence.says("KEY"):
        sentence.refuse("syntax", "expected KEY")
    return [DropPrimaryKey()]


# Longer forms first, where one begins like another.
_FORMS: dict[tuple[str, ...], Callable[[_Sentence], list[SchemaChange]]] = {
    ("ADD", "COLUMN"): _add,
    ("RENAME", "COLUMN"): _rename,
    ("DROP", "COLUMN"): lambda sentence: [DropColumn(sentence.path())],
    ("ALTER", "COLUMN"): _alter,
    ("SET", "COMMENT"): lambda sentence: [UpdateComment(sentence.string())],
    ("DROP", "COMMENT"): lambda sentence: [UpdateComment(None)],
    ("DROP", "PRIMARY"): _drop_key,
}
_ALTER: dict[tuple[str, ...], Callable[[_Sentence, tuple[str, ...]], SchemaChange]] = {
    ("TYPE",): _type,
    ("SET",): _set,
    ("DROP",): _drop_part,
    ("COMMENT",): lambda sentence, names: UpdateColumnComment(names, sentence.string()),
}


# ---------------------------------------------------------------- writing

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BARE_OPTION = re.compile(r"[A-Za-z0-9_.\-]+")


def short_text(change: SchemaChange) -> str:
    """The short text of the change; its REST object where no short text says the same."""
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
    return ".".join(_name(one) for one in names)


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _option_word(text: str) -> str:
    return text if _BARE_OPTION.fullmatch(text) else _quoted(text)


def _move(move: Move | None) -> str:
    if move is None:
        return ""
    return f" {move.type.value}" + ("" if move.reference is None else f" {_name(move.reference)}")


def _add_text(change: AddColumn) -> str:
    comment = "" if change.comment is None else f" COMMENT {_quoted(change.comment)}"
    return f"ADD COLUMN {_path(change.names)} {change.type}{comment}{_move(change.move)}"


def _type_text(change: UpdateColumnType) -> str:
    explicit = " NULL" if change.type.nullable and not change.keep_nullability else ""
    return f"ALTER COLUMN {_path(change.names)} TYPE {change.type}{explicit}"


def _comment_text(change: UpdateColumnComment) -> str:
    return f"ALTER COLUMN {_path(change.names)} " + ("DROP COMMENT" if change.comment is None else f"COMMENT {_quoted(change.comment)}")


def _default_text(change: UpdateColumnDefaultValue) -> str:
    return f"ALTER COLUMN {_path(change.names)} " + ("DROP DEFAULT" if change.default is None else f"SET DEFAULT {change.default}")


_WRITERS: dict[type[SchemaChange], Callable[..., str]] = {
    SetOption: lambda change: f"SET OPTION {_option_word(change.key)} = {_option_word(change.value)}",
    RemoveOption: lambda change: f"UNSET OPTION {_option_word(change.key)}",
    UpdateComment: lambda change: "DROP COMMENT" if change.comment is None else f"SET COMMENT {_quoted(change.comment)}",
    AddColumn: _add_text,
    RenameColumn: lambda change: f"RENAME COLUMN {_path(change.names)} TO {_name(change.new_name)}",
    DropColumn: lambda change: f"DROP COLUMN {_path(change.names)}",
    UpdateColumnType: _type_text,
    UpdateColumnNullability: lambda change: f"ALTER COLUMN {_path(change.names)} {'DROP' if change.nullable else 'SET'} NOT NULL",
    UpdateColumnComment: _comment_text,
    UpdateColumnDefaultValue: _default_text,
    UpdateColumnPosition: lambda change: f"ALTER COLUMN {_name(change.move.field)}{_move(change.move)}",
    DropPrimaryKey: lambda change: "DROP PRIMARY KEY",
}

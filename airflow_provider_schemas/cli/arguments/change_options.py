"""Changes as people type them on a line: short texts, and options for the common ones, done in the order in which they stand."""

import re
import shlex
from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from airflow_provider_schemas.cli.arguments import times
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.arguments.usage_errors import did_you_mean, near_names
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SchemaChange, set_attributes
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.evolve import evolve
from airflow_provider_schemas.core.schema.field_attributes import attributes, over, with_alias
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ColumnNotFoundError, SchemaError

# The pieces of OLD:NEW: names between back quotes may hold anything.
_PIECES = re.compile(r"`(?:[^`]|``)*`|[^`:=]+|.", re.DOTALL)


class _Edit(Action):
    """Keep a text together with the option that it was typed behind, so that the order of all edits stays."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option_string: str | None = None) -> None:
        del parser
        kind = (option_string or "").lstrip("-")
        namespace.edits = [*_edits(namespace), (kind, values)]


def _edits(args: Namespace) -> Sequence[tuple[str, str]]:
    """Return the options that were typed for changes, each with its text; the namespace has none before the first."""
    edits: Sequence[tuple[str, str]] = vars(args).get("edits", ())
    return edits


def add(parser: ArgumentParser) -> None:
    """Add the arguments for changes to a parser."""
    parser.add_argument("changes", nargs="*", metavar="CHANGE", help="such as 'ADD COLUMN coupon STRING AFTER amount'")
    group = parser.add_argument_group("changes in short", argument_default=SUPPRESS)
    group.add_argument("--add", action=_Edit, metavar="'NAME TYPE'", help="add a column")
    group.add_argument("--drop", action=_Edit, metavar="NAME", help="drop a column")
    group.add_argument("--rename", action=_Edit, metavar="OLD:NEW", help="give a column another name")
    group.add_argument("--type", action=_Edit, metavar="NAME=TYPE", help="give a column another type")
    group.add_argument("--alias", action=_Edit, metavar="OLD:NEW", help="rename, and keep the old name as an alias until --until")
    parser.add_argument("--until", action=RequiredText, metavar="WHEN", help="when an alias ends: 2026-12-31, 90d")


def has_changes(args: Namespace) -> bool:
    """Return whether any change was typed."""
    return bool(args.changes or _edits(args))


def read_changes(
    args: Namespace, schema: Callable[[], TableSchema], history: Callable[[], Iterable[TableSchema]] = tuple
) -> list[SchemaChange]:
    """Return the typed changes of a table; its schema, and those before it, are read only where a change depends on them."""
    edits = _edits(args)
    if args.until and not any(kind == "alias" for kind, _ in edits):
        raise SchemaError("--until says when an alias ends, and there is none.", code="cli.until", fix="Add --alias OLD:NEW.")
    changes = parse_changes(args.changes) if args.changes else []
    for kind, text in edits:
        if kind == "alias":
            changes += list(_alias(text, args, schema(), history, changes))
        else:
            changes += parse_changes([_change_text(kind, text)])
    if not changes:
        fix = "Write a change such as 'ADD COLUMN coupon STRING', --add 'coupon STRING', or the path of a table file."
        raise SchemaError("there is nothing to change.", code="cli.no-change", fix=fix)
    return changes


def _change_text(kind: str, text: str) -> str:
    """Write an edit as the text of a change."""
    match kind:
        case "add":
            return f"ADD COLUMN {text}"
        case "drop":
            return f"DROP COLUMN {text}"
        case "rename":
            old, new = split_rename(kind, text)
            return f"RENAME COLUMN {old} TO {new}"
        case _:
            name, sql_type = _split_type(kind, text)
            return f"ALTER COLUMN {name} TYPE {sql_type}"


def _split_type(option: str, text: str) -> tuple[str, str]:
    left, equals, right = text.partition("=")
    if not equals or not left.strip() or not right.strip():
        raise SchemaError(f"{shown(text)} is not understood.", code="cli.change", path=f"--{option}", fix="Write it as NAME=TYPE.")
    return left.strip(), right.strip()


# ---------------------------------------------------------------- OLD:NEW


def split_rename(option: str, text: str) -> tuple[str, str]:
    """Split OLD:NEW. A text with `=`, which was once read both ways, is refused with both readings."""
    pieces = _PIECES.findall(text)
    if pieces.count(":") == 1 and not {"=", "`"} & set(pieces):
        old, new = _split_at(pieces, ":")
        if old and new:
            return old, new
    if pieces.count("=") == 1 and ":" not in pieces:
        raise _both_ways(option, *_split_at(pieces, "="))
    fix = "Write it as OLD:NEW; a name that has a : or = in it stands between back quotes."
    raise SchemaError(f"{shown(text)} is not understood.", code="cli.change", path=f"--{option}", fix=fix)


def _split_at(pieces: list[str], sign: str) -> tuple[str, str]:
    place = pieces.index(sign)
    return "".join(pieces[:place]).strip(), "".join(pieces[place + 1 :]).strip()


def _both_ways(option: str, left: str, right: str) -> SchemaError:
    left = left or "OLD"
    right = right or "NEW"
    message = f"{shown(f'{left}={right}')} does not say which name is the old one."
    fix = f"Write --{option} {left}:{right} to make {left} into {right}, or --{option} {right}:{left} to make {right} into {left}."
    return SchemaError(message, code="cli.change", path=f"--{option}", fix=fix)


# ---------------------------------------------------------------- aliases


def _alias(
    text: str, args: Namespace, schema: TableSchema, history: Callable[[], Iterable[TableSchema]], before: Sequence[SchemaChange]
) -> Iterator[SchemaChange]:
    """Yield the changes that give a column its new name, unless it has it, and keep the old name among its attributes."""
    old, new = split_rename("alias", text)
    if not args.until:
        raise SchemaError("an alias needs an end.", code="cli.until", path="--alias", fix="Add --until 2026-12-31, or --until 90d.")
    rename = next(iter(parse_changes([f"RENAME COLUMN {old} TO {new}"])))
    assert isinstance(rename, RenameColumn), "the text says so"  # noqa: S101  # for the type checker
    current = evolve(schema, list(before)) if before else schema
    name = rename.names[0] if len(rename.names) == 1 else ""
    field = current.field(name) or _aliased(current, name, rename.new_name) or _renamed(current, name, rename.new_name, history)
    if field is None:
        raise _no_column(current, rename, times.until(args.until, datetime.now(UTC)))
    attribute_values = dict(current.attributes(field.id))
    known = _ends(attribute_values.get("alias"))
    is_done = field.name == rename.new_name
    # A line with a span that is run again means the end that its first run gave.
    kept = known.get(name) if is_done and times.is_relative(args.until) else None
    end = kept or times.until(args.until, datetime.now(UTC))
    _check_alias(name, rename.new_name, end, is_kept=known.get(name) == end)
    ends = known | {name: end}
    if not is_done or (ends == known and name in known):
        yield rename
    yield set_attributes(field.id, {**attribute_values, "alias": ends})


def _check_alias(old: str, new: str, end: str, *, is_kept: bool) -> None:
    """Refuse an alias without use: one that has ended, unless it is there already, and one of the column's own name."""
    if old == new:
        message = f"{shown(old)} would be an alias of itself."
        raise SchemaError(message, code="cli.alias", path="--alias", fix="Name the column, and what it is to be called: --alias OLD:NEW.")
    if over(end, datetime.now(UTC)) and not is_kept:
        raise SchemaError(f"{end} is over already.", code="cli.until", path="--until", fix="Name a day that is to come, or a span: 90d.")


def _aliased(schema: TableSchema, old: str, new: str) -> Field | None:
    """Return the column that has the new name, and the old one as an alias."""
    field = schema.field(new)
    if field is None or old not in _ends(schema.attributes(field.id).get("alias")):
        return None
    return field


def _renamed(schema: TableSchema, old: str, new: str, history: Callable[[], Iterable[TableSchema]]) -> Field | None:
    """Return the column that has the new name, and had the old one in an earlier version."""
    field = schema.field(new)
    if field is None:
        return None
    columns = (earlier.column(field.id) for earlier in history())
    if any(column is not None and column.name == old for column in columns):
        return field
    return None


def _no_column(schema: TableSchema, rename: RenameColumn, until: str) -> ColumnNotFoundError:
    """Return the error about a name that no column has or had; for a field inside a ROW it has the changes that keep the name."""
    path = ".".join(rename.names)
    inner = Lookup(schema).by_name(rename.names) if len(rename.names) > 1 else None
    if inner is None:
        near = did_you_mean(near_names(path, schema.names, 2))
        fix = f"{near} Name a column of the table, by its name or by one that it had.".lstrip()
        return ColumnNotFoundError(f"there is no column {shown(path)}.", path="--alias", fix=fix)
    keep = set_attributes(inner.field.id, with_alias(attributes(schema, inner.field.id), inner.field.name, until))
    texts = " ".join(shlex.quote(short_text(change)) for change in (rename, keep))
    message = f"{path} is a field inside a column, and --alias is about columns."
    return ColumnNotFoundError(message, path="--alias", fix=f"Write these changes instead: {texts}")


def _ends(alias: dict[str, Any] | list[str] | str | None) -> dict[str, Any]:
    """Return the aliases of a column, each with its end."""
    if isinstance(alias, dict):
        return dict(alias)
    if isinstance(alias, str):
        return {alias: None}
    return dict.fromkeys(alias or (), None)

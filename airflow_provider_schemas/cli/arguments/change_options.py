"""Changes as people type them on a line: short texts, and options for the common ones, done in the order in which they stand."""

import shlex
from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from airflow_provider_schemas.cli.arguments import renames, times
from airflow_provider_schemas.cli.arguments.said import Said
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


class _Edit(Action):
    """Keeps what was typed together with the option that it was typed behind, so that the order stays."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option_string: str | None = None) -> None:
        del parser
        setattr(namespace, "edits", [*getattr(namespace, "edits", ()), ((option_string or "").lstrip("-"), values)])  # noqa: B010  # the namespace has what it is given


def add(parser: ArgumentParser) -> None:
    """Let a parser know the changes."""
    parser.add_argument("changes", nargs="*", metavar="CHANGE", help="such as 'ADD COLUMN coupon STRING AFTER amount'")
    group = parser.add_argument_group("changes in short", argument_default=SUPPRESS)
    group.add_argument("--add", action=_Edit, metavar="'NAME TYPE'", help="add a column")
    group.add_argument("--drop", action=_Edit, metavar="NAME", help="drop a column")
    group.add_argument("--rename", action=_Edit, metavar="OLD:NEW", help="give a column another name")
    group.add_argument("--type", action=_Edit, metavar="NAME=TYPE", help="give a column another type")
    group.add_argument("--alias", action=_Edit, metavar="OLD:NEW", help="rename, and keep the old name as an alias until --until")
    parser.add_argument("--until", action=Said, metavar="WHEN", help="when an alias ends: 2026-12-31, 90d")


def asked(args: Namespace) -> bool:
    """Whether any change was typed."""
    return bool(args.changes or getattr(args, "edits", ()))


def changes(args: Namespace, schema: Callable[[], TableSchema], history: Callable[[], Iterable[TableSchema]] = tuple) -> list[SchemaChange]:
    """What was typed, as changes of a table; its schema, and those before it, are asked for only where they depend on them."""
    edits: Sequence[tuple[str, str]] = getattr(args, "edits", ())
    if args.until and not any(kind == "alias" for kind, _ in edits):
        raise SchemaError("--until says when an alias ends, and there is none.", code="cli.until", fix="Add --alias OLD:NEW.")
    found = parse_changes(args.changes) if args.changes else []
    for kind, text in edits:
        found += list(_alias(text, args, schema(), history, found)) if kind == "alias" else parse_changes([_text(kind, text)])
    if not found:
        fix = "Write a change such as 'ADD COLUMN coupon STRING', --add 'coupon STRING', or the path of a table file."
        raise SchemaError("there is nothing to change.", code="cli.no-change", fix=fix)
    return found


def _text(kind: str, text: str) -> str:
    match kind:
        case "add":
            return f"ADD COLUMN {text}"
        case "drop":
            return f"DROP COLUMN {text}"
        case "rename":
            old, new = renames.halves(kind, text)
            return f"RENAME COLUMN {old} TO {new}"
        case _:
            name, said = _halves(kind, text, "NAME=TYPE")
            return f"ALTER COLUMN {name} TYPE {said}"


def _halves(option: str, text: str, form: str) -> tuple[str, str]:
    left, equals, right = text.partition("=")
    if not equals or not left.strip() or not right.strip():
        raise SchemaError(f"{shown(text)} is not understood.", code="cli.change", path=f"--{option}", fix=f"Write it as {form}.")
    return left.strip(), right.strip()


def _alias(
    text: str, args: Namespace, schema: TableSchema, history: Callable[[], Iterable[TableSchema]], before: Iterable[SchemaChange]
) -> Iterator[SchemaChange]:
    """The column gets its new name, unless it has it, and the old one among its attributes."""
    old, new = renames.halves("alias", text)
    if not args.until:
        raise SchemaError("an alias needs an end.", code="cli.until", path="--alias", fix="Add --until 2026-12-31, or --until 90d.")
    rename = next(iter(parse_changes([f"RENAME COLUMN {old} TO {new}"])))
    assert isinstance(rename, RenameColumn), "the text says so"  # noqa: S101  # for the type checker
    now = evolve(schema, list(before)) if before else schema
    name = rename.names[0] if len(rename.names) == 1 else ""
    field = now.field(name) or _aliased(now, name, rename.new_name) or _renamed(now, name, rename.new_name, history)
    if field is None:
        raise _no_column(now, rename, times.until(args.until, datetime.now(UTC)))
    said = dict(now.attributes(field.id))
    known = _ends(said.get("alias"))
    is_done = field.name == rename.new_name
    # A line with a span that is run again means the end that its first run gave.
    kept = known.get(name) if is_done and times.is_relative(args.until) else None
    end = kept or times.until(args.until, datetime.now(UTC))
    _check_alias(name, rename.new_name, end, is_kept=known.get(name) == end)
    ends = known | {name: end}
    if not is_done or (ends == known and name in known):
        yield rename
    yield set_attributes(field.id, {**said, "alias": ends})


def _check_alias(old: str, new: str, end: str, *, is_kept: bool) -> None:
    """Refuse an alias that helps nobody: one that has ended, unless it is there already, and one of the column's own name."""
    if old == new:
        message = f"{shown(old)} would be an alias of itself."
        raise SchemaError(message, code="cli.alias", path="--alias", fix="Name the column, and what it is to be called: --alias OLD:NEW.")
    if over(end, datetime.now(UTC)) and not is_kept:
        raise SchemaError(f"{end} is over already.", code="cli.until", path="--until", fix="Name a day that is to come, or a span: 90d.")


def _aliased(schema: TableSchema, old: str, new: str) -> Field | None:
    """The column that was renamed so already, and keeps the old name as an alias."""
    field = schema.field(new)
    return field if field is not None and old in _ends(schema.attributes(field.id).get("alias")) else None


def _renamed(schema: TableSchema, old: str, new: str, history: Callable[[], Iterable[TableSchema]]) -> Field | None:
    """The column that has the new name, and had the old one in an earlier version."""
    field = schema.field(new)
    if field is None:
        return None
    columns = (earlier.column(field.id) for earlier in history())
    return field if any(column is not None and column.name == old for column in columns) else None


def _no_column(schema: TableSchema, rename: RenameColumn, until: str) -> ColumnNotFoundError:
    """The error about a name that no column has or had; for a field inside a ROW it has the changes that keep the name."""
    found = Lookup(schema).by_name(rename.names) if len(rename.names) > 1 else None
    message = f"there is no column {shown('.'.join(rename.names))}."
    if found is None:
        return ColumnNotFoundError(message, path="--alias", fix="Name a column of the table, by its name or by one that it had.")
    kept = set_attributes(found.field.id, with_alias(attributes(schema, found.field.id), found.field.name, until))
    texts = " ".join(shlex.quote(short_text(one)) for one in (rename, kept))
    message = f"{'.'.join(rename.names)} is a field inside a column, and --alias is about columns."
    return ColumnNotFoundError(message, path="--alias", fix=f"Write these changes instead: {texts}")


def _ends(alias: Any) -> dict[str, Any]:
    """The aliases that are there, each with its end."""
    if isinstance(alias, dict):
        return dict(alias)
    return dict.fromkeys([alias] if isinstance(alias, str) else alias or (), None)

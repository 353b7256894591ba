"""`diff`: the changes that lead from one schema to another, and the differences that no change expresses."""

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterator
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.table_name import TableReference
from airflow_provider_schemas.cli.operands import Operand, of_version, read_operand, read_version, stored
from airflow_provider_schemas.cli.output.result import Answer, Drawn, Part, TextLine
from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.evolution.diff import Difference, diff
from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.render.diff.columns import SIDE_BY_SIDE, one_under_the_other, side_by_side
from airflow_provider_schemas.render.diff.counts import counts_text, difference_counts
from airflow_provider_schemas.render.diff.rows import DiffRow, column_rows, shown_rows
from airflow_provider_schemas.render.diff.table_rows import table_rows
from airflow_provider_schemas.render.findings.steps import change_text
from airflow_provider_schemas.render.masking import masked_difference
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.core.schema.version import Version
    from airflow_provider_schemas.render.html.table_diff import TableDiff
    from airflow_provider_schemas.store.table import Table


class _SchemaStep(NamedTuple):
    """What differs between two schemas."""

    old: str
    new: str
    before: TableSchema
    after: TableSchema
    """The new schema, its fields under the ids of the old one."""
    changes: tuple[SchemaChange, ...]
    remainder: tuple[Difference, ...] = ()
    left_alone: tuple[str, ...] = ()
    """Columns that a table file does not mention."""


class _Rows(NamedTuple):
    """The rows of both schemas, aligned."""

    columns: tuple[DiffRow, ...]
    table: tuple[DiffRow, ...]


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument(
        "objects", nargs="+", metavar="TABLE|FILE", help="two versions or files; or a table, or an ODF chain, for its last step"
    )
    parser.add_argument("--by-name", action="store_true", help="find columns by name, whatever their ids are")
    parser.add_argument("--stat", action="store_true", help="one line of counts: added, dropped, renamed, retyped, moved ...")
    parser.add_argument(
        "--side-by-side",
        action=BooleanOptionalAction,
        default=None,
        help=f"both versions beside each other; from {SIDE_BY_SIDE} columns on",
    )


def run(args: Namespace) -> Answer:
    """Answer with the difference. It is no judgement: the exit code is 0."""
    old, new = _sides(args)
    if old.odf is not None and new.odf is not None:
        from airflow_provider_schemas.cli.output.odf_result import diff_answer

        answer = diff_answer(old, new)
        return answer._replace(parts=answer.parts[:1]) if args.stat else answer
    step = _compare(old, new, args.by_name)
    rows = _Rows(column_rows(step.before.fields, step.after.fields), table_rows(step.before, step.after))
    counts = difference_counts(rows.columns, rows.table, len(step.remainder))
    parts = [TextLine(f"{step.old} -> {step.new}  {counts_text(counts)}", typed=True)] if args.stat else [*_parts(step, rows, args)]
    return Answer(parts, {**_data(step), "counts": counts}, page=None if args.stat else partial(_page, step, args.verbose))


def _page(step: _SchemaStep, all_rows: bool) -> "TableDiff":
    """Return both schemas as a page shows them."""
    from airflow_provider_schemas.render.html.table_diff import table_diff

    notes = [f"not in the file, left alone: {', '.join(step.left_alone)}"] if step.left_alone else []
    return table_diff(step.before, step.after, titles=(step.old, step.new), all_rows=all_rows, notes=notes)


# ---------------------------------------------------------------- the two sides


def _sides(args: Namespace) -> tuple[Operand, Operand]:
    """Return the old operand and the new one."""
    if len(args.objects) == 2:
        return read_operand(args.objects[0], args), read_operand(args.objects[1], args)
    if len(args.objects) == 1:
        return _last_step_of(args.objects[0], args)
    raise _cannot_compare(args)


def _last_step_of(text: str, args: Namespace) -> tuple[Operand, Operand]:
    """Return the last step of a table of the store, or of an ODF chain."""
    reference = stored(text, args)
    if reference is not None:
        return _last_step_of_table(reference, args)
    operand = read_operand(text, args)
    if operand.odf is None:
        raise _cannot_compare(args)
    from airflow_provider_schemas.cli.output.odf_result import last_step

    return last_step(operand)


def _cannot_compare(args: Namespace) -> SchemaError:
    message = f"{counted(len(args.objects), 'object')} cannot be compared."
    return SchemaError(message, code="cli.objects", fix="Name two versions or files, or one table of a store for its last step.")


def _last_step_of_table(reference: TableReference, args: Namespace) -> tuple[Operand, Operand]:
    """Return the version before a version, and that version: the one that the line names, else the newest."""
    table = open_store.open_table(args, reference)
    new = read_version(table, reference)
    old = find_before(table, new)
    if old is None:
        message = f"version {new.number} is the first there is."
        raise SchemaError(message, code="cli.first", path=table.name, fix=f"See it with: airflow-schemas show {quote(table.name)}.")
    return of_version(table, old), of_version(table, new)


def find_before(table: "Table", new: "Version") -> "Version | None":
    """Return the version that was the newest before this one; None if there is none."""
    from airflow_provider_schemas.store.versions.heads import versions_before

    if table.subject.is_mounted:
        earlier = versions_before(table.versions(), new, table.subject.versions.heads())
        return earlier[-1] if earlier else None
    before = [number for number in table.numbers() if number < new.number]
    return table.version(before[-1]) if before else None


# ---------------------------------------------------------------- the difference


def _compare(old: Operand, new: Operand, by_name: bool) -> _SchemaStep:
    if new.file is not None:
        planned = table_file.changes_of(new.file, old.schema)
        remainder = diff(planned.base, planned.target).remainder
        return _SchemaStep(old.label, new.label, planned.base, planned.target, planned.changes, tuple(remainder), planned.left_alone)
    by_name = by_name or not (old.ids and new.ids)
    difference = diff(old.schema, new.schema, by_name=by_name)
    after = matched_by_name(old.schema, new.schema)[0] if by_name else new.schema
    return _SchemaStep(old.label, new.label, old.schema, after, tuple(difference.changes), tuple(difference.remainder))


def _parts(step: _SchemaStep, rows: _Rows, args: Namespace) -> Iterator[Part]:
    number = len(step.changes) + len(step.remainder)
    yield TextLine(f"{step.old} -> {step.new}  {counted(number, 'change') if number else 'no difference'}")
    if number:
        yield Drawn(partial(_draw, step, rows, args.side_by_side))
    for change in step.changes:
        yield TextLine(change_text(change), 2, typed=True)
    for difference in map(masked_difference, step.remainder):
        yield TextLine(f"{difference.path}: {difference.message}", 2)
    if step.left_alone:
        yield TextLine(f"not in the file, left alone: {', '.join(step.left_alone)}", 2)


def _draw(step: _SchemaStep, rows: _Rows, forced: bool | None, sheet: Sheet) -> list[str]:
    """Draw the columns of both versions, and what else differs; nothing, where only what no row shows does."""
    shown = [*shown_rows(rows.columns, all_of_them=sheet.verbose), *rows.table]
    if not any(row.kinds for row in shown):
        return []
    if forced or (forced is None and sheet.width >= SIDE_BY_SIDE):
        return [*side_by_side(shown, (step.old, step.new), sheet), ""]
    return [*one_under_the_other(shown, sheet), ""]


def _data(step: _SchemaStep) -> dict[str, Any]:
    changes = [{"text": change_text(change), "change": masked_change(change).to_json()} for change in step.changes]
    remainder = [{"path": difference.path, "message": difference.message} for difference in map(masked_difference, step.remainder)]
    return {"old": step.old, "new": step.new, "changes": changes, "remainder": remainder, "left_alone": list(step.left_alone)}

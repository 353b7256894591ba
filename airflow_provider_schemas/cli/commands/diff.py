"""`diff`: the changes that lead from one schema to another, and what no change can say."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from shlex import quote
from typing import Any, NamedTuple

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.table_name import Named
from airflow_provider_schemas.cli.operands import Thing, of_version, stored, thing
from airflow_provider_schemas.cli.output.result import Answer, Line, Part
from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.evolution.diff import Difference, diff
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.render.finding_steps import change_text
from airflow_provider_schemas.render.masking import masked_difference
from airflow_provider_schemas.render.wording import counted


class _Found(NamedTuple):
    old: str
    new: str
    changes: tuple[SchemaChange, ...]
    remainder: tuple[Difference, ...] = ()
    left_alone: tuple[str, ...] = ()


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument(
        "objects", nargs="+", metavar="TABLE|FILE", help="two versions or files; or a table, or an ODF chain, for its last step"
    )
    parser.add_argument("--by-name", action="store_true", help="find columns by name, whatever their ids are")


def run(args: Namespace) -> Answer:
    """The difference. It is no judgement: the exit code is 0."""
    old, new = _sides(args)
    if old.odf is not None and new.odf is not None:
        from airflow_provider_schemas.cli.output.odf_result import difference

        return difference(old, new)
    found = _found(old, new, args.by_name)
    return Answer([*_parts(found)], _data(found))


def _sides(args: Namespace) -> tuple[Thing, Thing]:
    if len(args.objects) == 2:
        return thing(args.objects[0], args), thing(args.objects[1], args)
    named = stored(args.objects[0], args) if len(args.objects) == 1 else None
    alone = thing(args.objects[0], args) if named is None and len(args.objects) == 1 else None
    if alone is not None and alone.odf is not None:
        from airflow_provider_schemas.cli.output.odf_result import last_step

        return last_step(alone)
    if named is None:
        message = f"{counted(len(args.objects), 'object')} cannot be compared."
        raise SchemaError(message, code="cli.objects", fix="Name two versions or files, or one table of a store for its last step.")
    return _last_step(named, args)


def _last_step(named: Named, args: Namespace) -> tuple[Thing, Thing]:
    """The version that is named, or the newest, and the one before it."""
    table = open_store.table(args, named)
    new = table.latest() if named.version is None else table.version(named.version)
    before = [one for one in table.numbers() if one < new.number]
    if not before:
        message = f"version {new.number} is the first there is."
        raise SchemaError(message, code="cli.first", path=table.name, fix=f"See it with: airflow-schemas show {quote(table.name)}.")
    return of_version(table, table.version(before[-1])), of_version(table, new)


def _found(old: Thing, new: Thing, by_name: bool) -> _Found:
    if new.file is not None:
        planned = table_file.changes_of(new.file, old.schema)
        rest = diff(planned.base, planned.target).remainder
        return _Found(old.label, new.label, planned.changes, tuple(rest), planned.left_alone)
    found = diff(old.schema, new.schema, by_name=by_name or not (old.ids and new.ids))
    return _Found(old.label, new.label, tuple(found.changes), tuple(found.remainder))


def _parts(found: _Found) -> Iterator[Part]:
    number = len(found.changes) + len(found.remainder)
    yield Line(f"{found.old} -> {found.new}  {counted(number, 'change') if number else 'no difference'}")
    yield from (Line(change_text(one), 2, typed=True) for one in found.changes)
    yield from (Line(f"{one.path}: {one.message}", 2) for one in map(masked_difference, found.remainder))
    if found.left_alone:
        yield Line(f"not in the file, left alone: {', '.join(found.left_alone)}", 2)


def _data(found: _Found) -> dict[str, Any]:
    changes = [{"text": change_text(one), "change": masked_change(one).to_json()} for one in found.changes]
    remainder = [{"path": one.path, "message": one.message} for one in map(masked_difference, found.remainder)]
    return {"old": found.old, "new": found.new, "changes": changes, "remainder": remainder, "left_alone": list(found.left_alone)}

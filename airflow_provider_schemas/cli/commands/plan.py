"""`plan`: what changes, or a table file, would make of a table, and whom that breaks. Writes nothing but the plan."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments import change_options
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.operands import Thing, thing
from airflow_provider_schemas.cli.output.result import BREAK, Answer, Line, Part, Shown
from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import engine_sql, table_file

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table


class _Made(NamedTuple):
    plan: Plan
    table: "Table | None" = None
    base: TableSchema | None = None


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE|FILE", help="a table and changes; or the table file that says what shall be")
    change_options.add(parser)
    parser.add_argument("--base", metavar="FILE", help="the schema file that a table file is planned on, where no store is named")
    policy_option.add(parser)
    parser.add_argument(
        "-o", "--output", metavar="PLAN.json", help="write the plan into a file, for apply; secrets that it sets stand in it"
    )
    parser.add_argument("--save", action="store_true", help="keep the plan in the registry, for apply by its digest")
    parser.add_argument("--sql", choices=("spark", "flink"), help="print the statements with which an engine does it")


def run(args: Namespace) -> Answer:
    """The plan; one that breaks something ends with 1."""
    asked = thing(args.object, args)
    made, table, base = _made(asked, args)
    parts: list[Part] = [Shown(made)]
    approved = " --approved-by NAME" if made.verdict == BREAK else ""
    if args.output:
        local_io.write(args.output, made.to_json())
        parts += [Line(f"written to {args.output}; do it with", 2), _do(args.output, approved)]
    if args.save:
        parts += [Line("kept in the registry; do it with", 2), _do(f"{made.table} {_save(made, table)[:12]}", approved)]
    if args.sql:
        return _statements(made, base, args.sql, parts)
    return Answer(parts, verdict=made.verdict)


def _do(plan: str, approved: str) -> Line:
    return Line(f"airflow-schemas apply {plan}{approved}", 6, typed=True)


def _made(asked: Thing, args: Namespace) -> _Made:
    if asked.file is None:
        return _of_changes(asked, args)
    if change_options.asked(args):
        raise SchemaError("a table file says itself what changes.", code="cli.changes", fix="Leave the changes out, or name the table.")
    if args.base:
        base = _base(thing(args.base, args))
        return _Made(table_file.plan(asked.file, base, policy=policy_option.wanted(args)), None, base.schema)
    if not open_store.named(args):
        return _Made(table_file.plan(asked.file, None, policy=policy_option.wanted(args)))
    table = open_store.store(args).table(asked.file.table, branch=args.branch)
    made = table.plan(target=asked.file, policy=policy_option.wanted(args), override=args.override)
    return _Made(made, table, None if made.base is None else table.schema(made.base.number))


def _of_changes(asked: Thing, args: Namespace) -> _Made:
    changes = change_options.changes(args, lambda: asked.schema)
    if asked.table is None:
        return _Made(Plan.of(_base(asked), changes, policy=policy_option.wanted(args), table=asked.name), None, asked.schema)
    head = asked.table.latest()
    if asked.version is not None and asked.version.number != head.number:
        message = f"version {asked.version.number} is not the newest: that is {head.number}."
        raise SchemaError(message, code="cli.not-newest", path=asked.name, fix=f"Plan on {asked.name}, or go back first: restore.")
    return _Made(asked.table.plan(changes, policy=policy_option.wanted(args), override=args.override), asked.table, asked.schema)


def _base(found: Thing) -> Version:
    if found.version is not None:
        return found.version
    return Version.read(found.schema.to_json().encode(), found.schema.id)


def _save(made: Plan, table: "Table | None") -> str:
    if table is None:
        fix = "Pass --store URL or --conn ID, or use -o."
        raise SchemaError("a plan is kept in a registry, and no store is named.", code="cli.no-store", fix=fix)
    return table.save_plan(made)


def _statements(made: Plan, base: TableSchema | None, engine: str, parts: list[Part]) -> Answer:
    """The statements with which an engine makes the plan; where it cannot make all of it, that is a failure."""
    if not made.table:
        fix = "Name a table of a store, or a table file with --base."
        raise SchemaError("statements need the name of a table.", code="cli.no-table", path="--sql", fix=fix)
    if not made.expressed:
        fix = "Make the table anew with the engine, or write the changes one by one."
        raise SchemaError("no changes lead to this plan, and statements are changes.", code="cli.no-statements", path="--sql", fix=fix)
    said = [one for one in made.changes if masked_change(one) == one]
    found = engine_sql.statements(made.table, said, engine=engine, schema=base)
    why = "its value is a secret, which is not printed: run it by hand"
    hidden = [(short_text(masked_change(one)), why) for one in made.changes if masked_change(one) != one]
    missing = [*found.unsaid, *hidden]
    unsaid = [Line(f"{engine} is not told: {change} ({reason})", 2) for change, reason in missing]
    data: dict[str, Any] = {
        "table": made.table,
        "engine": engine,
        "statements": list(found.statements),
        "unsaid": [{"change": change, "reason": reason} for change, reason in missing],
        "plan": made.summary(),
    }
    return Answer([*parts, *(Line(f"{one};", typed=True) for one in found.statements), *unsaid], data, made.verdict, failed=bool(unsaid))

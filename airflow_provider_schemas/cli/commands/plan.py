"""`plan`: what changes, or a table file, would make of a table, and whom that breaks. Writes nothing but the plan."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from airflow_provider_schemas.cli import policy_option
from airflow_provider_schemas.cli.arguments import change_options, options
from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import base, file_policy, missing_tables
from airflow_provider_schemas.cli.judging.compared import name_of
from airflow_provider_schemas.cli.judging.steps import compared_with_base, version_of
from airflow_provider_schemas.cli.judging.verdicts import Judged, Verdicts, answer
from airflow_provider_schemas.cli.operands import Thing, thing
from airflow_provider_schemas.cli.output.result import BREAK, Answer, Line, Part, Shown
from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import engine_sql, table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table


class _Made(NamedTuple):
    plan: Plan
    compared: str
    table: "Table | None" = None
    base: TableSchema | None = None
    misspelled: tuple[Finding, ...] = ()

    @property
    def report(self) -> Report:
        """The report of the plan, and what the line alone has to be told."""
        return msgspec.structs.replace(self.plan.report, findings=(*self.plan.report.findings, *self.misspelled))


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE|FILE", help="a table and changes; or the table file that says what shall be")
    change_options.add(parser)
    parser.add_argument(
        "--base", type=options.text, metavar="FILE", help="the schema file that a table file is planned on, where no store is named"
    )
    base.add(parser)
    policy_option.add(parser)
    parser.add_argument(
        "-o", "--output", action=Said, metavar="PLAN.json", help="write the plan into a file, for apply; secrets that it sets stand in it"
    )
    parser.add_argument("--save", action="store_true", help="keep the plan in the registry, for apply by its digest")
    parser.add_argument("--sql", choices=("spark", "flink"), help="print the statements with which an engine does it")


def run(args: Namespace) -> Answer:
    """The plan; one that breaks something ends with 1."""
    base.check_options(args)
    made = _made(thing(args.object, args), args)
    parts = [Shown(made.plan), *(Line(f"⚠ {one.message} {one.fix}", 2) for one in made.misspelled), *_kept(made, args)]
    if args.sql:
        return _statements(made, args, parts)
    return _answer(made, args, parts)


def _answer(made: _Made, args: Namespace, parts: list[Part], **more: Any) -> Answer:
    """Build the answer; in JSON the whole plan stands in its report."""
    judged = Judged(made.compared, made.report, {"plan": json.loads(made.plan.to_json()), **more})
    return answer(Verdicts([judged]), args, parts)


def _kept(made: _Made, args: Namespace) -> list[Part]:
    """Write the plan where it is to be kept, and return the lines that say how it is done."""
    plan = made.plan
    approved = " --approved-by NAME" if plan.verdict == BREAK else ""
    parts: list[Part] = []
    if args.output:
        local_io.write(args.output, plan.to_json())
        parts += [Line(f"written to {args.output}; do it with", 2), _do(quote(_as_file(args.output)), approved)]
    if args.save:
        parts += [Line("kept in the registry; do it with", 2), _do(f"{quote(plan.table)} {_save(plan, made.table)[:12]}", approved)]
    return parts


def _as_file(path: str) -> str:
    """The path, which is no option."""
    return f"./{path}" if path.startswith("-") else path


def _do(plan: str, approved: str) -> Line:
    return Line(f"airflow-schemas apply {plan}{approved}", 6, typed=True)


# ---------------------------------------------------------------- the plan


def _made(operand: Thing, args: Namespace) -> _Made:
    if operand.file is None:
        return _of_changes(operand, args)
    if change_options.asked(args):
        raise SchemaError("a table file says itself what changes.", code="cli.changes", fix="Leave the changes out, or name the table.")
    if args.base:
        return _on_file(operand, operand.file, args)
    table = base.table_of(operand.file, operand.label, args)
    if table is None:
        plan = table_file.plan(operand.file, None, policy=policy_option.wanted(args))
        compared = base.compared_with_nothing(operand.file, operand.label, args)
        return _Made(plan, compared, misspelled=missing_tables.misspelled(operand.file, args))
    plan = table.plan(target=operand.file, policy=policy_option.wanted(args), override=args.override, unchecked=args.unchecked)
    schema = None if plan.base is None else table.schema(plan.base.number)
    return _Made(plan, compared_with_base(operand, plan, args), table, schema)


def _on_file(operand: Thing, file: TableFile, args: Namespace) -> _Made:
    if args.alone or args.new:
        raise SchemaError("--base names what --alone and --new say is not there.", code="cli.base", fix="Keep one of them.")
    old = thing(args.base, args)
    if old.name and old.name != file.table:
        message, fix = f"it is about {old.name}, and {operand.label} about {file.table}.", "Name the base of the same table."
        raise SchemaError(message, code="cli.base", path=args.base, fix=fix)
    version = version_of(old)
    policy = policy_option.wanted(args) or file_policy.of_step(version.schema, operand)
    plan = table_file.plan(file, version, policy=policy)
    return _Made(plan, f"{operand.label} with {name_of(old, args)}", None, version.schema)


def _of_changes(operand: Thing, args: Namespace) -> _Made:
    if args.base or args.alone or args.new:
        message, fix = (
            "--base, --alone and --new are about table files.",
            "Leave it out: changes are planned on what stands before them.",
        )
        raise SchemaError(message, code="cli.base", path=operand.label, fix=fix)
    changes = change_options.changes(args, lambda: operand.schema, lambda: _earlier(operand))
    compared = f"{counted(len(changes), 'change')} with {name_of(operand, args)}"
    if operand.table is None:
        policy = policy_option.wanted(args) or file_policy.of_schemas(operand.schema, operand.schema)
        plan = Plan.of(version_of(operand), changes, policy=policy, table=operand.name)
        return _Made(plan, compared, None, operand.schema)
    head = operand.table.latest()
    if operand.version is not None and operand.version.number != head.number:
        message = f"version {operand.version.number} is not the newest: that is {head.number}."
        raise SchemaError(message, code="cli.not-newest", path=operand.name, fix=f"Plan on {operand.name}, or go back first: restore.")
    plan = operand.table.plan(changes, policy=policy_option.wanted(args), override=args.override, unchecked=args.unchecked)
    return _Made(plan, compared, operand.table, operand.schema)


def _earlier(operand: Thing) -> Iterator[TableSchema]:
    """The schemas of a table of the store; a file has none before it."""
    if operand.table is not None:
        yield from (version.schema for version in operand.table.versions())


def _save(made: Plan, table: "Table | None") -> str:
    if table is None:
        fix = "Pass --store URL or --conn ID, or use -o."
        raise SchemaError("a plan is kept in a registry, and no store is named.", code="cli.no-store", fix=fix)
    return table.save_plan(made)


# ---------------------------------------------------------------- statements


def _statements(made: _Made, args: Namespace, parts: list[Part]) -> Answer:
    """The statements with which an engine makes the plan; where it cannot make all of it, that is a failure."""
    plan, engine = made.plan, args.sql
    _check_statable(plan)
    shown = [change for change in plan.changes if masked_change(change) == change]
    written = engine_sql.statements(plan.table, shown, engine=engine, schema=made.base)
    why = "its value is a secret, which is not printed: run it by hand"
    hidden = [(short_text(masked_change(change)), why) for change in plan.changes if masked_change(change) != change]
    unsaid = [*written.unsaid, *hidden]
    missing = [Line(f"{engine} is not told: {change} ({reason})", 2) for change, reason in unsaid]
    more: dict[str, Any] = {
        "engine": engine,
        "statements": list(written.statements),
        "unsaid": [{"change": change, "reason": reason} for change, reason in unsaid],
    }
    lines = [*parts, *(Line(f"{statement};", typed=True) for statement in written.statements), *missing]
    return _answer(made, args, lines, **more)._replace(failed=bool(unsaid))


def _check_statable(plan: Plan) -> None:
    if not plan.table:
        fix = "Name a table of a store, or a table file with --base."
        raise SchemaError("statements need the name of a table.", code="cli.no-table", path="--sql", fix=fix)
    if not plan.expressed:
        fix = "Make the table anew with the engine, or write the changes one by one."
        raise SchemaError("no changes lead to this plan, and statements are changes.", code="cli.no-statements", path="--sql", fix=fix)

"""`plan`: the result of changes, or of a table file, and which readers it breaks. Writes nothing but the plan."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from airflow_provider_schemas.cli import policy_option
from airflow_provider_schemas.cli.arguments import change_options, options
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import base, file_policy, missing_tables
from airflow_provider_schemas.cli.judging.compared import name_of
from airflow_provider_schemas.cli.judging.steps import about_file, compared_with_base, version_of
from airflow_provider_schemas.cli.judging.verdicts import ComparedReport, Verdicts, answer
from airflow_provider_schemas.cli.operands import Operand, read_operand
from airflow_provider_schemas.cli.output.result import BREAK, Answer, Part, Shown, TextLine
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


_ENGINES = ("spark", "flink", "spark-iceberg", "spark-delta", "trino")


class _PlanOfLine(NamedTuple):
    """A plan, with what it was compared with."""

    plan: Plan
    compared: str
    table: "Table | None" = None
    base: TableSchema | None = None
    misspelled: tuple[Finding, ...] = ()
    """Warnings about tables with nearly the same name, which are no part of the plan."""
    source: Operand | None = None
    """The table file that was planned."""

    @property
    def report(self) -> Report:
        """The report of the plan, and the warnings."""
        report = msgspec.structs.replace(self.plan.report, findings=(*self.plan.report.findings, *self.misspelled))
        return report if self.source is None else about_file(report, self.source)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("object", metavar="TABLE|TABLEFILE|FILE", help="a table and changes; or the table file that says what shall be")
    change_options.add(parser)
    parser.add_argument(
        "--base", type=options.text, metavar="FILE", help="the schema file that a table file is planned on, where no store is named"
    )
    base.add(parser)
    policy_option.add(parser)
    parser.add_argument(
        "-o",
        dest="output",
        action=RequiredText,
        metavar="PLAN.json",
        help="(or --output) write the plan into a file, for apply; secrets that it sets stand in it",
    )
    parser.add_argument("--save", action="store_true", help="keep the plan in the registry, for apply by its digest")
    parser.add_argument(
        "--sql",
        choices=_ENGINES,
        metavar="ENGINE",
        help=f"print the statements with which an engine does it: {', '.join(_ENGINES)}; "
        "of a mounted table, spark is Spark with whoever keeps it",
    )


def run(args: Namespace) -> Answer:
    """Make the plan, and answer with it; one that breaks something ends with 1."""
    base.check_options(args)
    operand = read_operand(args.object, args)
    planned = _make_plan(operand, args)
    if operand.file is not None:
        planned = planned._replace(source=operand)
    warnings = [TextLine(f"⚠ {finding.message} {finding.fix}", 2) for finding in planned.misspelled]
    parts: list[Part] = [Shown(planned.plan), *warnings, *_keep(planned, args)]
    if args.sql:
        return _statements_answer(planned, args, parts)
    return _answer(planned, args, parts)


def _answer(planned: _PlanOfLine, args: Namespace, parts: list[Part], **more: Any) -> Answer:
    """Return the answer; in JSON the whole plan stands in its report."""
    report = ComparedReport(planned.compared, planned.report, {"plan": json.loads(planned.plan.to_json()), **more})
    return answer(Verdicts([report]), args, parts)


# ---------------------------------------------------------------- keeping the plan


def _keep(planned: _PlanOfLine, args: Namespace) -> list[TextLine]:
    """Write the plan into a file or into the registry, and return the lines with the commands that apply it."""
    plan = planned.plan
    approved = " --approved-by NAME" if plan.verdict == BREAK else ""
    lines: list[TextLine] = []
    if args.output:
        local_io.write(args.output, plan.to_json())
        lines += [TextLine(f"written to {args.output}; do it with", 2), _apply_line(quote(_as_file(args.output)), approved)]
    if args.save:
        digest = _save(plan, planned.table)
        lines += [TextLine("kept in the registry; do it with", 2), _apply_line(f"{quote(plan.table)} {digest[:12]}", approved)]
    return lines


def _save(plan: Plan, table: "Table | None") -> str:
    if table is None:
        fix = "Pass --store URL or --conn ID, or use -o."
        raise SchemaError("a plan is kept in a registry, and no store is named.", code="cli.no-store", fix=fix)
    return table.save_plan(plan)


def _as_file(path: str) -> str:
    """Write a path so that it cannot be read as an option."""
    return f"./{path}" if path.startswith("-") else path


def _apply_line(plan: str, approved: str) -> TextLine:
    return TextLine(f"airflow-schemas apply {plan}{approved}", 6, typed=True)


# ---------------------------------------------------------------- making the plan


def _make_plan(operand: Operand, args: Namespace) -> _PlanOfLine:
    if operand.file is None:
        return _plan_changes(operand, args)
    if change_options.has_changes(args):
        raise SchemaError("a table file says itself what changes.", code="cli.changes", fix="Leave the changes out, or name the table.")
    if args.base:
        return _plan_on_base_file(operand, operand.file, args)
    table = base.table_of(operand.file, operand.label, args)
    if table is None:
        plan = table_file.plan(operand.file, None, policy=policy_option.read_policy(args))
        compared = base.compared_with_nothing(operand.file, operand.label, args)
        return _PlanOfLine(plan, compared, misspelled=missing_tables.misspelled(operand.file, args))
    plan = table.plan(target=operand.file, policy=policy_option.read_policy(args), override=args.override, unchecked=args.unchecked)
    schema = None if plan.base is None else table.schema(plan.base.number)
    return _PlanOfLine(plan, compared_with_base(operand, plan, args), table, schema)


def _plan_on_base_file(operand: Operand, file: TableFile, args: Namespace) -> _PlanOfLine:
    """Plan a table file on the schema file that --base names."""
    if args.alone or args.new:
        raise SchemaError("--base names what --alone and --new say is not there.", code="cli.base", fix="Keep one of them.")
    old = read_operand(args.base, args)
    if old.name and old.name != file.table:
        message = f"it is about {old.name}, and {operand.label} about {file.table}."
        raise SchemaError(message, code="cli.base", path=args.base, fix="Name the base of the same table.")
    version = version_of(old)
    policy = policy_option.read_policy(args) or file_policy.of_step(version.schema, operand)
    plan = table_file.plan(file, version, policy=policy)
    return _PlanOfLine(plan, f"{operand.label} with {name_of(old, args)}", None, version.schema)


def _plan_changes(operand: Operand, args: Namespace) -> _PlanOfLine:
    """Plan changes on a table of the store or on a schema file."""
    if args.base or args.alone or args.new:
        message = "--base, --alone and --new are about table files."
        fix = "Leave it out: changes are planned on what stands before them."
        raise SchemaError(message, code="cli.base", path=operand.label, fix=fix)
    changes = change_options.read_changes(args, lambda: operand.schema, lambda: _earlier_schemas(operand))
    compared = f"{counted(len(changes), 'change')} with {name_of(operand, args)}"
    if operand.table is None:
        policy = policy_option.read_policy(args) or file_policy.of_schemas(operand.schema, operand.schema)
        plan = Plan.of(version_of(operand), changes, policy=policy, table=operand.name)
        return _PlanOfLine(plan, compared, None, operand.schema)
    head = operand.table.latest()
    if operand.version is not None and operand.version.number != head.number:
        message = f"version {operand.version.number} is not the newest: that is {head.number}."
        raise SchemaError(message, code="cli.not-newest", path=operand.name, fix=f"Plan on {operand.name}, or go back first: restore.")
    plan = operand.table.plan(changes, policy=policy_option.read_policy(args), override=args.override, unchecked=args.unchecked)
    return _PlanOfLine(plan, compared, operand.table, operand.schema)


def _earlier_schemas(operand: Operand) -> Iterator[TableSchema]:
    """Yield the schemas of a table of the store; a file has none before it."""
    if operand.table is not None:
        yield from (version.schema for version in operand.table.versions())


# ---------------------------------------------------------------- statements


def _statements_answer(planned: _PlanOfLine, args: Namespace, parts: list[Part]) -> Answer:
    """Answer with the statements by which an engine makes the changes; an engine that cannot make all of them is a failure."""
    plan = planned.plan
    _check_statable(plan)
    engine, name = _name_in_engine(planned, args.sql)
    plain = [change for change in plan.changes if masked_change(change) == change]
    written = engine_sql.statements(name, plain, engine=engine, schema=planned.base)
    missing = [*written.unsaid, *_secret_changes(plan)]
    lines = [TextLine(f"{statement};", typed=True) for statement in written.statements]
    lines += [TextLine(f"{engine} is not told: {change} ({reason})", 2) for change, reason in missing]
    more: dict[str, Any] = {
        "engine": engine,
        "statements": list(written.statements),
        "unsaid": [{"change": change, "reason": reason} for change, reason in missing],
    }
    return _answer(planned, args, [*parts, *lines], **more)._replace(failed=bool(missing))


def _name_in_engine(planned: _PlanOfLine, engine: str) -> tuple[str, str | tuple[str, ...]]:
    """Return the engine, and the name of the table; of a mounted one its parts, as the engine has them."""
    if planned.table is None:
        return engine, planned.plan.table
    return planned.table.name_in_engine(engine)


def _secret_changes(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the changes that set secrets, masked, with the reason why there is no statement for them."""
    for change in plan.changes:
        masked = masked_change(change)
        if masked != change:
            yield short_text(masked), "its value is a secret, which is not printed: run it by hand"


def _check_statable(plan: Plan) -> None:
    """Refuse a plan that statements cannot express."""
    if not plan.table:
        fix = "Name a table of a store, or a table file with --base."
        raise SchemaError("statements need the name of a table.", code="cli.no-table", path="--sql", fix=fix)
    if not plan.expressed:
        fix = "Make the table anew with the engine, or write the changes one by one."
        raise SchemaError("no changes lead to this plan, and statements are changes.", code="cli.no-statements", path="--sql", fix=fix)

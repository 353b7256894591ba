"""`apply`: write the version of a plan. Refused when the table has changed since the plan was made."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from airflow_provider_schemas.cli import open_store, policy_option
from airflow_provider_schemas.cli.arguments.required_text import RequiredName, RequiredReason, RequiredText
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file, parse_table
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.git import revision_option
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import Fault, NotThereError, PlanError, SchemaError
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_HEX = frozenset("0123456789abcdef")
# The keys that distinguish the JSON of an answer from a plan.
_ANSWERS = frozenset({"reports", "errors", "error"})
_MAKE = "Make it with `airflow-schemas plan TABLE CHANGES -o PLAN.json`, or pipe what that prints with --format json."


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument(
        "plan", nargs="+", metavar="PLAN", help="PLAN.json; or the beginning of the digest of a kept plan, its table before it"
    )
    dry_run.add(parser)
    parser.add_argument("--key", action=RequiredText, help="name this attempt: one with the same key is done once")
    parser.add_argument("--approved-by", action=RequiredName, metavar="NAME", default="", help="who approved the plan")
    parser.add_argument(
        "--override", action=RequiredReason, metavar="REASON", default="", help="go below the table's own policy, and keep the reason"
    )
    policy_option.add_unchecked(parser)
    parser.add_argument("--run", action=RequiredText, default="", help="what this belongs to, for the history")
    revision_option.add(parser)


def run(args: Namespace) -> Answer:
    """Apply the plan, and answer with the version that was written."""
    store = open_store.store(args)
    plan = _read_plan(store, args.plan)
    table = store.table(plan.table, branch=_branch(plan, args))
    commit = partial(
        table.apply,
        plan,
        args.key,
        approval=args.approved_by,
        override=args.override,
        unchecked=args.unchecked,
        actor=open_store.actor(),
        run=args.run,
        revision=revision_option.read_revision(args),
    )
    return dry_run.answered(commit, args)


def _branch(plan: Plan, args: Namespace) -> str | None:
    """Return the branch that a plan was made on; refuse a line that names another one."""
    if plan.base is None:
        return cast("str | None", args.branch)
    made_on = plan.base.branch
    if args.branch and args.branch != made_on:
        message = f"the plan was made on the branch {made_on}, and --branch names {args.branch}."
        raise SchemaError(message, code="cli.branch", path=plan.table, fix="Leave --branch out, or make the plan on that branch.")
    return made_on


def _read_plan(store: "SchemaStore", words: list[str]) -> Plan:
    """Return the plan that the line names: a file, a digest, or a table and a digest."""
    match words:
        case [path] if looks_like_a_file(path) or local_io.exists(path):
            return _read_file(path)
        case [word]:
            digest = _parse_digest(word)
            return store.table(_table_with_plan(store, digest)).saved_plan(digest)
        case [table, word] if reference := parse_table(table):
            digest = _parse_digest(word)
            return store.table(reference.name).saved_plan(digest)
    fix = "Write `airflow-schemas apply PLAN.json`, or `airflow-schemas apply db.table 7c1e94`."
    raise SchemaError("a plan is one file, or a table and a digest.", code="cli.plan", fix=fix)


def _parse_digest(word: str) -> str:
    digest = word.lower()
    if not digest or not set(digest) <= _HEX:
        message = f"there is no file {shown(word)}, and it is no digest of a plan."
        raise NotThereError(message, code="cli.no-plan", fix="Name the file that plan -o wrote, or the digest that plan --save printed.")
    return digest


# ---------------------------------------------------------------- a file


def _read_file(name: str) -> Plan:
    data = local_io.read(name)
    label = local_io.label(name)
    try:
        return Plan.from_json(_plan_in_answer(data, label))
    except PlanError as error:
        raise PlanError.of(_placed(fault, label) for fault in error.faults) from None


def _placed(fault: Fault, label: str) -> Fault:
    """Return the fault with the file, and with a command in place of a method."""
    return fault._replace(path=f"{label} {fault.path}".strip(), fix=fault.fix.replace("Pass what to_json gave.", _MAKE))


def _plan_in_answer(data: bytes, label: str) -> bytes | str:
    """Return the plan in an answer of `plan --format json`; other data unchanged. Raise the errors of such an answer."""
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if not isinstance(answer, dict) or not _ANSWERS & answer.keys():
        return data
    errors = [*_entries(answer.get("errors")), *_entries([answer.get("error")])]
    if errors:
        raise SchemaError.of(_error_of_plan(error, label) for error in errors)
    reports = _entries(answer.get("reports"))
    plans = [report["plan"] for report in reports if "plan" in report]
    if len(plans) == 1:
        return json.dumps(plans[0])
    content = f"{len(plans)} plans" if plans else f"{counted(len(reports), 'verdict')} without a plan"
    raise SchemaError(f"it holds {content}.", code="cli.plan", path=label, fix=f"One plan is applied at a time. {_MAKE}")


def _entries(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list; none for a value of another kind."""
    if not isinstance(value, list):
        return []
    return [entry for entry in value if isinstance(entry, dict)]


def _error_of_plan(error: Mapping[str, Any], label: str) -> Fault:
    """Return an error of the command that should have made the plan, with the name of the file."""
    code, path, message, fix = (str(error.get(key) or "") for key in ("code", "path", "message", "fix"))
    about = f" about {path}" if path else ""
    return Fault(code or "cli.plan", "", f"{label} holds no plan, but an error{about}: {message}", fix)


# ---------------------------------------------------------------- the registry


def _table_with_plan(store: "SchemaStore", digest: str) -> str:
    """Return the table that has a plan with this digest."""
    tables = sorted({table for table, name in _saved_plans(store) if name.startswith(digest)})
    if len(tables) != 1:
        why = f"plans of {', '.join(tables[:5])} begin so" if tables else "no kept plan begins so"
        raise NotThereError(f"{digest}: {why}.", code="cli.no-plan", fix="Write more of the digest, or the table before it.")
    return tables[0]


def _saved_plans(store: "SchemaStore") -> Iterator[tuple[str, str]]:
    """Yield the tables and digests of all plans in the registry."""
    store.check_registry()
    for path, _ in store.registry.walk("plans"):
        parts = path.removeprefix("plans/").split("/")
        if len(parts) == 3 and parts[2].endswith(".json"):
            yield f"{parts[0]}.{parts[1]}", parts[2].removesuffix(".json")

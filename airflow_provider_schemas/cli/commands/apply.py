"""`apply`: do what a plan says. Refused when the table has moved on since the plan was made."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.said import Person, Reason, Said
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file, table_in
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.output import commit_result
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import NotThereError, PlanError, SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_HEX = frozenset("0123456789abcdef")


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument(
        "plan", nargs="+", metavar="PLAN", help="PLAN.json; or the beginning of the digest of a kept plan, its table before it"
    )
    parser.add_argument("--key", action=Said, help="name this attempt: one with the same key is done once")
    parser.add_argument("--approved-by", action=Person, metavar="NAME", default="", help="who approved the plan")
    parser.add_argument(
        "--override", action=Reason, metavar="REASON", default="", help="go below the table's own policy, and keep the reason"
    )
    parser.add_argument("--run", action=Said, default="", help="what this belongs to, for the history")


def run(args: Namespace) -> Answer:
    """The version that was written."""
    store = open_store.store(args)
    plan = _plan(store, args.plan)
    branch = args.branch if plan.base is None else plan.base.branch
    table = store.table(plan.table, branch=branch)
    done = table.apply(plan, args.key, approval=args.approved_by, override=args.override, actor=open_store.actor(), run=args.run)
    return commit_result.answer(done, args)


def _plan(store: "SchemaStore", said: list[str]) -> Plan:
    if len(said) == 1 and (looks_like_a_file(said[0]) or local_io.exists(said[0])):
        return _in_file(said[0])
    named = table_in(said[0]) if len(said) == 2 else None
    if len(said) > 2 or (len(said) == 2 and named is None):
        raise SchemaError(
            "a plan is one file, or a table and a digest.", code="cli.plan", fix="Write apply PLAN.json, or apply db.table 7c1e94."
        )
    digest = said[-1].lower()
    if not digest or not set(digest) <= _HEX:
        message = f"there is no file {shown(said[-1])}, and it is no digest of a plan."
        raise NotThereError(message, code="cli.no-plan", fix="Name the file that plan -o wrote, or the digest that plan --save printed.")
    return store.table(_holder(store, digest) if named is None else named.name).saved_plan(digest)


def _in_file(name: str) -> Plan:
    try:
        return Plan.from_json(_plan_of(local_io.read(name)))
    except PlanError as error:
        raise PlanError.of(one._replace(path=f"{name} {one.path}".strip()) for one in error.faults) from None


def _plan_of(data: bytes) -> bytes | str:
    """Return the plan in what `plan --format json` printed; anything else as it is."""
    try:
        reports = json.loads(data)["reports"]
        return json.dumps(reports[0]["plan"]) if len(reports) == 1 else data
    except (ValueError, TypeError, LookupError, RecursionError):
        return data


def _holder(store: "SchemaStore", digest: str) -> str:
    """The table that has a plan with this digest."""
    tables = sorted({table for table, name in _kept(store) if name.startswith(digest)})
    if len(tables) != 1:
        what = f"plans of {', '.join(tables[:5])} begin so" if tables else "no kept plan begins so"
        raise NotThereError(f"{digest}: {what}.", code="cli.no-plan", fix="Write more of the digest, or the table before it.")
    return tables[0]


def _kept(store: "SchemaStore") -> Iterator[tuple[str, str]]:
    """The tables and digests of all plans in the registry."""
    store.check_registry()
    for path, _ in store.registry.walk("plans"):
        parts = path.removeprefix("plans/").split("/")
        if len(parts) == 3 and parts[2].endswith(".json"):
            yield f"{parts[0]}.{parts[1]}", parts[2].removesuffix(".json")

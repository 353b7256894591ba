"""Tables that a catalog or an engine keeps, and has to change itself: its own statements for a plan, and whether it has run them."""

from collections.abc import Sequence

import msgspec

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import Fault, ReadOnlyError, SchemaError
from airflow_provider_schemas.store.commit.commit import Committed, Outcome
from airflow_provider_schemas.store.table import Table

# Why a store is not ours to write to, where somebody else's engine is.
KEPT_ELSEWHERE = frozenset({"store.external-catalog", "store.shared"})
_MOST = 50


def has_done(table: Table, plan: Plan) -> Committed | None:
    """The answer where the engine has done what the plan says."""
    head = table.latest()
    if plan.unchanged:
        return _answer(table, "nothing to change")
    if plan.base is not None and (plan.base.number, plan.base.digest) == (head.number, head.digest):
        return None
    return _answer(table, f"version {head.number} is what the plan wanted") if table.verify(plan).fits else None


def _answer(table: Table, note: str) -> Committed:
    return Committed(table=table.name, version=table.latest(), outcome=Outcome.UNCHANGED, notes=(note,))


def to_run(error: ReadOnlyError, table: Table, plan: Plan, engine: str) -> ReadOnlyError:
    """The error with the statements that somebody has to run."""
    try:
        lines = _lines(table, plan, engine)
    except SchemaError as other:
        lines = [f"-- {engine} has no statements for this plan: {other.message}"]
    fix = f"Let {engine} run the following, and clear this task, which then finds the table changed:\n" + "\n".join(lines)
    return ReadOnlyError.of([Fault(error.code, error.path, error.message, fix)])


def _lines(table: Table, plan: Plan, engine: str) -> Sequence[str]:
    """The statements; what would show a secret, or cannot be said, as a comment."""
    if not plan.expressed:
        return ["-- no changes lead to what is wanted: make the table anew"]
    open_ones = tuple(one for one in plan.changes if masked_change(one) == one)
    found = table.statements(msgspec.structs.replace(plan, changes=open_ones), engine)
    lines = [f"  {one};" for one in found.statements[:_MOST]]
    lines += (
        [f"  -- and {len(found.statements) - _MOST} more: airflow-schemas plan ... --sql {engine}"] if len(found.statements) > _MOST else []
    )
    lines += [f"  -- not said by {engine}: {change} ({reason})" for change, reason in found.unsaid[:_MOST]]
    hidden = [one for one in plan.changes if masked_change(one) != one]
    return [*lines, *(f"  -- to be run by hand, its value is a secret: {short_text(masked_change(one))}" for one in hidden[:_MOST])]

"""Tables that a catalog or an engine keeps, and has to change itself: its own statements for a plan, and whether it has run them."""

from collections.abc import Sequence

import msgspec

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import Fault, ReadOnlyError, SchemaError
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from airflow_provider_schemas.store.table import Table

# Why a store is not ours to write to, where somebody else's engine is.
KEPT_ELSEWHERE = frozenset({"store.external-catalog", "store.shared"})
_MAX_LINES = 50


def has_done(table: Table, plan: Plan) -> Committed | None:
    """Return the answer where the engine has done what the plan says; None where it has not."""
    head = table.latest()
    if plan.unchanged:
        return _unchanged(table, "nothing to change")
    if plan.base is not None and (plan.base.number, plan.base.digest) == (head.number, head.digest):
        return None
    if not table.verify(plan).fits:
        return None
    return _unchanged(table, f"version {head.number} is what the plan wanted")


def _unchanged(table: Table, note: str) -> Committed:
    return Committed(table=table.name, version=table.latest(), outcome=CommitOutcome.UNCHANGED, notes=(note,))


def error_with_statements(error: ReadOnlyError, table: Table, plan: Plan, engine: str) -> ReadOnlyError:
    """Return the error with the statements that somebody has to run."""
    try:
        lines = _statement_lines(table, plan, engine)
    except SchemaError as engine_error:
        lines = [f"-- {engine} has no statements for this plan: {engine_error.message}"]
    fix = f"Let {engine} run the following, and clear this task, which then finds the table changed:\n" + "\n".join(lines)
    return ReadOnlyError.of([Fault(error.code, error.path, error.message, fix)])


def _statement_lines(table: Table, plan: Plan, engine: str) -> Sequence[str]:
    """Return the statements; a change that would show a secret, or that the engine cannot state, is a comment."""
    if not plan.expressed:
        return ["-- no changes lead to what is wanted: make the table anew"]
    without_secrets = tuple(change for change in plan.changes if masked_change(change) == change)
    translation = table.statements(msgspec.structs.replace(plan, changes=without_secrets), engine)
    statements = translation.statements
    lines = [f"  {statement};" for statement in statements[:_MAX_LINES]]
    if len(statements) > _MAX_LINES:
        lines.append(f"  -- and {len(statements) - _MAX_LINES} more: airflow-schemas plan ... --sql {engine}")
    lines += [f"  -- not said by {engine}: {change} ({reason})" for change, reason in translation.unsaid[:_MAX_LINES]]
    masked = [masked_change(change) for change in plan.changes if masked_change(change) != change]
    lines += [f"  -- to be run by hand, its value is a secret: {short_text(change)}" for change in masked[:_MAX_LINES]]
    return lines

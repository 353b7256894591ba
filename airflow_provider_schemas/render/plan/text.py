"""A plan as text: the changes, what they mean for data, readers and writers, and what stays as it is."""

from collections.abc import Iterator

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.render.findings.group_text import group_details
from airflow_provider_schemas.render.findings.groups import ViewGroup, grouped, without_repetitions
from airflow_provider_schemas.render.findings.steps import change_text
from airflow_provider_schemas.render.findings.view import by_urgency, readers_text
from airflow_provider_schemas.render.layout import display_width, grid, padded, paragraph, two_sided
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.text import more
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import SIGNS, counted, counts, listed, sentence

_DIGITS = 8
_MAIN = "main"
# Names of columns that are longer than this do not push the types of the others.
_MAX_NAME_WIDTH = 40


def plan_text(plan: Plan, sheet: Sheet) -> list[str]:
    """Return the lines of a plan."""
    left = f"{sheet.ink(clean(plan.table) or 'the table', 'strong')}  {headline(plan)}"
    right = "" if plan.unchanged else identity(plan)
    return [*two_sided(left, right, sheet.width), *body(plan, sheet)]


def body(plan: Plan, sheet: Sheet) -> list[str]:
    """Return the lines below the first line of a plan."""
    lines = _finding_lines(plan, sheet)
    for column in columns(plan, sheet.limit):
        lines += paragraph(column, sheet.width, indent=2, hang=6)
    if sheet.verbose:
        for change in to_do(plan, sheet.limit):
            lines += paragraph(change, sheet.width, indent=4, hang=8)
    for text in left_over(plan, sheet.limit):
        lines += paragraph(text, sheet.width, indent=2, hang=4)
    return lines


def headline(plan: Plan) -> str:
    """Return the outcome of a plan: v41 -> v42, 3 changes, needs approval (1 break)."""
    if plan.base is None:
        return ", ".join(["new", counted(len(plan.result.fields), "column"), _approval(plan)])
    base = f"v{plan.base.number}"
    if plan.base.branch != "main":
        base = f"{base} on branch {clean(plan.base.branch)}"
    if plan.unchanged:
        return f"{base}, nothing to do"
    result = "a result that no changes lead to"
    if plan.expressed:
        result = counted(len(plan.changes), "change")
    return f"{base} -> v{plan.base.number + 1}, {result}, {_approval(plan)}"


def _approval(plan: Plan) -> str:
    """Return what has to happen before the plan is applied."""
    verdict = plan.verdict
    worst = [finding.verdict for finding in plan.report.findings if finding.verdict is verdict]
    match verdict:
        case Verdict.OK:
            return "no approval needed"
        case Verdict.WARN:
            return f"no approval needed ({counted(len(worst), 'warning')})"
        case Verdict.BREAK:
            return f"needs approval ({counts(worst)})"
        case Verdict.INVALID:
            return f"cannot be applied ({counts(worst)})"


def identity(plan: Plan) -> str:
    """Return the digests of a plan: plan 7c1e94a0 on base 9f3c0b12."""
    plan_digest = f"plan {plan.digest[:_DIGITS]}"
    if plan.base is None:
        return plan_digest
    return f"{plan_digest} on base {clean(plan.base.digest[:_DIGITS])}"


def left_over(plan: Plan, limit: int) -> Iterator[str]:
    """Yield what a table file does not mention, and the notes of the report."""
    if plan.left_alone:
        yield f"not in the file, left alone: {listed(map(clean, plan.left_alone), limit)}"
    yield from (f"note: {clean(note)}" for note in plan.report.notes)


def table_and_branch(plan: Plan) -> str:
    """Return the table with its branch, as commands take it."""
    if plan.base is None or plan.base.branch == _MAIN:
        return plan.table
    return f"{plan.table}@{plan.base.branch}"


def _finding_lines(plan: Plan, sheet: Sheet) -> list[str]:
    found = grouped(changing(plan), sheet.limit, table_and_branch(plan), kept_elsewhere=is_foreign(plan.result))
    rows = grid([_cells(group, sheet) for group in found.groups], sheet.width, indent=2)
    lines: list[str] = []
    for group, row in zip(without_repetitions(found.groups), rows, strict=True):
        lines += [*row, *group_details(group, plan.report.contracts, sheet, answers=False)]
    if found.hidden:
        lines += paragraph(f"... and {more(found.hidden)}", sheet.width, indent=2, hang=4)
    return lines


def changing(plan: Plan) -> list[Finding]:
    """Return the findings of a plan, the worst first, without the one that nothing changes."""
    return by_urgency(finding for finding in plan.report.findings if finding.rule != "NO_CHANGE")


def _cells(group: ViewGroup, sheet: Sheet) -> list[str]:
    view = group.first
    what = view.what if group.is_single else group.what
    return [f"{SIGNS.get(view.rule, '~')} {what}", sheet.ink(view.rule, view.verdict), _answers_text(group)]


def _answers_text(group: ViewGroup) -> str:
    """Return the answers on one line: data ok (by id) · readers ✖ breaks daily_report, ltv_model · writers ✖."""
    view = group.first
    answers = dict(view.answers)
    if "readers" in answers and group.is_single:
        answers["readers"] = readers_text(view, answers["readers"])
    return sentence(answers.items())


def columns(plan: Plan, limit: int) -> list[str]:
    """Return the columns of a new table, the types below each other; none for a table that is there already."""
    if plan.base is not None:
        return []
    fields = plan.result.fields
    names = [f"+ {clean(field.name)}" for field in fields[:limit]]
    width = min(max(map(display_width, names), default=0), _MAX_NAME_WIDTH)
    lines = [f"{padded(name, width)}  {clean(str(field.type))}" for name, field in zip(names, fields, strict=False)]
    if len(fields) > limit:
        lines.append(f"... and {counted(len(fields) - limit, 'more column')}")
    return lines


def to_do(plan: Plan, limit: int) -> list[str]:
    """Return the changes of a plan, as people type them."""
    lines = [*map(change_text, plan.changes[:limit])]
    if len(plan.changes) > limit:
        lines.append(f"... and {counted(len(plan.changes) - limit, 'more change')}")
    return lines

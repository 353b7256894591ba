"""A plan as text: what is to change, what that means for data, readers and writers, and what stays as it is."""

from collections.abc import Iterator

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.render.finding_text import details, once
from airflow_provider_schemas.render.finding_view import View, by_urgency, change_text, readers_answer
from airflow_provider_schemas.render.layout import display_width, grid, padded, paragraph, two_sided
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.text import more
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import SIGNS, counted, counts, listed, sentence

_DIGITS = 8
_MAIN = "main"
# Names of columns that are longer than this do not push the types of the others.
_ROOM = 40


def plan_text(plan: Plan, sheet: Sheet) -> list[str]:
    """The plan."""
    left = f"{sheet.ink(clean(plan.table) or 'the table', 'strong')}  {headline(plan)}"
    return [*two_sided(left, "" if plan.unchanged else identity(plan), sheet.width), *body(plan, sheet)]


def body(plan: Plan, sheet: Sheet) -> list[str]:
    """What stands below the line of the plan."""
    lines = _findings(plan, sheet)
    lines += [line for one in columns(plan, sheet.limit) for line in paragraph(one, sheet.width, indent=2, hang=6)]
    if sheet.verbose:
        lines += [line for one in to_do(plan, sheet.limit) for line in paragraph(one, sheet.width, indent=4, hang=8)]
    return lines + [line for text in left_over(plan, sheet.limit) for line in paragraph(text, sheet.width, indent=2, hang=4)]


def headline(plan: Plan) -> str:
    """v41 -> v42, 3 changes, needs approval (1 break)."""
    if plan.base is None:
        return ", ".join(["new", counted(len(plan.result.fields), "column"), needs(plan)])
    here = f"v{plan.base.number}" + ("" if plan.base.branch == "main" else f" on branch {clean(plan.base.branch)}")
    if plan.unchanged:
        return f"{here}, nothing to do"
    what = counted(len(plan.changes), "change") if plan.expressed else "a result that no changes lead to"
    return f"{here} -> v{plan.base.number + 1}, {what}, {needs(plan)}"


def needs(plan: Plan) -> str:
    """What has to happen before the plan is applied."""
    verdict = plan.verdict
    bad = [one.verdict for one in plan.report.findings if one.verdict is verdict]
    return {
        Verdict.OK: "no approval needed",
        Verdict.WARN: f"no approval needed ({counted(len(bad), 'warning')})",
        Verdict.BREAK: f"needs approval ({counts(bad)})",
        Verdict.INVALID: f"cannot be applied ({counts(bad)})",
    }[verdict]


def identity(plan: Plan) -> str:
    """plan 7c1e94a0 on base 9f3c0b12."""
    base = "" if plan.base is None else f" on base {clean(plan.base.digest[:_DIGITS])}"
    return f"plan {plan.digest[:_DIGITS]}{base}"


def left_over(plan: Plan, limit: int) -> Iterator[str]:
    """What a table file does not speak of, and what else has to be said."""
    if plan.left_alone:
        yield f"not in the file, left alone: {listed(map(clean, plan.left_alone), limit)}"
    yield from (f"note: {clean(one)}" for one in plan.report.notes)


def _typed(plan: Plan) -> str:
    """The table with its branch, as commands take it."""
    branch = _MAIN if plan.base is None else plan.base.branch
    return plan.table if branch == _MAIN else f"{plan.table}@{branch}"


def _findings(plan: Plan, sheet: Sheet) -> list[str]:
    found = changing(plan)
    views = [View.of(finding, _typed(plan)) for finding in found[: sheet.limit]]
    lines = []
    for view, row in zip(once(views), grid([_cells(one, sheet) for one in views], sheet.width, indent=2), strict=True):
        lines += [*row, *details(view, plan.report.contracts, sheet, answers=False)]
    return lines + _rest(found[sheet.limit :], sheet)


def changing(plan: Plan) -> list[Finding]:
    """The findings of a plan, the worst first; that nothing changes is said above them."""
    return by_urgency(one for one in plan.report.findings if one.rule != "NO_CHANGE")


def _rest(findings: list[Finding], sheet: Sheet) -> list[str]:
    return paragraph(f"... and {more(findings)}", sheet.width, indent=2, hang=4) if findings else []


def _cells(view: View, sheet: Sheet) -> list[str]:
    return [f"{SIGNS.get(view.rule, '~')} {view.what}", sheet.ink(view.rule, view.verdict), answered(view)]


def answered(view: View) -> str:
    """data ok (by id) · readers ✖ breaks daily_report, ltv_model · writers ✖."""
    return sentence((question, readers_answer(view, answer) if question == "readers" else answer) for question, answer in view.answers)


def columns(plan: Plan, limit: int) -> list[str]:
    """The columns of a new table, the types below each other; none where there is a table already."""
    fields = () if plan.base is not None else plan.result.fields
    names = [f"+ {clean(one.name)}" for one in fields[:limit]]
    room = min(max(map(display_width, names), default=0), _ROOM)
    rest = [f"... and {counted(len(fields) - limit, 'more column')}"] if len(fields) > limit else []
    return [f"{padded(name, room)}  {clean(str(one.type))}" for name, one in zip(names, fields, strict=False)] + rest


def to_do(plan: Plan, limit: int) -> list[str]:
    """The changes of a plan, as people type them."""
    rest = len(plan.changes) - limit
    return [*map(change_text, plan.changes[:limit]), *([f"... and {counted(rest, 'more change')}"] if rest > 0 else [])]

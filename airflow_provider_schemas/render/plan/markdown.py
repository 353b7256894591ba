"""A plan as Markdown: what somebody is asked to approve."""

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.render.escaping import block, prose
from airflow_provider_schemas.render.plan.text import changing, columns, headline, identity, left_over, to_do
from airflow_provider_schemas.render.report.markdown import Frame, findings
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS


def plan_markdown(plan: Plan, frame: Frame) -> list[str]:
    """The plan."""
    title = f"{clean(plan.table) or 'the table'} {headline(plan)}"
    lines = [f"### {MARKS[plan.verdict]} {prose(title)}"]
    lines += findings(changing(plan), plan.report.contracts, frame, signs=True)
    typed = to_do(plan, frame.sheet.limit) or columns(plan, frame.sheet.limit)
    lines += ["", *block(typed)] if typed else []
    lines += [line for text in left_over(plan, frame.sheet.limit) for line in ("", f"> {prose(text)}")]
    return lines if plan.unchanged else [*lines, "", prose(identity(plan))]

"""A plan as Markdown, for its approval."""

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.render.escaping import block, prose
from airflow_provider_schemas.render.plan.text import changing, columns, headline, identity, left_over, to_do
from airflow_provider_schemas.render.report.markdown import Frame, findings
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS


def plan_markdown(plan: Plan, frame: Frame) -> list[str]:
    """Return the lines of a plan."""
    title = f"{clean(plan.table) or 'the table'} {headline(plan)}"
    lines = [f"### {MARKS[plan.verdict]} {prose(title)}"]
    elsewhere = is_foreign(plan.result)
    lines += findings(changing(plan), plan.report.contracts, frame, signs=True, kept_elsewhere=elsewhere)
    changes = to_do(plan, frame.sheet.limit) or columns(plan, frame.sheet.limit)
    if changes:
        lines += ["", *block(changes)]
    for text in left_over(plan, frame.sheet.limit):
        lines += ["", f"> {prose(text)}"]
    if not plan.unchanged:
        lines += ["", prose(identity(plan))]
    return lines

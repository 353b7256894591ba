"""Reports, plans and histories as text, Markdown, HTML and JSON: values in, text out; nobody prints here.

What is here:

    api                              what others call
    report/ plan/                    a module for text, and a module for Markdown
    ci/                              what CI systems are told: SARIF, JUnit, GitHub, GitLab, comments
    html/                            values as HTML: a file by itself, a piece of a page, a cell of a notebook
    verdict/                         the log of a gate, printed from the values in XCom
    diff/                            two schemas beside each other
    history json_form                histories in both; reports, plans and histories as JSON
    findings/                        a finding as all forms show it, what to do about it, findings of one kind as one
    explain/                         what a rule, or the code of an error, means
    page layout one_line terminal    how wide a text is, and how its lines are laid out
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "html_text": "api",
    "json_text": "api",
    "log_block": "verdict.verdict_log",
    "markdown": "api",
    "summary": "report.summary",
    "table_diff": "html.table_diff",
    "text": "api",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.render.api import html_text as html_text
    from airflow_provider_schemas.render.api import json_text as json_text
    from airflow_provider_schemas.render.api import markdown as markdown
    from airflow_provider_schemas.render.api import text as text
    from airflow_provider_schemas.render.html.table_diff import table_diff as table_diff
    from airflow_provider_schemas.render.report.summary import summary as summary
    from airflow_provider_schemas.render.verdict.verdict_log import log_block as log_block
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)

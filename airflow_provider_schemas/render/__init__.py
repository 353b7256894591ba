"""Reports, plans and histories as text, Markdown and JSON: values in, text out; nobody prints here."""

from airflow_provider_schemas.render.api import json_text, markdown, text
from airflow_provider_schemas.render.report.summary import summary

__all__ = ["json_text", "markdown", "summary", "text"]

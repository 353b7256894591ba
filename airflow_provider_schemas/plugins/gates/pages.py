"""The records of the pages of gates."""

from airflow_provider_schemas.plugins.common.page import Access, Page
from airflow_provider_schemas.plugins.gates.task_page import task_content

PAGES = (Page("task", "task.html", Access.DAG, task_content),)

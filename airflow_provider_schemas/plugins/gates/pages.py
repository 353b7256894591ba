"""The records of the pages of gates."""

from typing import Final

from airflow_provider_schemas.plugins.common.page import Access, Page
from airflow_provider_schemas.plugins.gates.dag_page import dag_content
from airflow_provider_schemas.plugins.gates.gate_list import gates_content
from airflow_provider_schemas.plugins.gates.task_page import task_content

PAGES: Final = (
    Page("gates", "gates.html", Access.DAGS, gates_content),
    Page("task", "task.html", Access.DAG, task_content),
    Page("dag", "dag.html", Access.DAG, dag_content),
)

"""The pages of tables, as the application knows them."""

from typing import Final

from airflow_provider_schemas.plugins.common.page import Access, Page
from airflow_provider_schemas.plugins.tables import (
    columns,
    compare_versions,
    one_table,
    readers,
    references,
    table_list,
)

PAGES: Final = (
    Page("tables", "tables.html", Access.CONNECTION, table_list.content, is_storage=True),
    Page("rows", "rows.html", Access.CONNECTION, table_list.rows_content, is_storage=True),
    Page("table", "table.html", Access.CONNECTION, one_table.content, is_storage=True),
    Page("diff", "diff.html", Access.CONNECTION, compare_versions.content, is_storage=True),
    Page("columns", "columns.html", Access.CONNECTION, columns.content, is_storage=True),
    Page("readers", "readers.html", Access.CONNECTION, readers.content, is_storage=True),
    Page("references", "references.html", Access.CONNECTION, references.content, is_storage=True),
)

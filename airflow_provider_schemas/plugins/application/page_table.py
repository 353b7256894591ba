"""Which pages there are."""

from airflow_provider_schemas.plugins.common.page import Page
from airflow_provider_schemas.plugins.gates import pages as gates
from airflow_provider_schemas.plugins.tables import pages as tables

PAGES: tuple[Page, ...] = (*gates.PAGES, *tables.PAGES)
START = "gates"
"""The page that the address of the application itself leads to."""

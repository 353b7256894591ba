"""Which pages there are."""

from airflow_provider_schemas.plugins.common.page import Page
from airflow_provider_schemas.plugins.gates import pages as gates

PAGES: tuple[Page, ...] = (*gates.PAGES,)
START = "gates"
"""The page that the address of the application itself leads to."""

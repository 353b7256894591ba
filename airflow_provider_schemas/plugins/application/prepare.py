"""Load what pages need before the first of them is timed: imports take a second on a busy machine, and no storage is slow for that."""

from collections.abc import Iterable

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.plugins.application import files
from airflow_provider_schemas.plugins.common.page import Page
from airflow_provider_schemas.plugins.verdicts import models
from airflow_provider_schemas.render.html.environment import environment

_NO_PAGE = "no_page.html"


def prepare(pages: Iterable[Page]) -> None:
    """Compile the templates, and import the models of verdicts and the hook that opens stores."""
    from airflow_provider_schemas.hooks import open_store, schema_store  # noqa: F401  # the first page of a table needs both

    templates = environment(files.PAGES)
    for name in {_NO_PAGE, *(page.template for page in pages)}:
        templates.get_template(name)
    try:
        models.xcoms()
        models.tasks()
    except SchemaError:
        return  # the pages that need them say so, and the others work

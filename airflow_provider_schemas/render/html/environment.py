"""Jinja2 as all templates are rendered with it: every value is escaped and cleaned, and what is not defined is an error."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render.html.template_functions import FUNCTIONS
from airflow_provider_schemas.render.sanitize import clean

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment(*folders: Path) -> "Environment":
    """Return the environment of the pieces, and of the templates in further folders; an error that names the extra without Jinja2."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        fix = 'Install it with: pip install "airflow-provider-schemas[html]".'
        raise FormatError("HTML is rendered by jinja2, which is not installed.", code="extra.missing", fix=fix) from None
    made = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(FUNCTIONS)
    return made


def _finalized(value: object) -> object:
    """Clean a text before it is escaped: what turns the direction of writing or cannot be seen is shown, passwords are not.

    Markup is our own.
    """
    from jinja2 import Undefined

    if hasattr(value, "__html__") or isinstance(value, Undefined):
        return value
    return without_credentials(clean(str(value)))

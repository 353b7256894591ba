"""The style and the script of all pages: of a file by itself, of a cell of a notebook, and of the page in Airflow's UI."""

from functools import cache

from airflow_provider_schemas.render.html.environment import TEMPLATES

_RULES = ("page.css", "pictures.css")


@cache
def stylesheet() -> str:
    """Return the whole style. Its rules stand below `.schemas`, so that they leave the page around a piece alone."""
    rules = "".join(_text(name) for name in _RULES if (TEMPLATES / name).exists())
    return f"{_text('theme.css')}.schemas {{\n{rules}}}\n"


@cache
def script() -> str:
    """Return the script: the theme of Airflow, copy buttons, links into Airflow."""
    return _text("page.js")


def _text(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")

"""The query of a request, read with care: each name once, nothing that a database or a storage would choke on."""

from collections.abc import Iterable, Mapping

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

MAX_NAMES = 30
MAX_LENGTH = 2_000
_MAX_PAGE = 1_000_000
_FIX = "Open the page from the navigation, or from the task or the DAG that it is about."


def read_query(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the query; FormatError if a name stands in it twice, or if it is too long."""
    query: dict[str, str] = {}
    for name, value in pairs:
        if name in query:
            # The right to a page is proven for one value: which of the two would the page show?
            raise _refused(f"{shown(name)} stands twice in the address.")
        if len(name) > MAX_LENGTH or len(value) > MAX_LENGTH or "\0" in value:
            raise _refused("a value in the address is too long, or holds a character that no name has.")
        query[name] = value
    if len(query) > MAX_NAMES:
        raise _refused("the address has too many values.")
    return query


def _refused(message: str) -> FormatError:
    return FormatError(message, code="page.query", fix=_FIX)


def needed(query: Mapping[str, str], name: str) -> str:
    """Return a value that a page cannot do without; FormatError if it is not there, or is a placeholder that Airflow left."""
    value = query.get(name, "")
    if not value or value == f"{{{name.upper()}}}":
        raise _refused(f"the address does not say which {name} is meant.")
    return value


def page_number(query: Mapping[str, str]) -> int:
    """Return the number of the page of a list, from 1; 1 for anything that is no such number."""
    text = query.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_MAX_PAGE))):
        return 1
    return min(max(1, int(text)), _MAX_PAGE)


def map_index(query: Mapping[str, str]) -> int:
    """Return the index of a mapped task; -1 for anything that is none: Airflow leaves `{MAP_INDEX}` where a task is not mapped."""
    text = query.get("map_index", "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return -1
    return int(text)

"""Hide secrets in the errors of libraries behind ours: a traceback prints each, so none may show the user or the query of an address."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from airflow_provider_schemas.core.common.secrets import MASK, without_credentials
from airflow_provider_schemas.errors import Fault, SchemaError

# Libraries name a request by its path alone.
_QUERY_OF_PATH: Final = re.compile(r"(?<!\w)(/[^\s?\"'<>]*)\?[^\s\"'<>]*=[^\s\"'<>]*")
_MOST_LINKS: Final = 100
_OF_FILES: Final = ("filename", "filename2", "strerror")


def without_queries(text: str) -> str:
    """Return the text of a library's error without the credentials and queries of addresses and paths."""
    plain = without_credentials(text)
    return _QUERY_OF_PATH.sub(rf"\1?{MASK}", plain) if "?" in text else plain


def hide_in_chain(error: BaseException) -> None:
    """Take users and queries of addresses out of the texts of an error, and of all errors and notes behind it."""
    for link in _all_links(error):
        notes = getattr(link, "__notes__", None)
        if notes:
            link.__notes__ = [without_queries(str(note)) for note in notes]
        if _tells(link):
            _hide(link)


def _all_links(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and those behind it, whether a traceback shows them or not."""
    waiting = [error]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_LINKS:
        link = waiting.pop()
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        inner = link.exceptions if isinstance(link, BaseExceptionGroup) else ()
        behind = (link.__cause__, link.__context__, *inner)
        waiting += [cause for cause in behind if cause is not None]


def _tells(link: BaseException) -> bool:
    """Return whether an error shows a secret."""
    return any(without_queries(text) != text for text in (_make_text(str, link), _make_text(repr, link)))


def _make_text(form: Callable[[object], str], link: BaseException) -> str:
    """Return a text of the error; empty where that fails, as for an error of a Java process that has ended."""
    try:
        return form(link)
    except Exception:  # noqa: BLE001  # the text is made by code of the library
        return ""


def _hide(link: BaseException) -> None:
    if isinstance(link, SchemaError):
        link.faults = tuple(map(_hide_in_fault, link.faults))
    shown = without_queries(_make_text(str, link))
    represented = without_queries(_make_text(repr, link))
    link.args = tuple(map(_hide_in_value, link.args))
    if isinstance(link, OSError):
        for name in _OF_FILES:
            setattr(link, name, _hide_in_value(getattr(link, name)))
    if _tells(link):
        _fix_texts(link, shown, represented)


def _hide_in_fault(fault: Fault) -> Fault:
    return fault._replace(path=without_queries(fault.path), message=without_queries(fault.message), fix=without_queries(fault.fix))


def _hide_in_value(value: object) -> object:
    return without_queries(value) if isinstance(value, str) else value


def _fix_texts(link: BaseException, shown: str, represented: str) -> None:
    """Give fixed texts to an error whose class makes its text of other things than its arguments."""
    kind = type(link)
    texts = {"__module__": kind.__module__, "__str__": lambda _: shown, "__repr__": lambda _: represented}
    with suppress(TypeError):  # a class in C stays what it is: it makes its text of its arguments
        link.__class__ = type(kind.__name__, (kind,), texts)
    if _tells(link):
        link.args = (shown,)

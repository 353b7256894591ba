"""What stands behind our errors shows no user and no query of an address, whatever class of whatever library it is."""

import traceback

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain
from airflow_provider_schemas.store.storage.errors import trouble

SECRET = "beef"
ADDRESS = f"https://ana:{SECRET}@h/x.yaml?X-Amz-Credential={SECRET}/2026/us&X-Amz-Signature={SECRET}"


class LibraryError(Exception):
    """Makes its text of what is no argument, as aiohttp's does."""

    def __init__(self, url: str) -> None:
        super().__init__(403)
        self.url = url

    def __str__(self) -> str:
        return f"403, url={self.url!r}"

    def __repr__(self) -> str:
        return f"LibraryError({self.url!r})"


ERRORS = [
    ValueError(ADDRESS),
    FileNotFoundError(ADDRESS),
    PermissionError(13, "denied", ADDRESS),
    KeyError(ADDRESS),
    LibraryError(ADDRESS),
    ConnectionError({"url": ADDRESS}),
    RuntimeError(f"Max retries exceeded with url: /x.yaml?token={SECRET}"),
    StorageError(f"cannot read {ADDRESS}.", path=ADDRESS, fix=f"Look at {ADDRESS}."),
]


def told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(error)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("place", ["cause", "context", "suppressed", "group", "below", "note"])
def test_no_link_of_a_chain_shows_it(error: BaseException, place: str) -> None:
    outer = RuntimeError("outer")
    if place == "cause":
        outer.__cause__ = error
    elif place in ("context", "suppressed"):
        outer.__context__ = error
        outer.__suppress_context__ = place == "suppressed"
    elif place == "group":
        outer.__cause__ = ExceptionGroup("several", [ValueError("x"), error])  # type: ignore[type-var,unused-ignore]  # all are Exceptions
    elif place == "below":
        outer.__cause__ = ValueError("middle")
        outer.__cause__.__context__ = error
    else:
        outer.add_note(f"on the way to {ADDRESS}")
    hide_in_chain(outer)
    shown = told(outer) + "".join(told(link) for link in (outer.__cause__, outer.__context__) if link is not None)
    assert SECRET not in shown


def test_an_error_keeps_its_class_and_what_it_says_besides() -> None:
    error = LibraryError(ADDRESS)
    made = trouble(error, url="https://h", path=f"x.yaml?sig={SECRET}", doing="read")
    assert isinstance(error, LibraryError)
    assert str(error) == "403, url='https://****@h/x.yaml?****'"
    assert SECRET not in str(made) + made.path


def test_an_error_without_an_address_stays_what_it_is() -> None:
    error = PermissionError(13, "denied", "/lake/what?.json")
    hide_in_chain(error)
    assert str(error) == "[Errno 13] denied: '/lake/what?.json'"


def test_a_chain_that_leads_back_to_itself_ends() -> None:
    first, second = ValueError(ADDRESS), ValueError("second")
    first.__context__, second.__context__ = second, first
    hide_in_chain(second)
    assert SECRET not in str(first)

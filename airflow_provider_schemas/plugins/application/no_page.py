"""Why there is no page, as a page that says what to do. What is shown are our own words: no path, and no text of a storage."""

import re
from datetime import datetime

from msgspec import Struct

from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError, StorageError
from airflow_provider_schemas.hooks.errors import BadConnectionError


class NoPage(Struct, frozen=True):
    """A status of HTTP with the words about it."""

    status: int
    title: str
    sentences: tuple[str, ...] = ()
    since: datetime | None = None
    """Since when it has been so."""
    can_sign_in: bool = False


class NoPageError(Exception):
    """There is no page; the reason is one for people."""

    def __init__(self, page: NoPage) -> None:
        super().__init__(page.title)
        self.page = page


_STILL_WORKS = "The tab of a task and the list of gates read Airflow's database alone: they still work."
_SIGN_IN = "Sign in to Airflow, and open this page again."
_BY_STATUS = {
    400: NoPage(400, "This address cannot be read", ("Open the page from the navigation, or from the task or the DAG that it is about.",)),
    401: NoPage(401, "You are signed out", (_SIGN_IN,), can_sign_in=True),
    403: NoPage(403, "You may not see this", ("Ask whoever gives rights in this Airflow.",)),
    404: NoPage(404, "There is no such page", ("Open one from the navigation above.",)),
    405: NoPage(405, "These pages can only be read", ("Follow a link, or type a command that a page shows.",)),
    500: NoPage(500, "This page has failed", ("The log of the API server says why.", _STILL_WORKS)),
    503: NoPage(503, "There is no answer just now", ("Load the page again in a minute.", _STILL_WORKS)),
}
NOT_THIS_DAG = NoPage(
    403, "You may not see this DAG", ("Verdicts are XComs: ask whoever gives rights in this Airflow to read the XComs of the DAG.",)
)
BUSY = NoPage(
    503,
    "Too much is being waited for",
    ("All threads of these pages wait for storages that do not answer. Load the page again in a minute.", _STILL_WORKS),
)
_BAD_CONNECTION = NoPage(
    404,
    "There is no such schema store",
    ("Either no connection has this id, or it is not of type schema_store, or it is not complete. Test it in Airflow.",),
)
# A folder or an address: where a warehouse lies is told to those who may read its connection, and not by an error.
_NAMES_A_PLACE = re.compile(r"://|(?:^|[\s'\"(])(?:/|[A-Za-z]:\\)[^\s'\"]")
LATE_DATABASE = NoPage(503, "Airflow's database does not answer in time", ("Load the page again in a minute.",))


def of_status(status: int) -> NoPage:
    """Return the page about a status of HTTP."""
    known = _BY_STATUS.get(status)
    if known is not None:
        return known
    return _BY_STATUS[400] if status < 500 else _BY_STATUS[500]


def not_this_connection(setting: str, variable: str) -> NoPage:
    """Return the page for somebody who may not see a connection: it does not tell whether there is one."""
    allow = f"Whoever administers this Airflow can show its tables to all who may read assets: list it in {setting} ({variable})."
    return NoPage(403, "You may not see this connection", (allow, "Else the right to read the connection is needed."))


def slow_storage(since: datetime) -> NoPage:
    """Return the page about a storage that did not answer in time."""
    sentences = ("It is not asked again for half a minute, so that the API server answers others. Load the page again then.", _STILL_WORKS)
    return NoPage(503, "The storage of this connection does not answer in time", sentences, since)


def failed_storage(since: datetime) -> NoPage:
    """Return the page about a storage that cannot be reached or read."""
    how = "Test the connection in Airflow, or list its tables where it works: airflow-schemas ls --conn CONNECTION."
    return NoPage(503, "The storage of this connection cannot be read", (how, _STILL_WORKS), since)


def of_error(error: SchemaError) -> NoPage:
    """Return the page about an error of ours that is no trouble of a storage."""
    if isinstance(error, BadConnectionError):
        return _BAD_CONNECTION
    told = (text for text in (error.message, error.fix) if text and not _NAMES_A_PLACE.search(text))
    sentences = tuple(text[0].upper() + text[1:] for text in told)
    log = f"The log of the API server says more, under {error.code}."
    if isinstance(error, NotThereError):
        return NoPage(404, "This is not there", sentences or (log,))
    if isinstance(error, RefusedNameError):
        return NoPage(404, "There is no such name", sentences or (log,))
    return NoPage(400, "This cannot be shown", sentences or (log,))


def is_storage_trouble(error: SchemaError) -> bool:
    """Return whether the storage is in trouble; its own words are not shown."""
    return isinstance(error, StorageError)

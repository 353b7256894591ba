"""From a request whose user is known to its HTML: the right is proven, then the content is computed and rendered, all in our threads."""

import logging
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.plugins.application import files, no_page
from airflow_provider_schemas.plugins.application.no_page import NoPage, NoPageError
from airflow_provider_schemas.plugins.application.outages import Outages
from airflow_provider_schemas.plugins.application.page_links import PageLinks
from airflow_provider_schemas.plugins.application.rights import Rights, prove
from airflow_provider_schemas.plugins.application.workers import THREADS_OF_ONE, BusyError, Workers
from airflow_provider_schemas.plugins.common.page import Asked, Page
from airflow_provider_schemas.plugins.common.time_limit import time_limit
from airflow_provider_schemas.render.html.environment import environment

T = TypeVar("T")
_log = logging.getLogger(__name__)


class PageAnswers:
    """Computes pages, in threads of their own for the database and for storages: a storage that hangs stops no page about a task."""

    def __init__(self) -> None:
        seconds = time_limit()
        self.database = Workers("database", limit=seconds)
        self.storage = Workers("storage", of_one=THREADS_OF_ONE, limit=seconds)
        self.outages = Outages()

    async def page(self, page: Page, query: Mapping[str, str], user: Any, nonce: str) -> str:
        """Return the HTML of a page; NoPageError if there is none."""
        rights = await _in_time(self.database.run(lambda: prove(page, query, user)))
        asked = _asked(query, rights)
        if page.is_storage:
            return await self._from_storage(page, asked, nonce)
        try:
            return await _in_time(self.database.run(lambda: _rendered(page, asked, nonce)))
        except SchemaError as error:
            raise NoPageError(_logged(error)) from error

    async def _from_storage(self, page: Page, asked: Asked, nonce: str) -> str:
        """Compute a page that asks a storage; one that was slow rests, and so does one that still owes an answer."""
        # A page that names no connection shows the first: it is the same storage, and has no threads of its own.
        connection = asked.query.get("conn", "") or next(iter(asked.conn_ids), "")
        outage = self.outages.of(connection)
        if outage is not None and (outage.rests or self.storage.hangs(connection)):
            raise NoPageError(no_page.slow_storage(outage.since))
        try:
            html = await self.storage.run(lambda: _rendered(page, asked, nonce), connection)
        except TimeoutError as error:
            # A storage of ours that raises such an error is in trouble as well: what it says is not shown.
            raise NoPageError(no_page.slow_storage(self.outages.was_slow(connection).since)) from error
        except BusyError as error:
            raise NoPageError(self._why_busy(connection)) from error
        except SchemaError as error:
            raise NoPageError(self._why_failed(connection, error)) from error
        self.outages.answered(connection)
        return html

    def _why_busy(self, connection: str) -> NoPage:
        outage = self.outages.of(connection)
        return no_page.BUSY if outage is None else no_page.slow_storage(outage.since)

    def _why_failed(self, connection: str, error: SchemaError) -> NoPage:
        if no_page.is_storage_trouble(error):
            _log.warning("The storage of connection %r cannot be read: %s", connection, error)
            return no_page.failed_storage(self.outages.failed(connection).since)
        self.outages.answered(connection)
        return _logged(error)


async def _in_time(waited: Awaitable[T]) -> T:
    try:
        return await waited
    except (TimeoutError, BusyError) as error:
        raise NoPageError(no_page.LATE_DATABASE) from error


def _logged(error: SchemaError) -> NoPage:
    _log.info("A page about schemas cannot be shown: %s: %s", error.code, error)
    return no_page.of_error(error)


def _asked(query: Mapping[str, str], rights: Rights) -> Asked:
    links = PageLinks(query.get("conn", ""))
    return Asked(query=query, dag_ids=rights.dag_ids, conn_ids=rights.conn_ids, own_conn_ids=rights.own_conn_ids, links=links)


def _rendered(page: Page, asked: Asked, nonce: str) -> str:
    content = page.content(asked)
    return render(page.template, nonce, asked, page=page.path, **content)


def render_no_page(reason: NoPage, nonce: str, sign_in: str, up: str = "") -> str:
    """Return the page about why there is no page; it says nothing of the user or of the request."""
    asked = Asked(query={}, links=PageLinks())
    # Whoever is signed out gets no file, so the page brings its style along.
    style = files.style_sheet().text if sign_in else ""
    return render("no_page.html", nonce, asked, page="", reason=reason, sign_in=sign_in, up=up, style=style)


def render(template: str, nonce: str, asked: Asked, **content: object) -> str:
    """Return a template of ours as HTML."""
    values = {
        "asked": asked,
        "links": asked.links,
        "nonce": nonce,
        "style_sheet": files.style_sheet().name,
        "script": files.script().name,
        "style": "",
        "up": "",
    }
    return environment(files.PAGES).get_template(template).render(values | content)

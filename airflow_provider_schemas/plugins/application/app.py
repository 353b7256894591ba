"""FastAPI with a route for each page. Every route is closed by default: whoever is not signed in gets none, not even an unknown one."""

from collections.abc import Awaitable, Callable, Iterable

from airflow.api_fastapi.core_api.security import GetUserDep, get_user
from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.plugins.application import files, no_page
from airflow_provider_schemas.plugins.application.answer import PageAnswers
from airflow_provider_schemas.plugins.application.boundary import READING, Boundary, no_page_response, nonce_of
from airflow_provider_schemas.plugins.application.files import PageFile
from airflow_provider_schemas.plugins.application.no_page import NoPageError
from airflow_provider_schemas.plugins.application.page_table import PAGES, START
from airflow_provider_schemas.plugins.application.prepare import prepare
from airflow_provider_schemas.plugins.common.page import Page
from airflow_provider_schemas.plugins.common.query import read_query

_FOR_EVER = "private, max-age=31536000, immutable"
Route = Callable[..., Awaitable[Response]]


def create_app(pages: Iterable[Page] = PAGES) -> FastAPI:
    """Return the application with these pages, the two files that they refer to, and nothing else."""
    app = FastAPI(
        title="Schemas",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        dependencies=[Depends(get_user)],
        exception_handlers={HTTPException: _show_error},
    )
    app.state.answers = PageAnswers()
    pages = tuple(pages)
    prepare(pages)
    for page in pages:
        _add(app, f"/{page.path}", _page_route(page, app.state.answers))
    for file in (files.style_sheet(), files.script()):
        _add(app, f"/{file.name}", _file_route(file))
    _add(app, "/", _go_to_start)
    _add(app, "/{path:path}", _refuse_unknown)
    app.add_middleware(Boundary)
    return app


def _add(app: FastAPI, path: str, route: Route) -> None:
    app.add_api_route(path, route, methods=[*READING], response_model=None)


def _page_route(page: Page, answers: PageAnswers) -> Route:
    async def show_page(request: Request, user: GetUserDep) -> Response:
        try:
            query = read_query(request.query_params.multi_items())
            return HTMLResponse(await answers.page(page, query, user, nonce_of(request.scope)))
        except NoPageError as error:
            return no_page_response(error.page, request.scope)
        except FormatError as error:  # the query itself cannot be read
            return no_page_response(no_page.of_error(error), request.scope)

    return show_page


def _file_route(file: PageFile) -> Route:
    async def send_file() -> Response:
        return Response(file.text, media_type=file.media_type, headers={"Cache-Control": _FOR_EVER})

    return send_file


async def _go_to_start() -> Response:
    return RedirectResponse(START, status_code=307)


async def _refuse_unknown(request: Request) -> Response:
    return no_page_response(no_page.of_status(404), request.scope)


async def _show_error(request: Request, error: Exception) -> Response:
    """Return the page about what Airflow says of the user: signed out, or a token that it does not know."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return no_page_response(no_page.of_status(status), request.scope)

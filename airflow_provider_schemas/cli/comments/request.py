"""Send one request to the API of a host, with a token that goes nowhere else."""

import json
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from airflow_provider_schemas import __version__
from airflow_provider_schemas.errors import SchemaError

_TIMEOUT = 30
_MAX_ANSWER = 64 << 20
# The host knows the token, and does not let it do this.
_FORBIDDEN = (401, 403, 404)
_SCHEMES = ("https://", "http://")


class _NoRedirect(HTTPRedirectHandler):
    """Follow no redirection: the token would go along to wherever it leads."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Return no further request, which makes an error of the answer."""


def send(method: str, url: str, headers: Mapping[str, str], body: object = None) -> Any:
    """Send a request and return the JSON of its answer."""
    if not url.startswith(_SCHEMES):
        raise SchemaError(f"{url!r} is no address of an API.", code="cli.comment", fix="The variables of the CI name it; look at them.")
    data = None if body is None else json.dumps(body).encode()
    given = {"Content-Type": "application/json", "User-Agent": f"airflow-provider-schemas/{__version__}", **headers}
    request = Request(url, data, given, method=method)  # noqa: S310  # the scheme is looked at above
    try:
        with build_opener(_NoRedirect).open(request, timeout=_TIMEOUT) as answer:
            return json.loads(answer.read(_MAX_ANSWER))
    except HTTPError as error:
        raise _refused(error) from error
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        message = f"{_host(url)} could not be asked: {str(error)[:200]}."
        raise SchemaError(message, code="cli.comment", fix="Run the job again.") from error


def forbidden(reason: str) -> SchemaError:
    """Return the error about a token that may not comment."""
    fix = "A token with the right to comment is needed; pull requests from forks have none. The result of the check is not changed by this."
    return SchemaError(f"this token may not comment here: {reason}.", code="cli.comment-forbidden", fix=fix)


def _refused(error: HTTPError) -> SchemaError:
    answer = f"{error.code} {error.reason}"
    if error.code in _FORBIDDEN:
        return forbidden(answer)
    return SchemaError(f"{_host(error.url)} answered {answer}.", code="cli.comment", fix="Run the job again.")


def _host(url: str) -> str:
    return url.split("/")[2]

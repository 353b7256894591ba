"""Who sees which page: every page as everybody, every route as nobody, and a connection and a DAG that are closed."""

import re

import pytest

from tests.ui.support import lakes
from tests.ui.support.closed import CLOSED_DAG
from tests.ui.support.pages import NAMES, OF_TABLES, addresses
from tests.ui.support.scene import Scene
from tests.ui.support.site import ANONYMOUS, ROLES, Answer, page

FORGED = "mallory"
SECRET_TABLE = "vault.keys"
SAFE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}
POLICY = (
    "default-src 'none'",
    "script-src 'nonce-",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
)
WRITES = ("POST", "PUT", "PATCH", "DELETE")


def secret_pages(stage: Scene) -> dict[str, str]:
    """Return the pages of a table behind a connection that is not listed."""
    listed = addresses(stage.runs, conn=lakes.SECRET, table=SECRET_TABLE)
    return {name: listed[name] for name in OF_TABLES if name != "diff"}


def headers(answer: Answer) -> dict[str, str]:
    """Return the headers by their names in small letters."""
    return {name.lower(): value for name, value in answer.headers.items()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("user", ROLES)
def test_whoever_is_signed_in_sees_each_page(user: str, name: str, stage: Scene) -> None:
    answer = stage.site.get(addresses(stage.runs)[name], user)
    assert answer.status == 200, answer.text[:2000]
    assert "<main" in answer.text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("user", "status"), [(ANONYMOUS, 401), (FORGED, 403)], ids=["nobody", "a forged token"])
def test_whoever_is_not_signed_in_sees_no_page(user: str, status: int, name: str, stage: Scene) -> None:
    answer = stage.site.get(addresses(stage.runs)[name], user)
    assert answer.status == status
    assert headers(answer)["content-type"].startswith("text/html")
    # The link to sign in repeats the address, which whoever asks has written.
    for hidden in ("customer_id", "shop.users", "ltv", "orders-oncall"):
        assert hidden not in answer.text


@pytest.mark.parametrize(
    "path", ["", "nowhere", "docs", "openapi.json", "redoc", "static/x", "page.0000.css", "page.0000.js", "../api", "task/x"]
)
def test_no_route_is_open_to_nobody(path: str, stage: Scene) -> None:
    assert stage.site.get(page(path), ANONYMOUS).status == 401


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", WRITES)
def test_nothing_can_be_written(method: str, name: str, stage: Scene) -> None:
    assert stage.site.get(addresses(stage.runs)[name], "admin", method=method).status == 405


def test_each_page_of_a_connection_that_is_not_listed_needs_the_right_to_that_connection(stage: Scene) -> None:
    for name, address in secret_pages(stage).items():
        found = {user: stage.site.get(address, user) for user in ROLES}
        assert {user: answer.status for user, answer in found.items()} == {"admin": 200, "op": 200, "user": 403, "viewer": 403}, name
        for user in ("user", "viewer"):
            assert "hidden" not in found[user].text
            assert "UI_CONNECTIONS" in found[user].text.upper(), "the page says which setting would show it"


def test_a_connection_that_does_not_exist_is_told_to_those_alone_who_may_read_it(stage: Scene) -> None:
    found = {user: stage.site.get(page("tables", conn="no_such_lake"), user).status for user in ROLES}
    assert found == {"admin": 404, "op": 404, "user": 403, "viewer": 403}


@pytest.mark.parametrize("name", ["task", "dag"])
def test_a_closed_dag_shows_no_verdict(name: str, second: Scene) -> None:
    address = addresses(second.runs, dag=CLOSED_DAG)[name]
    assert {user: second.site.get(address, user).status for user in ROLES} == {"admin": 200, "op": 403, "user": 403, "viewer": 403}
    assert "hr.salaries" not in second.site.get(address, "viewer").text


def test_a_closed_dag_is_not_among_the_gates(second: Scene) -> None:
    address = page("gates", q=CLOSED_DAG)
    assert "hr.salaries" in second.site.get(address, "admin").text
    assert "hr.salaries" not in second.site.get(address, "viewer").text


@pytest.mark.parametrize("name", NAMES)
def test_each_page_bears_the_headers_that_keep_it_safe(name: str, stage: Scene) -> None:
    address = addresses(stage.runs)[name]
    first, again = (headers(stage.site.get(address)) for _ in range(2))
    assert {header: first[header] for header in SAFE} == SAFE
    for directive in POLICY:
        assert directive in first["content-security-policy"]
    assert "unsafe" not in first["content-security-policy"]
    assert first["content-security-policy"] != again["content-security-policy"], "each answer has a nonce of its own"


@pytest.mark.parametrize("name", NAMES)
def test_no_page_holds_the_token_or_the_place_of_the_storage(name: str, stage: Scene) -> None:
    text = stage.site.get(addresses(stage.runs)[name], "viewer").text
    assert stage.site.token("viewer") not in text
    assert str(stage.folder) not in text


@pytest.mark.parametrize("name", NAMES)
def test_no_page_leads_to_an_address_that_a_prefix_would_break(name: str, stage: Scene) -> None:
    # A verdict names the task that wrote a version by its path, prefix included.
    led = re.findall(r'(?:href|src|action)="([^"]*)"', stage.site.get(addresses(stage.runs)[name]).text)
    assert led
    assert [address for address in led if re.match(r"/(?!dags/)|[a-z]+:", address)] == []


def test_whoever_is_signed_out_is_shown_where_to_sign_in(stage: Scene) -> None:
    text = stage.site.get(page("gates"), ANONYMOUS).text
    assert "Sign in" in text
    assert "auth/login" in text

"""Who may see what: every route of the application, and the DAGs and connections in a page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from airflow_provider_schemas.plugins.application.app import create_app
from airflow_provider_schemas.plugins.application.page_table import PAGES
from airflow_provider_schemas.plugins.common.page import Access, Page
from airflow_provider_schemas.plugins.schemas_plugin import SchemasPlugin
from tests.provider.plugins.support import people
from tests.provider.plugins.support.database import Database
from tests.provider.plugins.support.people import FORBIDDEN_DAG, ROLES

AsRole = Callable[[str], TestClient]
OF_A_DAG = [page.path for page in PAGES if page.access is Access.DAG]
OF_A_CONNECTION = [page.path for page in PAGES if page.access is Access.CONNECTION]


def addresses(app: Any) -> Iterator[str]:
    """Every address of an application, those with something in braces filled."""
    for route in app.routes:
        yield route.path.replace("{path:path}", "anything/at/all")


@pytest.fixture
def ours(airflow_app: FastAPI, viewer: TestClient) -> Any:
    """Our application, as Airflow has mounted it."""
    viewer.get("/schemas/gates")
    lazy: Any = SchemasPlugin.fastapi_apps[0]["app"]
    assert lazy._app is not None
    return lazy._app


class TestEveryRoute:
    def test_of_the_application_is_walked(self, ours: Any) -> None:
        walked = set(addresses(ours))
        assert {f"/{page.path}" for page in PAGES} < walked
        assert "/" in walked

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_wants_somebody_who_is_signed_in(self, ours: Any, anonymous: TestClient, method: str) -> None:
        answers = {address: anonymous.request(method, f"/schemas{address}").status_code for address in addresses(ours)}
        assert set(answers.values()) == {401}, answers

    def test_refuses_a_token_that_airflow_has_not_given(self, ours: Any, airflow_app: FastAPI) -> None:
        for headers in ({"Authorization": "Bearer nonsense"}, {"Cookie": "_token=nonsense"}):
            browser = people.client(airflow_app, headers)
            answers = {address: browser.get(f"/schemas{address}").status_code for address in addresses(ours)}
            assert set(answers.values()) <= {401, 403}, answers

    def test_takes_the_cookie_of_the_ui_as_well(self, airflow_app: FastAPI) -> None:
        browser = people.client(airflow_app, {"Cookie": f"_token={people.token('viewer')}"})
        assert browser.get("/schemas/gates").status_code == 200

    def test_is_closed_without_being_told_so(self, airflow_app: FastAPI) -> None:
        async def forgotten() -> str:
            return "open"

        app = create_app()
        app.router.routes.clear()
        app.add_api_route("/forgotten", forgotten)
        assert people.client(app).get("/forgotten").status_code == 401
        assert people.as_role(app, "viewer").get("/forgotten").text == '"open"'

    @pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
    def test_is_only_read(self, ours: Any, as_role: AsRole, method: str) -> None:
        answers = {address: as_role("admin").request(method, f"/schemas{address}") for address in addresses(ours)}
        assert {answer.status_code for answer in answers.values()} == {405}
        assert {answer.headers["allow"] for answer in answers.values()} == {"GET, HEAD"}


@pytest.mark.parametrize("path", OF_A_DAG)
class TestAPageOfADag:
    QUERY = "run_id=run_1&task_id=gate"

    @pytest.mark.parametrize("role", ROLES)
    def test_is_seen_by_whoever_may_read_its_xcoms(self, database: Database, as_role: AsRole, path: str, role: str) -> None:
        assert as_role(role).get(f"/schemas/{path}?dag_id=daily&{self.QUERY}").status_code == 200

    @pytest.mark.parametrize("role", ["viewer", "user", "op"])
    def test_is_refused_to_others(self, database: Database, as_role: AsRole, path: str, role: str) -> None:
        database.push({"verdict": "break", "sentence": "a salary", "tables": {}}, dag=FORBIDDEN_DAG)
        answer = as_role(role).get(f"/schemas/{path}?dag_id={FORBIDDEN_DAG}&{self.QUERY}")
        assert answer.status_code == 403
        assert "salary" not in answer.text
        assert FORBIDDEN_DAG not in answer.text

    @pytest.mark.parametrize("query", ["", "dag_id=", "dag_id={DAG_ID}", f"dag_id=daily&dag_id={FORBIDDEN_DAG}", "dag_id=a%00b"])
    def test_without_one_dag_is_no_page(self, database: Database, as_role: AsRole, path: str, query: str) -> None:
        assert as_role("viewer").get(f"/schemas/{path}?{query}&{self.QUERY}").status_code == 400

    def test_of_all_dags_is_no_page(self, database: Database, as_role: AsRole, path: str) -> None:
        answer = as_role("viewer").get(f"/schemas/{path}?dag_id=~&{self.QUERY}")
        assert "a salary" not in answer.text


def test_the_list_of_gates_has_those_of_readable_dags_alone(database: Database, as_role: AsRole, verdicts: dict[str, Any]) -> None:
    database.push(verdicts["breaks"], dag="daily")
    database.push(verdicts["breaks"], dag=FORBIDDEN_DAG)
    assert f"{FORBIDDEN_DAG}.gate" not in as_role("viewer").get("/schemas/gates").text
    assert "daily.gate" in as_role("viewer").get("/schemas/gates").text
    assert f"{FORBIDDEN_DAG}.gate" in as_role("admin").get("/schemas/gates").text


class TestTheRightToXcoms:
    def test_is_asked_of_each_dag_in_the_list(
        self, database: Database, as_role: AsRole, verdicts: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
        from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager

        def sees_the_dag_alone(self: Any, *, method: str, user: Any, access_entity: Any = None, details: Any = None) -> bool:
            return access_entity is not DagAccessEntity.XCOM

        database.push(verdicts["breaks"], dag="daily")
        monkeypatch.setattr(SimpleAuthManager, "is_authorized_dag", sees_the_dag_alone)
        assert "daily.gate" not in as_role("viewer").get("/schemas/gates").text


@pytest.fixture
def tables(airflow_app: FastAPI) -> FastAPI:
    """An application with one page that shows the connections it may show."""

    def content(asked: Any) -> dict[str, Any]:
        from airflow_provider_schemas.plugins.application.no_page import NoPage

        return {"reason": NoPage(200, " ".join(("connections", *asked.conn_ids))), "sign_in": ""}

    app: FastAPI = people.patient(create_app([Page("tables", "no_page.html", Access.CONNECTION, content, is_storage=True)]))
    return app


class TestAConnection:
    @pytest.fixture(autouse=True)
    def allowed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AIRFLOW__SCHEMAS__UI_CONNECTIONS", "lake, lake,,other ")

    @pytest.mark.parametrize("role", ROLES)
    def test_that_is_listed_is_seen_by_whoever_may_read_assets(self, tables: FastAPI, role: str) -> None:
        answer = people.as_role(tables, role).get("/tables?conn=lake")
        assert answer.status_code == 200
        assert "<h1>connections lake other</h1>" in answer.text

    @pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("user", 403), ("op", 200), ("admin", 200)])
    def test_that_is_not_listed_needs_the_right_to_read_it(self, tables: FastAPI, role: str, status: int) -> None:
        assert people.as_role(tables, role).get("/tables?conn=secret_lake").status_code == status

    def test_that_is_refused_names_the_setting_and_not_whether_it_is_there(self, tables: FastAPI) -> None:
        answer = people.as_role(tables, "viewer").get("/tables?conn=secret_lake")
        assert "[schemas] ui_connections" in answer.text
        assert "AIRFLOW__SCHEMAS__UI_CONNECTIONS" in answer.text
        assert "secret_lake" not in answer.text

    def test_is_not_listed_unless_somebody_does(self, tables: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AIRFLOW__SCHEMAS__UI_CONNECTIONS")
        assert people.as_role(tables, "viewer").get("/tables?conn=lake").status_code == 403
        assert "<h1>connections</h1>" in people.as_role(tables, "viewer").get("/tables").text

"""The connection as people meet it in the UI: its form, and the button that tests it."""

import json
from typing import Any

import pytest

from tests.system.support.lakes import Connections
from tests.system.support.rest import Rest

pytestmark = pytest.mark.system


def test_the_form_shows_the_fields_of_a_schema_store(airflow: Rest) -> None:
    forms: dict[str, Any] = {form["connection_type"]: form for form in airflow.ask("/ui/connections/hook_meta")}
    form = forms["schema_store"]
    assert (form["hook_name"], form["standard_fields"]["host"]["title"]) == ("Schema store", "Warehouse URI")
    assert all(form["standard_fields"][name]["hidden"] for name in ("port", "url_schema", "login", "password"))
    fields = {"registry", "storage_conn_id", "layout", "catalog", "read_only", "single_writer", "team", "alias", "storage_options"}
    assert fields <= set(form["extra_fields"])


def test_the_button_says_whether_the_warehouse_can_be_used(conn: str, airflow: Rest, connections: Connections) -> None:
    said = airflow.ask("/api/v2/connections/test", asked(conn, connections[conn]))
    assert said["status"], said["message"]


@pytest.mark.parametrize(
    ("about", "word"),
    [({"host": ""}, "host"), ({"extra": {"registri": "x"}}, "registry"), ({"extra": {"storage_conn_id": "nobody"}}, "nobody")],
)
def test_the_button_says_what_is_wrong(about: dict[str, Any], word: str, airflow: Rest, connections: Connections) -> None:
    said = airflow.ask("/api/v2/connections/test", asked("a_new_one", connections["lake_s3"] | about))
    assert not said["status"]
    assert word in said["message"]


def asked(conn: str, about: dict[str, Any]) -> dict[str, Any]:
    """What the form sends."""
    return {"connection_id": conn, **about, "extra": json.dumps(about.get("extra", {}))}
